// Numbers of a recording: base64 of little-endian float32 and int32.

function bytes(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; ++k) out[k] = raw.charCodeAt(k);
  return out.buffer;
}

// `set` and `get` name the methods of DataView, which has the byte order as an argument: machines differ in theirs.
function numbers(text, Array, get) {
  const buffer = bytes(text);
  if (buffer.byteLength % 4) throw new Error(`${buffer.byteLength} bytes are no list of numbers of 4 bytes`);
  const view = new DataView(buffer), out = new Array(buffer.byteLength / 4);
  for (let k = 0; k < out.length; ++k) out[k] = view[get](4 * k, true);
  return out;
}

export const floats = (text) => numbers(text, Float32Array, 'getFloat32');
export const integers = (text) => numbers(text, Int32Array, 'getInt32');
