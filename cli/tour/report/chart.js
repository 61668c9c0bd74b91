// Curves over logarithmic axes.

const kBox = {
  width: 600,
  height: 380,
  left: 62,
  right: 96,
  top: 14,
  bottom: 44
};

// Powers of ten; twice and five times those too where there are few.
function ticksOf({low, high}) {
  const factors = high / low > 300 ? [1] : [1, 2, 5], out = [];
  for (let p = Math.floor(Math.log10(low)); p <= Math.log10(high); ++p) {
    for (const f of factors) {
      const x = Number((f * 10 ** p).toPrecision(1));
      if (x >= low * 0.999 && x <= high * 1.001) out.push(x);
    }
  }
  return out.length > 1 ? out : [low, high];
}

// Places for labels at the right end, none over another.
function spread(places, gap) {
  const order = places.map((y, k) => [y, k]).sort((a, b) => a[0] - b[0]);
  const out = [];
  let last = -Infinity;
  for (const [y, k] of order) out[k] = last = Math.max(y, last + gap);
  const beyond = last - (kBox.height - kBox.bottom);
  return beyond > 0 ? out.map((y) => y - beyond) : out;
}

class Chart {
  // `series` are {name, points: [[x, y], ...]}; `marks` are {x, y, tip}.
  constructor({label, xTitle, yTitle, xText, yText, series, marks = []}) {
    Object.assign(this, {xText, yText});
    this.series = series.filter((s) => s.points.length);
    const all = this.series.flatMap((s) => s.points);
    this.x = this.scale(all.map((p) => p[0]), kBox.left, kBox.width - kBox.right);
    this.y = this.scale(all.map((p) => p[1]), kBox.height - kBox.bottom, kBox.top);
    const view = {viewBox: `0 0 ${kBox.width} ${kBox.height}`, width: '100%'};
    this.root = svg('svg', {class: 'chart', role: 'group', 'aria-label': label, ...view});
    this.root.append(
        ...this.grid(), ...this.titles(xTitle, yTitle), ...this.curves(), ...marks.map((m) => this.mark(m)));
  }

  scale(values, from, to) {
    let low = Math.min(...values), high = Math.max(...values);
    if (low === high) [low, high] = [low / 2, high * 2];
    const place = (v) => from + (to - from) * Math.log(v / low) / Math.log(high / low);
    return Object.assign(place, {low, high});
  }

  line(x1, y1, x2, y2) { return svg('line', {class: 'grid', x1, y1, x2, y2}); }
  text(x, y, words, more) { return svg('text', {class: 'soft', x, y, 'font-size': 11, ...more}, words); }

  grid() {
    const {left, right, top, bottom, width, height} = kBox;
    const vertical = (v) =>
        [this.line(this.x(v), top, this.x(v), height - bottom),
         this.text(this.x(v), height - bottom + 16, this.xText(v), {'text-anchor': 'middle'})];
    const horizontal = (v) =>
        [this.line(left, this.y(v), width - right, this.y(v)),
         this.text(left - 7, this.y(v) + 4, this.yText(v), {'text-anchor': 'end'})];
    return [...ticksOf(this.x).flatMap(vertical), ...ticksOf(this.y).flatMap(horizontal)];
  }

  titles(xTitle, yTitle) {
    const {left, right, top, bottom, width, height} = kBox;
    const middle = {'text-anchor': 'middle', 'font-size': 12};
    return [
      this.text((left + width - right) / 2, height - 6, xTitle, middle),
      this.text(-(top + height - bottom) / 2, 13, yTitle, {transform: 'rotate(-90)', ...middle})
    ];
  }

  curves() {
    const ends = spread(this.series.map((s) => this.y(s.points[s.points.length - 1][1])), 12.5);
    return this.series.map((s, k) => this.curve(s, ends[k]));
  }

  // With its name at the right, at height `end`. A wide unseen curve on top is easy to point at.
  curve(s, end) {
    const {colour, width, dash} = lookOf(s.name), tip = this.words(s);
    const d = s.points.map(([x, y], i) => `${i ? 'L' : 'M'}${this.x(x).toFixed(1)},${this.y(y).toFixed(1)}`).join('');
    const [lastX, lastY] = s.points[s.points.length - 1], right = kBox.width - kBox.right + 12;
    const pointer = `M${this.x(lastX) + 2},${this.y(lastY)} L${right},${end}`;
    const group =
        svg('g', {class: 'series', 'data-name': s.name},
            svg('path', {class: 'curve', d, stroke: colour, 'stroke-width': width, 'stroke-dasharray': dash}),
            svg('path', {class: 'curve', d, stroke: 'transparent', 'stroke-width': 12, 'data-tip': tip}),
            svg('path', {class: 'curve', d: pointer, stroke: colour, 'stroke-width': 0.7, opacity: 0.6}),
            svg('text', {x: right + 3, y: end + 3.5, 'font-size': 11, tabindex: 0, 'data-tip': tip}, s.name));
    for (const on of ['pointerenter', 'focusin']) group.addEventListener(on, () => this.focus(group));
    for (const off of ['pointerleave', 'focusout']) group.addEventListener(off, () => this.focus(null));
    return group;
  }

  words(s) {
    const [first, last] = [s.points[0], s.points[s.points.length - 1]];
    return `${s.name}\n${this.yText(first[1])} at ${this.xText(first[0])}, ${this.yText(last[1])} at ${
        this.xText(last[0])}`;
  }

  focus(group) {
    this.root.classList.toggle('focus', group !== null);
    this.root.querySelectorAll('g.series').forEach((g) => g.classList.toggle('on', g === group));
  }

  mark({x, y, tip}) {
    return svg('circle', {
      cx: this.x(x),
      cy: this.y(y),
      r: 6,
      fill: 'var(--card)',
      stroke: 'var(--ink)',
      'stroke-width': 2,
      class: 'mark',
      'data-tip': tip,
      tabindex: 0,
      role: 'img',
      'aria-label': tip
    });
  }
}
