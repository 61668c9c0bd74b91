// Where everything is in a frame of a run.

const times = (A, B) => Array.from(
    {length: 9}, (_, k) => [0, 1, 2].reduce((sum, j) => sum + A[3 * Math.floor(k / 3) + j] * B[3 * j + k % 3], 0));
const turnedBy = (R, v) => [0, 1, 2].map((r) => R[3 * r] * v[0] + R[3 * r + 1] * v[1] + R[3 * r + 2] * v[2]);
const plus = (a, b) => a.map((x, k) => x + b[k]);

// Row by row, of a quaternion x, y, z, w.
function rotationOf([x, y, z, w]) {
  const s = 2 / (x * x + y * y + z * z + w * w);
  return [
    1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y), s * (x * y + w * z), 1 - s * (x * x + z * z),
    s * (y * z - w * x), s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)
  ];
}

// A frame has seven numbers for each body.
function poseOf(frame, body) {
  const at = 7 * body;
  return {p: frame.slice(at, at + 3), R: rotationOf(frame.slice(at + 3, at + 7))};
}

const kBoxColour = [206, 150, 78];

function posedShapes({shapes}, frame) {
  const box = boxBody({shapes});
  return shapes.map(({kind, size, R, p, body}) => {
    const pose = poseOf(frame, body);
    return {
      kind,
      size,
      R: times(pose.R, R),
      p: plus(pose.p, turnedBy(pose.R, p)),
      colour: body === box ? kBoxColour : undefined
    };
  });
}

// The box is the last of the shapes.
const boxBody = ({shapes}) => shapes[shapes.length - 1].body;

// The edges of a box in the world.
function boxEdges(size, p) {
  const corner = (k) => p.map((x, axis) => x + (k >> axis & 1 ? 0.5 : -0.5) * size[axis]);
  const pairs =
      [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [1, 2, 4].filter((bit) => !(k & bit)).map((bit) => [k, k | bit]));
  return pairs.map(([a, b]) => ({from: corner(a), to: corner(b)}));
}
