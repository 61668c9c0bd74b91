import assert from 'node:assert/strict';
import test from 'node:test';

import {bodyColours} from '../src/body_colours.js';

test('a limb has one hue in two shades, and limbs differ', () => {
  // A trunk with two legs of two links, and a loose body.
  const colours = bodyColours([-1, 0, 1, 0, 3, -1].map((parent) => ({parent})));
  const hues = colours.map(({hue}) => hue);
  assert.equal(hues[1], hues[2]);
  assert.equal(hues[3], hues[4]);
  assert.equal(new Set(hues).size, 4);
  assert.notEqual(colours[1].lightness, colours[2].lightness);
});
