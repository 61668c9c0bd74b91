import assert from 'node:assert/strict';
import test from 'node:test';

import {floats, integers} from '../src/base64.js';
import {contactsOf, entry, Recording} from '../src/recording.js';

const base64 = (values) => Buffer.from(new Float32Array(values).buffer).toString('base64');

const frame = (t, more = {}) => ({t, poses: '', q: '', v: '', contacts: [], structure: -1, ...more});

const recording = (more = {}) => new Recording(
    {format: 'delassus-recording', version: 1, bodies: [], shapes: [], structures: [], frames: [], ...more});

const kContact = {
  name: 'foot / ground',
  first: 0,
  count: 3,
  bodies: [0, -1],
  labels: ['normal', 'tangent 1', 'tangent 2']
};

test('numbers are little-endian, whatever the machine', () => {
  assert.deepEqual([...floats('AACAPwAAAMA=')], [1, -2]);  // 00 00 80 3f, 00 00 00 c0
  assert.deepEqual([...integers('AQAAAP////8=')], [1, -1]);
  assert.deepEqual([...floats('')], []);
  assert.throws(() => floats('AAAA'), /3 bytes are no list/);
});

test('other formats and versions are refused with words', () => {
  assert.throws(() => new Recording({}), /no delassus-recording, but something without a format/);
  assert.throws(
      () => new Recording({format: 'delassus-recording', version: 2}), /version 2; this viewer reads version 1/);
});

test('the frame of a time is the last one before it', () => {
  const all = recording({frames: [0, 0.1, 0.2, 0.4].map((t) => frame(t))});
  assert.deepEqual([-1, 0, 0.05, 0.1, 0.39, 0.4, 9].map((t) => all.indexAt(t)), [0, 0, 0, 1, 2, 3, 3]);
  assert.equal(recording().indexAt(1), 0);
});

test('rows know their names and owners', () => {
  const limit = {name: 'knee limit', first: 3, count: 1, bodies: [1]};
  const [structure] = recording({structures: [{rows: [kContact, limit], nodes: [], block: 3}]}).structures;
  assert.deepEqual(
      structure.labels, ['foot / ground normal', 'foot / ground tangent 1', 'foot / ground tangent 2', 'knee limit']);
  assert.deepEqual(structure.owner, [0, 0, 0, 1]);
  assert.deepEqual([structure.size, structure.cells], [4, 2]);
});

test('a matrix that is missing is that of the last frame with the same rows', () => {
  const matrix = base64([1, 2, 3, 4, 5, 6]);
  const all = recording({
    structures: [{rows: [kContact], nodes: []}, {rows: [kContact], nodes: []}],
    frames: [frame(0, {structure: 0, matrix}), frame(1, {structure: 0}), frame(2, {structure: 1}), frame(3)]
  });
  assert.equal(all.matrixAt(1).t, 0);
  assert.equal(all.matrixAt(2), null);
  assert.equal(all.matrixAt(3), null);
  const {cells} = all.matrixAt(0);
  assert.equal(entry(cells, 2, 1), 5);
  assert.equal(entry(cells, 1, 2), 5);
});

test('a live recording grows, forgets the oldest frames, and begins anew', () => {
  const live = recording({live: true});
  live.append(Array.from({length: 1999}, (_, k) => frame(k)), [{rows: [kContact], nodes: []}], [0], false);
  assert.deepEqual([live.frames.length, live.dropped], [1999, 0]);
  live.append([frame(1999), frame(2000), frame(2001)], [], [], false);
  assert.deepEqual([live.frames.length, live.dropped, live.frames[0].t], [2000, 2, 2]);
  live.append([frame(0)], [], [], true);
  assert.deepEqual([live.frames.length, live.structures.length], [1, 1]);
  live.clear();
  assert.deepEqual([live.frames.length, live.structures.length], [0, 0]);
});

test('a structure that takes the index of another is not shown for frames of before', () => {
  const live = recording({live: true}), other = {name: 'other', first: 0, count: 1};
  live.append(
      [frame(0, {structure: 0}), frame(1, {structure: 1})],
      [{rows: [kContact], nodes: []}, {rows: [kContact], nodes: []}], [0, 1], false);
  live.append([frame(2, {structure: 0})], [{rows: [other], nodes: []}], [0], false);
  assert.deepEqual(live.frames.map(({structure}) => structure), [-1, 1, 0]);
  assert.equal(live.structureOf(live.frames[2]).size, 1);
});

test('both sides of a contact find it, with opposite signs', () => {
  const all = recording({shapes: [{body: 0}, {body: 1}, {body: -1}]});
  const now = frame(0, {contacts: [{a: 0, b: 1}, {a: 0, b: 2}]});
  assert.deepEqual(contactsOf(all, now, 0).map(({sign}) => sign), [1, 1]);
  assert.deepEqual(contactsOf(all, now, 1).map(({sign}) => sign), [-1]);
});
