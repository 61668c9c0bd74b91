// Λ⁻¹ of the shown moment, entry by entry, with the colours of the report.
import {cssColour, cut, heatLegend, heatRgb, hideTip, html, inertiaUnit, shadeOf, showTip} from 'page';

import {sizeCanvas} from './canvas.js';
import {entry} from './recording.js';

const kShades = 255;
const kName = 11, kLetter = 5.2;  // height of a name and width of its letters, pixels

export class MatrixPanel {
  // `point` is told which rows are pointed at.
  constructor(recording, point) {
    Object.assign(this, {recording, point, at: null, marked: new Set(), matrix: null, structure: null});
    this.canvas = html('canvas', {
      class: 'heat',
      tabindex: 0,
      role: 'img',
      'aria-label': 'The Delassus matrix as a heat map. Arrow keys go from entry to entry.'
    });
    this.words = html('p', {class: 'note'});
    this.none = html('p', {class: 'none'});
    this.legend = heatLegend();
    this.element = html(
        'section', {class: 'card matrix', 'aria-labelledby': 'matrix-title'},
        html('h2', {id: 'matrix-title'}, 'Λ⁻¹ = J M⁻¹ Jᵀ'), this.words, this.canvas, this.none, this.legend.element);
    this.listen();
    this.recolour();
  }

  listen() {
    this.canvas.addEventListener('pointermove', (event) => {
      const box = this.canvas.getBoundingClientRect();
      const c = Math.floor((event.clientX - box.left - this.margin) / this.cell),
            r = Math.floor((event.clientY - box.top) / this.cell);
      if (!this.matrix || c < 0 || r >= this.structure.cells || c >= this.structure.cells) return this.leave();
      this.go(r, c, event.clientX, event.clientY);
    });
    this.canvas.addEventListener('pointerleave', () => this.leave());
    this.canvas.addEventListener('blur', () => this.leave());
    this.canvas.addEventListener('keydown', (event) => this.step(event));
  }

  leave() {
    if (!this.at) return;
    this.at = null;
    hideTip();
    this.point([]);
    this.draw();
  }

  go(r, c, x, y) {
    const last = this.structure.cells - 1, within = (k) => Math.max(0, Math.min(last, k));
    this.at = [within(r), within(c)];
    this.draw();
    this.point(this.at.map((k) => k * this.structure.block));
    showTip(this.wordsAt(...this.at), x, y);
  }

  step(event) {
    const move = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
    if (!move || !this.matrix) return;
    event.preventDefault();
    event.stopPropagation();
    const [r, c] = this.at ?? [0, -1], box = this.canvas.getBoundingClientRect();
    const [y, x] = [r + move[0], c + move[1]];
    this.go(y, x, box.left + this.margin + (x + 1) * this.cell, box.top + (y + 1) * this.cell);
  }

  wordsAt(r, c) {
    const {owner, rows, block} = this.structure;
    const unitOf = (k) => rows[owner[k]].units?.[k - rows[owner[k]].first];
    const value = Number(entry(this.matrix.cells, r, c).toPrecision(4));
    const names = `${this.nameOf(r)}  ×  ${this.nameOf(c)}`;
    if (block > 1) return `${names}\n${value}, the largest of ${block} × ${block} entries`;
    return `${names}\n${value} ${inertiaUnit(unitOf(r), unitOf(c))}`.trim();
  }

  // Of the rows of a cell.
  nameOf(cell) {
    const {labels, block, size} = this.structure;
    const first = cell * block, last = Math.min(size, first + block) - 1;
    return first === last ? labels[first] : `${labels[first]} … ${labels[last]}`;
  }

  // When the page turns light or dark.
  recolour() {
    this.palette = Array.from({length: 2 * kShades + 1}, (_, k) => heatRgb(k / kShades - 1));
    this.legend.paint();
    this.draw();
  }

  show(index) {
    const frame = this.recording.frames[index], structure = this.recording.structureOf(frame);
    const matrix = this.recording.matrixAt(index);
    if (structure !== this.structure) this.at = null;
    const same = matrix?.cells === this.matrix?.cells && structure === this.structure;
    Object.assign(this, {structure, matrix});
    this.none.textContent = this.reason(frame);
    this.words.textContent = this.summary(frame);
    if (!same) this.draw();
  }

