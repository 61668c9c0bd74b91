// Numbers in print, with units.

function threeDigits(x) {
  if (x === 0) return '0';
  const size = Math.abs(x);
  return x.toFixed(size < 1 ? 3 : size < 10 ? 2 : size < 100 ? 1 : 0);
}

// In the largest unit of `steps`, [size, prefix] from large to small, that is not larger than x.
function withPrefix(x, unit, steps) {
  const [size, prefix] = steps.find(([least]) => Math.abs(x) >= least) || steps[steps.length - 1];
  return `${threeDigits(x / size)} ${prefix}${unit}`.trim();
}

const timeText = (us) => withPrefix(us, 's', [[1e6, ''], [1e3, 'm'], [1, 'µ'], [1e-3, 'n']]);
const operationsText = (count) =>
    count < 1e3 ? `${count}` : withPrefix(count, '', [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']]);
const bytesText = (count) => withPrefix(count, 'B', [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, '']]);
const timesText = (ratio) => ratio >= 9.95 ? `${Math.round(ratio)}` : ratio.toFixed(1);
const countedText = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function errorText(x) {
  if (x === null) return '–';
  const [digit, power] = x.toExponential(0).split('e');
  return `${digit}·10${superscript(Number(power))}`;
}

function superscript(number) {
  return [...String(number)].map((c) => c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)]).join('');
}

// Without the zeros that three digits leave: for axes.
const plain = (text) => (x) => text(x).replace(/(\.\d*?)0+(?= |$)/, '$1').replace(/\.(?= |$)/, '');

// A power of ten, or a plain number where that is short.
const powerText = (x) =>
    x >= 0.01 && x < 1e4 ? String(Number(x.toPrecision(3))) : `10${superscript(Math.round(Math.log10(x)))}`;

// Of entries of Λ⁻¹, by what its row and its column measure.
function inertiaUnit(a, b) {
  if (!a || !b) return '';
  const angular = (a === 'rad/s') + (b === 'rad/s');
  return ['1/kg', '1/(kg m)', '1/(kg m²)'][angular];
}

// About five round numbers, for axes.
function roundTicks(low, high) {
  const raw = (high - low) / 5, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((x) => x >= raw * 0.999);
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    out.push(Number((k * step).toPrecision(6)));
  return out;
}
