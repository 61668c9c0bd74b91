// Λ⁻¹ entry by entry: with the names of rows.

const kLine = 11, kTop = 4;  // of names, and above the first of them; pixels

class HeatMap {
  constructor(canvas, readout) {
    this.canvas = canvas;
    this.readout = readout;
    this.at = null;  // the cell that is pointed at
    canvas.addEventListener('pointermove', (event) => this.pointAt(event));
    canvas.addEventListener('pointerleave', () => {
      this.at = null;
      hideTip();
      this.draw();
    });
    canvas.addEventListener('keydown', (event) => this.step(event));
  }

  show(set) {
    this.set = set;
    this.at = null;
    this.largest = set.matrix.cells.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    this.draw();
  }

  rowName(cell) {
    const {rows, matrix} = this.set;
    const name = (row) => `${row.constraint} ${row.axis}`.trim();
    const [first, last] = [cell * matrix.block, Math.min(rows.length, (cell + 1) * matrix.block) - 1];
    return first === last ? name(rows[first]) : `${name(rows[first])} … ${name(rows[last])}`;
  }

  words() {
    const {matrix, rows} = this.set;
    const [r, c] = this.at;
    const value = matrix.cells[r * matrix.size + c];
    const unit = inertiaUnit(rows[r * matrix.block].unit, rows[c * matrix.block].unit);
    const what = matrix.block > 1 ? `\nlargest of ${matrix.block} × ${matrix.block} entries` : '';
    return `${this.rowName(r)}  ×  ${this.rowName(c)}\n${value.toPrecision(4)} ${matrix.block > 1 ? '' : unit}${what}`;
  }

  draw() {
    if (!this.set) return;
    const {matrix} = this.set;
    const width = this.canvas.clientWidth, ratio = devicePixelRatio || 1;
    const longest = Math.max(...Array.from({length: matrix.size}, (_, k) => this.rowName(k).length));
    this.margin = Math.min(width * 0.32, 10 + 5.6 * longest);
    this.cell = (width - this.margin) / matrix.size;
    const height = Math.ceil(this.cell * matrix.size) + 2 * kTop;
    this.canvas.style.height = `${height}px`;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const context = this.context = this.canvas.getContext('2d');
    context.scale(ratio, ratio);
    for (let r = 0; r < matrix.size; ++r) {
      for (let c = 0; c < matrix.size; ++c) {
        context.fillStyle = heatColour(shadeOf(matrix.cells[r * matrix.size + c], this.largest));
        context.fillRect(this.margin + c * this.cell, kTop + r * this.cell, this.cell + 0.5, this.cell + 0.5);
      }
    }
    this.drawNames();
    this.drawBorders();
    if (this.at) this.drawPointer();
  }

  // Of rows, or of constraints where there is no room for all rows.
  labels() {
    const {matrix, constraints} = this.set;
    if (this.cell >= kLine || matrix.block > 1)
      return Array.from({length: matrix.size}, (_, k) => [this.rowName(k), k + 0.5]);
    return constraints.map((c) => [c.name, c.first_row + c.rows / 2]);
  }

  // As many as there is room for.
  drawNames() {
    const context = this.context;
    Object.assign(
        context,
        {font: '10px system-ui, sans-serif', textAlign: 'right', textBaseline: 'middle', fillStyle: cssColour('soft')});
    let free = -Infinity;
    for (const [name, at] of this.labels()) {
      const y = kTop + at * this.cell;
      if (y < free) continue;
      context.fillText(name, this.margin - 6, y, this.margin - 8);
      free = y + kLine;
    }
  }

  drawBorders() {
    const {matrix, constraints} = this.set;
    if (matrix.block > 1 || matrix.size > 120) return;
    const context = this.context, end = matrix.size * this.cell;
    Object.assign(context, {strokeStyle: cssColour('card'), lineWidth: 1});
    context.beginPath();
    for (const {first_row} of constraints.slice(1)) {
      const at = first_row * this.cell;
      context.moveTo(this.margin + at, kTop);
      context.lineTo(this.margin + at, kTop + end);
      context.moveTo(this.margin, kTop + at);
      context.lineTo(this.margin + end, kTop + at);
    }
    context.stroke();
  }

  drawPointer() {
    const [r, c] = this.at;
    Object.assign(this.context, {strokeStyle: cssColour('ink'), lineWidth: 1.5});
    this.context.strokeRect(this.margin + c * this.cell, kTop + r * this.cell, this.cell, this.cell);
  }

  point(r, c, x, y) {
    const last = this.set.matrix.size - 1;
    this.at = [Math.max(0, Math.min(last, r)), Math.max(0, Math.min(last, c))];
    this.draw();
    this.readout.textContent = this.words().replace('\n', ': ');
    showTip(this.words(), x, y);
  }

  pointAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const c = Math.floor((event.clientX - box.left - this.margin) / this.cell),
          r = Math.floor((event.clientY - box.top - kTop) / this.cell);
    if (c < 0) return hideTip();
    this.point(r, c, event.clientX, event.clientY);
  }

  step(event) {
    const move = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
    if (!move) return;
    event.preventDefault();
    const [r, c] = this.at || [0, -1];
    const box = this.canvas.getBoundingClientRect();
    this.point(r + move[0], c + move[1], box.left + this.margin + c * this.cell, box.top + r * this.cell);
  }
}

function heatPanel() {
  const canvas = html('canvas', {
    class: 'heat',
    tabindex: 0,
    role: 'img',
    'aria-label': 'The Delassus matrix as a heat map. Arrow keys go from entry to entry.'
  });
  const readout =
      html('p', {class: 'note', 'aria-live': 'polite', style: 'text-align:center;min-height:1.5em;margin-top:8px'});
  const facts = html('p', {class: 'note', style: 'text-align:center'});
  const map = new HeatMap(canvas, readout), legend = heatLegend();
  const section = halfPanel(
      'matrix', 'Λ⁻¹, entry by entry',
      'Acceleration of the row on the left for a unit force along the row across. Red: the same way, blue: opposite; logarithmic, four decades.',
      canvas, legend.element, facts, readout);
  let shown = null;
  function draw() {
    const units = new Set(shown.rows.map((row) => row.unit)), [unit] = units;
    map.show(shown);
    legend.paint();
    legend.label(map.largest, units.size === 1 ? inertiaUnit(unit, unit) : '');
  }
  function show(set) {
    shown = set;
    readout.textContent = '';
    facts.textContent = spectrumText(set);
    draw();
  }
  return {section, show, draw};
}

function spectrumText(set) {
  const {largest, smallest, rank, condition} = set.spectrum;
  const size = set.rows.length, short = (x) => Number(x.toPrecision(3));
  const rest = rank < size ?
      `${size - rank} of them zero: rows are redundant; condition ${short(condition)} of the others` :
      `down to ${short(smallest)}; condition ${short(condition)}`;
  return `${size} × ${size}, rank ${rank}; eigenvalues up to ${short(largest)}, ${rest}`;
}
