// A recording as the drawings want it: frames in order of time, decoded, and what can be asked of them.
import {floats} from './base64.js';

const kFormat = 'delassus-recording', kVersion = 1;
const kKept = 2000;  // frames of a live one; older ones are dropped

function decoded(frame) { return {...frame, poses: floats(frame.poses), q: floats(frame.q), v: floats(frame.v)}; }

// Row k of a structure belongs to rows[owner[k]] and is called labels[k]. A cell of its matrix stands for `block` × `block`
// entries: `cells` a side.
function indexed(structure) {
  const owner = [], labels = [];
  structure.rows.forEach((group, g) => {
    for (let k = 0; k < group.count; ++k) {
      owner[group.first + k] = g;
      labels[group.first + k] = `${group.name} ${group.labels?.[k] ?? ''}`.trim();
    }
  });
  const size = owner.length, block = structure.block ?? 1;
  return {...structure, owner, labels, size, block, cells: Math.ceil(size / block)};
}

export class Recording {
  constructor(document) {
    if (document.format !== kFormat)
      throw new Error(`this is no ${kFormat}, but ${document.format ?? 'something without a format'}`);
    if (document.version !== kVersion)
      throw new Error(`the recording has version ${document.version}; this viewer reads version ${kVersion}`);
    const {title = '', subtitle = '', live = false, up = [0, 0, 1], bodies, shapes, surfaces = []} = document;
    Object.assign(this, {title, subtitle, live, up, bodies, shapes, surfaces});
    this.motionOnly = document.motion_only ?? false;  // forces, rows and energies were not recorded
    this.marks = document.marks ?? [];
    this.series = document.series ?? [];
    this.speed = document.speed ?? 1;
    this.status = document.status ?? '';
    this.message = document.message ?? '';
    this.structures = document.structures.map(indexed);
    this.frames = document.frames.map(decoded);
    this.dropped = 0;  // by the last append
    this.matrices = new WeakMap();
  }

  get last() { return this.frames.length - 1; }
  get mass() { return this.bodies.reduce((sum, body) => sum + body.mass, 0); }
  timeOf(index) { return this.frames[index]?.t ?? 0; }

  // The last frame that is not later than t.
  indexAt(t) {
    let low = 0, high = this.last;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frames[middle].t <= t)
        low = middle;
      else
        high = middle - 1;
    }
    return Math.max(0, low);
  }

  structureOf(frame) { return frame && frame.structure >= 0 ? this.structures[frame.structure] : null; }

  // Of the frame, or of the last one before it that has the same rows: recordings may leave matrices out.
  matrixAt(index) {
    const frame = this.frames[index];
    if (!frame || frame.structure < 0) return null;
    for (let k = index; k >= 0 && this.frames[k].structure === frame.structure; --k) {
      if (this.frames[k].matrix) return {t: this.frames[k].t, cells: this.cellsOf(this.frames[k])};
    }
    return null;
  }

  // The lower triangle by rows: entry (r, c) with c <= r is at r (r + 1) / 2 + c.
  cellsOf(frame) {
    if (!this.matrices.has(frame)) this.matrices.set(frame, floats(frame.matrix));
    return this.matrices.get(frame);
  }

  clear() {
    this.frames = [];
    this.structures = [];
  }

  // Of a live one: structure k gets the index places[k]. One that had it before is forgotten, and old frames that had that one show no rows.
  // With `anew` time has begun again, and frames of before are forgotten; structures keep their indices.
  append(frames, structures, places, anew) {
    if (anew) this.frames = [];
    const replaced = new Set(places.filter((place) => place in this.structures));
    for (const frame of this.frames) frame.structure = replaced.has(frame.structure) ? -1 : frame.structure;
    structures.forEach((structure, k) => this.structures[places[k]] = indexed(structure));
    this.frames.push(...frames.map(decoded));
    this.dropped = Math.max(0, this.frames.length - kKept);
    this.frames.splice(0, this.dropped);
  }
}

// Entry (r, c) of a symmetric matrix whose lower triangle lies row by row.
export const entry = (cells, r, c) => r >= c ? cells[r * (r + 1) / 2 + c] : cells[c * (c + 1) / 2 + r];

// Those that pull on a body, with the force on it: the other side of a contact feels the opposite.
export function contactsOf(recording, frame, body) {
  const bodyOf = (shape) => recording.shapes[shape]?.body ?? -1;
  return frame.contacts.flatMap((contact) => {
    if (bodyOf(contact.a) === body) return [{...contact, sign: 1}];
    if (bodyOf(contact.b) === body) return [{...contact, sign: -1}];
    return [];
  });
}
