// One look for each operator in all drawings: colours after Okabe and Ito, which people with any colour vision tell apart, and
// dashes where those run out.

const kLooks = {
  'condensed': ['#0072b2', '', 3],
  'lcaba': ['#009e73', '', 2],
  'kkt': ['#cc79a7', '', 2],
  'matrix-free': ['#56b4e9', '', 2],
  'three-maps': ['#56b4e9', '5 4', 2],
  'pv-osim': ['#d55e00', '', 2],
  'pv-osimr': ['#e69f00', '', 2],
  'ltl': ['#b09a00', '', 2],
  'efpa': ['#d55e00', '5 4', 2],
  'chang-khatib': ['#8a8f98', '', 1.5],
  'kjr': ['#8a8f98', '5 4', 1.5],
  'dense': ['#8a8f98', '2 3', 1.5],
};

function lookOf(name) {
  const [colour, dash, width] = kLooks[name];
  return {colour, dash, width};
}

// A variable of style.css, as the drawings on canvases need it.
const cssColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const mixed = (a, b, t) => a.map((x, k) => Math.round(x + (b[k] - x) * t));
const rgb = (c) => `rgb(${c[0]} ${c[1]} ${c[2]})`;
const parsedHex = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));

// Calls when the page turns light or dark.
const onColourScheme = (draw) => matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
