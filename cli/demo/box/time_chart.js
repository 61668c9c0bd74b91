// Curves over time, with a line at the moment that the animation shows.

const kTimeBox = {
  width: 420,
  height: 250,
  left: 56,
  right: 12,
  top: 24,
  bottom: 34
};

class TimeChart {
  // `series` are {name, values, colour, dash}; `least` is the least height of the y axis.
  constructor({title, unit, t, series, least = 0}) {
    Object.assign(this, {unit, t, series});
    const all = series.flatMap((s) => s.values);
    let low = all.reduce((a, b) => Math.min(a, b), Infinity), high = all.reduce((a, b) => Math.max(a, b), -Infinity);
    const more = Math.max(0, least - (high - low)) / 2 + 0.04 * Math.max(high - low, least);
    [low, high] = [low - more, high + more];
    const {left, right, top, bottom, width, height} = kTimeBox;
    this.x = (v) => left + (width - left - right) * v / t[t.length - 1];
    this.y = (v) => height - bottom - (height - top - bottom) * (v - low) / (high - low);
    this.line = svg('line', {class: 'cursor', y1: top, y2: height - bottom});
    this.root =
        svg('svg', {viewBox: `0 0 ${width} ${height}`, width: '100%', role: 'img', 'aria-label': `${title} over time`},
            this.text(left, 15, title, {'font-size': 12.5, 'font-weight': 600}), this.grid(low, high),
            series.map((s) => this.curve(s)), this.line, this.reader());
    this.cursor(0);
  }

  text(x, y, words, more) { return svg('text', {class: 'soft', x, y, 'font-size': 11, ...more}, words); }

  grid(low, high) {
    const {left, right, top, bottom, width, height} = kTimeBox;
    const level = roundTicks(low, high).flatMap(
        (v) =>
            [svg('line', {class: 'grid', x1: left, x2: width - right, y1: this.y(v), y2: this.y(v)}),
             this.text(left - 6, this.y(v) + 4, String(v), {'text-anchor': 'end'})]);
    const moments =
        roundTicks(0, this.t[this.t.length - 1])
            .flatMap(
                (v) =>
                    [svg('line', {class: 'grid', x1: this.x(v), x2: this.x(v), y1: top, y2: height - bottom}),
                     this.text(this.x(v), height - bottom + 15, String(v), {'text-anchor': 'middle'})]);
    return [
      ...level, ...moments, this.text(width - right, height - 4, 's', {'text-anchor': 'end'}),
      this.text(width - right, 15, this.unit, {'text-anchor': 'end'})
    ];
  }

  curve({values, colour, dash, width = 1.8}) {
    const d = values.map((v, k) => `${k ? 'L' : 'M'}${this.x(this.t[k]).toFixed(1)},${this.y(v).toFixed(1)}`).join('');
    return svg('path', {class: 'curve', d, stroke: colour, 'stroke-width': width, 'stroke-dasharray': dash});
  }

  // Says all values at the time under the pointer.
  reader() {
    const {left, right, top, bottom, width, height} = kTimeBox;
    const area = {x: left, y: top, width: width - left - right, height: height - top - bottom};
    const rect = svg('rect', {...area, fill: 'transparent', 'data-tip': ''});
    rect.addEventListener('pointermove', (event) => {
      const box = rect.getBoundingClientRect();
      const at = Math.round((this.t.length - 1) * (event.clientX - box.left) / box.width);
      const k = Math.max(0, Math.min(this.t.length - 1, at));
      const lines = this.series.map((s) => `${s.name}: ${Number(s.values[k].toPrecision(4))} ${this.unit}`);
      rect.dataset.tip = [`${this.t[k].toFixed(2)} s`, ...lines].join('\n');
    });
    return rect;
  }

  cursor(t) {
    this.line.setAttribute('x1', this.x(t));
    this.line.setAttribute('x2', this.x(t));
  }
}

function keysOf(series) {
  const stroke = ({colour, dash}) =>
      svg('svg', {width: 24, height: 8},
          svg('line', {x1: 0, x2: 24, y1: 4, y2: 4, stroke: colour, 'stroke-width': 2.5, 'stroke-dasharray': dash}));
  return html('div', {class: 'legend'}, series.map((s) => html('span', {class: 'key'}, stroke(s), s.name)));
}
