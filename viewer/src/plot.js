// Curves over the time of a recording, on a canvas; the cursor stands at the shown moment, and dragging it goes elsewhere.
import {cssColour, hideTip, html, roundTicks, showTip, superscript} from 'page';

import {sizeCanvas} from './canvas.js';

const kBox = {
  left: 46,
  right: 8,
  top: 8,
  bottom: 18
};
const kLeast = 1e-16;  // of a log scale: what is smaller, zero too, is drawn there

const short = (x) => {
  const size = Math.abs(x);
  if (size !== 0 && (size >= 1e5 || size < 1e-3)) {
    const [digits, power] = x.toExponential(1).split('e');
    return `${Number(digits)}·10${superscript(Number(power))}`;
  }
  return `${Number(x.toPrecision(4))}`;
};

// Low and high end of an axis for values, with room around them.
export function linearRange(values) {
  let low = Infinity, high = -Infinity;
  for (const x of values) {
    if (x === null || Number.isNaN(x)) continue;
    if (x < low) low = x;
    if (x > high) high = x;
  }
  if (low > high) return [0, 1];
  const room = 0.06 * (high - low) || 0.5 * Math.abs(high) || 1;
  return [low - room, high + room];
}

// Whole decades.
export function logRange(values) {
  let low = Infinity, high = 0;
  for (const x of values) {
    if (!(x > 0)) continue;
    if (x < low) low = x;
    if (x > high) high = x;
  }
  if (high === 0) return [kLeast, 1];
  const floor = (x) => Math.floor(Math.log10(Math.max(x, kLeast)));
  return [10 ** floor(low), 10 ** Math.max(floor(low) + 1, Math.ceil(Math.log10(high)))];
}

export class Plot {
  // `series` are {name, unit, colour, dash, of}: `colour` names a variable of style.css, `of` gives the value in a frame (and its
  // index), or null.
  constructor({title, series, log = false}, recording, seek) {
    Object.assign(this, {title, series, log, recording, time: 0});
    this.canvas = html('canvas', {role: 'img', tabindex: 0});
    this.element = html(
        'figure', {class: 'plot'}, html('figcaption', {'data-tip': this.names()}, html('b', {}, title), this.keys()),
        this.canvas);
    this.listen(seek);
    this.update();
  }

  names() { return this.series.map(({name}) => name).join('\n'); }

  keys() {
    return html(
        'span', {class: 'keys'},
        this.series.map(
            ({name, colour, dash}) => html(
                'span', {class: 'key'},
                html('i', {style: `border-top:2.5px ${dash ? 'dashed' : 'solid'} var(--${colour})`}), name)));
  }

  listen(seek) {
    const go = (event) => seek(this.timeAt(event.clientX));
    this.canvas.addEventListener('pointerdown', (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (event.buttons & 1) go(event);
      showTip(this.wordsAt(this.recording.indexAt(this.timeAt(event.clientX))), event.clientX, event.clientY);
    });
    this.canvas.addEventListener('pointerleave', hideTip);
  }

  // When frames have come: values, range and picture.
  update() {
    const {frames} = this.recording;
    this.times = frames.map(({t}) => t);
    this.values = this.series.map(({of}) => frames.map((frame, k) => of(frame, k)));
    this.range = (this.log ? logRange : linearRange)(this.values.flat());
    this.redraw();
  }

  hasValues() { return this.values.some((values) => values.some((value) => value !== null)); }

  // Of the frames that were there at the last update.
  get first() { return this.times[0] ?? 0; }
  get last() { return this.times[this.times.length - 1] ?? 0; }

  x(t) {
    const {first, last} = this, span = last - first;
    return kBox.left + (this.width - kBox.left - kBox.right) * (span > 0 ? (t - first) / span : 0);
  }

  y(value) {
    const [low, high] = this.range, scale = this.log ? (v) => Math.log10(Math.max(v, low)) : (v) => v;
    const share = (scale(value) - scale(low)) / (scale(high) - scale(low));
    return this.height - kBox.bottom - (this.height - kBox.top - kBox.bottom) * share;
  }

