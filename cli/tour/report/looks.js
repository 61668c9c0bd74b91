// One look for each operator in all drawings: colours after Okabe and Ito, which people with any colour vision tell apart, and
// dashes where those run out.

const kLooks = {
  'condensed': ['#0072b2', '', 3],
  'limbs': ['#0072b2', '5 4', 3],
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