  reason(frame) {
    if (!frame) return 'There are no frames yet.';
    if (this.recording.motionOnly) return 'Motion alone was recorded: no forces, and no rows.';
    if (!this.structure || this.structure.size === 0)
      return 'Nothing is touched or constrained now: there are no rows.';
    return this.matrix ? '' : `${this.structure.size} rows: the matrix was left out of the recording.`;
  }

  summary(frame) {
    if (!this.matrix) return '';
    const {size, rows, block} = this.structure, late = this.matrix.t !== frame.t;
    const from = late ? `; as it was at ${this.matrix.t.toFixed(3)} s` : '';
    return `${size} × ${size}, ${rows.length} constraint${rows.length === 1 ? '' : 's'}${
        block > 1 ? `, ${block} × ${block} entries a cell` : ''}${from}`;
  }

  mark(rows) {
    if (rows.length === this.marked.size && rows.every((row) => this.marked.has(row))) return;
    this.marked = new Set(rows);
    this.draw();
  }

  draw() {
    const shown = this.matrix !== null;
    this.canvas.hidden = this.legend.element.hidden = !shown;
    this.none.hidden = shown;
    if (!shown) return;
    const {cells} = this.structure;
    this.canvas.style.height = `${this.canvas.clientWidth - this.marginFor()}px`;
    const context = sizeCanvas(this.canvas);
    this.margin = this.marginFor();
    this.cell = (this.canvas.clientWidth - this.margin) / cells;
    this.drawCells(context);
    this.drawNames(context);
    this.drawBorders(context);
    if (this.at) this.drawPointer(context);
  }

  // For names of constraints.
  marginFor() {
    const longest = Math.max(...this.structure.rows.map(({name}) => name.length));
    return Math.min(0.33 * this.canvas.clientWidth, 10 + kLetter * longest);
  }

  drawCells(context) {
    const {cells: size} = this.structure, {cells} = this.matrix;
    const largest = cells.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const picture = new ImageData(size, size);
    for (let r = 0; r < size; ++r) {
      for (let c = 0; c < size; ++c) {
        const [red, green, blue] = this.palette[Math.round(kShades * (shadeOf(entry(cells, r, c), largest) + 1))];
        const at = 4 * (r * size + c);
        picture.data[at] = red;
        picture.data[at + 1] = green;
        picture.data[at + 2] = blue;
        picture.data[at + 3] = 255;
      }
    }
    const small = new OffscreenCanvas(size, size);
    small.getContext('2d').putImageData(picture, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, this.margin, 0, this.cell * size, this.cell * size);
    this.legend.label(largest, '');
  }

  drawNames(context) {
    Object.assign(context, {font: '10px system-ui, sans-serif', textAlign: 'right', textBaseline: 'middle'});
    let free = -Infinity;
    const row = this.cell / this.structure.block;  // its height
    for (const {name, first, count} of this.structure.rows) {
      const y = Math.max(kName / 2, (first + count / 2) * row), marked = this.marked.has(first);
      if (marked) {
        context.fillStyle = cssColour('accent');
        context.fillRect(this.margin - 4, first * row, 3, count * row);
      }
      if (y < free) continue;
      context.fillStyle = cssColour(marked ? 'ink' : 'soft');
      context.fillText(cut(name, (this.margin - 9) / kLetter), this.margin - 7, y, this.margin - 9);
      free = y + kName;
    }
  }

  drawBorders(context) {
    const {block, cells, rows} = this.structure, end = cells * this.cell;
    if (block > 1 || rows.length * 8 > end) return;  // they would hide what they part
    Object.assign(context, {strokeStyle: cssColour('card'), lineWidth: 1});
    context.beginPath();
    for (const {first} of rows.slice(1)) {
      const at = first * this.cell;
      context.moveTo(this.margin + at, 0);
      context.lineTo(this.margin + at, end);
      context.moveTo(this.margin, at);
      context.lineTo(this.margin + end, at);
    }
    context.stroke();
  }

  drawPointer(context) {
    const [r, c] = this.at;
    Object.assign(context, {strokeStyle: cssColour('ink'), lineWidth: 1.5});
    context.strokeRect(this.margin + c * this.cell, r * this.cell, this.cell, this.cell);
  }
}