  timeAt(clientX) {
    const {left} = this.canvas.getBoundingClientRect();
    const share = (clientX - left - kBox.left) / (this.width - kBox.left - kBox.right);
    const {first, last} = this;
    return Math.max(first, Math.min(last, first + share * (last - first)));
  }

  wordsAt(index) {
    const lines = this.series.map(({name, unit}, s) => {
      const value = this.values[s][index];
      return `${name}: ${value === null || value === undefined ? '–' : `${short(value)} ${unit}`.trim()}`;
    });
    return [`${this.recording.timeOf(index).toFixed(3)} s`, ...lines].join('\n');
  }

  show({index, time}) {
    this.time = time;
    this.canvas.setAttribute('aria-label', `${this.title} over time. ${this.wordsAt(index).replaceAll('\n', ', ')}`);
    this.draw();
  }

  // Everything, when values, colours or the window have changed.
  redraw() {
    const context = sizeCanvas(this.canvas);
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.still = null;
    if (!this.width || !this.height) return;
    this.drawGrid(context);
    this.series.forEach((series, s) => this.drawCurve(context, series, this.values[s]));
    this.still = new OffscreenCanvas(this.canvas.width, this.canvas.height);
    this.still.getContext('2d').drawImage(this.canvas, 0, 0);
    this.draw();
  }

  // The cursor alone moves: all else was drawn before.
  draw() {
    if (!this.still) return;
    const context = sizeCanvas(this.canvas);
    context.drawImage(this.still, 0, 0, this.width, this.height);
    if (this.times.length) this.drawCursor(context);
  }

  levels() {
    const [low, high] = this.range;
    if (!this.log) return roundTicks(low, high).map((v) => [v, short(v)]);
    const first = Math.round(Math.log10(low)), last = Math.round(Math.log10(high));
    const step = Math.max(1, Math.ceil((last - first) / 4)), out = [];
    for (let k = first; k <= last; k += step) out.push([10 ** k, `10${superscript(k)}`]);
    return out;
  }

  drawGrid(context) {
    Object.assign(context, {font: '10px system-ui, sans-serif', fillStyle: cssColour('soft'), textBaseline: 'middle'});
    Object.assign(context, {strokeStyle: cssColour('line'), lineWidth: 1, textAlign: 'right'});
    for (const [value, words] of this.levels()) {
      const y = this.y(value);
      this.line(context, kBox.left, y, this.width - kBox.right, y);
      context.fillText(words, kBox.left - 5, y);
    }
    const {first, last} = this;
    if (last <= first) return;
    context.textAlign = 'center';
    for (const t of roundTicks(first, last)) {
      this.line(context, this.x(t), kBox.top, this.x(t), this.height - kBox.bottom);
      context.fillText(`${t}`, Math.min(this.x(t), this.width - 10), this.height - kBox.bottom / 2);
    }
  }

  line(context, x1, y1, x2, y2) {
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
  }

  drawCurve(context, {colour, dash}, values) {
    Object.assign(context, {strokeStyle: cssColour(colour), lineWidth: 1.6, lineJoin: 'round'});
    context.setLineDash(dash ?? []);
    context.beginPath();
    let pen = false;
    values.forEach((value, k) => {
      if (value === null || value === undefined) {
        pen = false;
        return;
      }
      const x = this.x(this.times[k]), y = this.y(value);
      pen ? context.lineTo(x, y) : context.moveTo(x, y);
      pen = true;
    });
    context.stroke();
    context.setLineDash([]);
  }

  drawCursor(context) {
    const x = this.x(Math.min(this.time, this.last)), index = this.recording.indexAt(this.time);
    Object.assign(context, {strokeStyle: cssColour('ink'), lineWidth: 1});
    this.line(context, x, kBox.top, x, this.height - kBox.bottom);
    this.series.forEach(({colour}, s) => {
      const value = this.values[s][index];
      if (value === null || value === undefined) return;
      context.fillStyle = cssColour(colour);
      context.beginPath();
      context.arc(x, this.y(value), 2.6, 0, 2 * Math.PI);
      context.fill();
    });
  }
}
