// Colours of canvases: those of style.css, and shades between two.

// A variable of style.css, as the drawings on canvases need it.
const cssColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const mixed = (a, b, t) => a.map((x, k) => Math.round(x + (b[k] - x) * t));
const rgb = (c) => `rgb(${c[0]} ${c[1]} ${c[2]})`;
const parsedHex = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));

// Calls when the page turns light or dark.
const onColourScheme = (draw) => matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
