import assert from 'node:assert/strict';
import test from 'node:test';

import {actingOn, newtonsPerMetre, roundUp, split} from '../src/contact_forces.js';

const shapes = [{body: 0}, {body: 1}, {body: -1}];

test('forces are drawn on the body that moves', () => {
  const contact = {normal: [0, 0, 1], force: [1, 0, 5]};
  assert.deepEqual(actingOn({shapes}, {...contact, a: 0, b: 2}).force, [1, 0, 5]);
  assert.deepEqual(actingOn({shapes}, {...contact, a: 2, b: 0}).force, [-1, -0, -5]);
  assert.deepEqual(actingOn({shapes}, {...contact, a: 1, b: 0}).force, [1, 0, 5]);
});

test('a contact slides where its force lies on the cone', () => {
  const normal = [0, 0, 1];
  assert.deepEqual(split({force: [3, 4, 10], normal, mu: 0.5}), {pressing: 10, across: 5, sliding: true});
  assert.equal(split({force: [3, 4, 10], normal, mu: 0.6}).sliding, false);
  assert.equal(split({force: [0, 0, 10], normal}).sliding, false);  // held, by no friction
  assert.equal(split({force: [0, 0, 1e-6], normal, mu: 0}).sliding, false);
  assert.equal(split({force: [1e-6, 0, 1e-6], normal, mu: 0.5}).sliding, false);  // it hardly touches
});

test('scales are round', () => {
  assert.deepEqual([1, 1.2, 2, 2.5, 4, 7, 90].map(roundUp), [1, 2, 2, 3, 5, 10, 100]);
});

test('arrows suit the forces, or the weight before there are any', () => {
  const contact = (force) => ({force: [0, 0, force]});
  const frames = [{contacts: [10, 10, 60, 500].map(contact)}, {contacts: [contact(0)]}];
  assert.equal(newtonsPerMetre({frames, mass: 1}, 1), 2000);      // 500 N in 0.3 m: the fourth of four
  assert.equal(newtonsPerMetre({frames: [], mass: 40}, 1), 500);  // 98 N in 0.3 m
  assert.equal(newtonsPerMetre({frames: [], mass: 0}, 1), 5);     // nothing weighs: one newton
});
