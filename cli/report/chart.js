// Curves over logarithmic axes.

const kBox = {width: 600, height: 380, left: 62, right: 96, top: 14, bottom: 44};

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
    this.root = svg('svg', {class: 'chart', viewBox: `0 0 ${kBox.width} ${kBox.height}`, width: '100%', role: 'group', 'aria-label': label},
                    this.axes(xTitle, yTitle), this.curves(), marks.map((mark) => this.mark(mark)));
  }

  scale(values, from, to) {
    let low = Math.min(...values), high = Math.max(...values);
    if (low === high) [low, high] = [low / 2, high * 2];
    const place = (v) => from + (to - from) * Math.log(v / low) / Math.log(high / low);
    return Object.assign(place, {low, high});
  }

  axes(xTitle, yTitle) {
    const {left, right, top, bottom, width, height} = kBox;
    const verticals = ticksOf(this.x).map((v) => [
      svg('line', {class: 'grid', x1: this.x(v), x2: this.x(v), y1: top, y2: height - bottom}),
      svg('text', {class: 'soft', x: this.x(v), y: height - bottom + 16, 'text-anchor': 'middle', 'font-size': 11}, this.xText(v))]);
    const horizontals = ticksOf(this.y).map((v) => [
      svg('line', {class: 'grid', x1: left, x2: width - right, y1: this.y(v), y2: this.y(v)}),
      svg('text', {class: 'soft', x: left - 7, y: this.y(v) + 4, 'text-anchor': 'end', 'font-size': 11}, this.yText(v))]);
    return [verticals, horizontals,
            svg('text', {x: (left + width - right) / 2, y: height - 6, 'text-anchor': 'middle', 'font-size': 12, class: 'soft'}, xTitle),
            svg('text', {x: -(top + height - bottom) / 2, y: 13, transform: 'rotate(-90)', 'text-anchor': 'middle', 'font-size': 12, class: 'soft'}, yTitle)].flat(2);
  }

  curves() {
    const ends = spread(this.series.map((s) => this.y(s.points[s.points.length - 1][1])), 12.5);
    return this.series.map((s, k) => {
      const look = lookOf(s.name);
      const path = s.points.map(([x, y], i) => `${i ? 'L' : 'M'}${this.x(x).toFixed(1)},${this.y(y).toFixed(1)}`).join('');
      const last = s.points[s.points.length - 1];
      const group = svg('g', {class: 'series', 'data-name': s.name},
                        svg('path', {class: 'curve', d: path, stroke: look.colour, 'stroke-width': look.width, 'stroke-dasharray': look.dash}),
                        svg('path', {class: 'curve', d: path, stroke: 'transparent', 'stroke-width': 12, 'data-tip': this.words(s)}),
                        svg('path', {class: 'curve', d: `M${this.x(last[0]) + 2},${this.y(last[1])} L${kBox.width - kBox.right + 12},${ends[k]}`, stroke: look.colour, 'stroke-width': 0.7, opacity: 0.6}),
                        svg('text', {x: kBox.width - kBox.right + 15, y: ends[k] + 3.5, 'font-size': 11, tabindex: 0, 'data-tip': this.words(s)}, s.name));
      for (const on of ['pointerenter', 'focusin']) group.addEventListener(on, () => this.focus(group));
      for (const off of ['pointerleave', 'focusout']) group.addEventListener(off, () => this.focus(null));
      return group;
    });
  }

  words(s) {
    const [first, last] = [s.points[0], s.points[s.points.length - 1]];
    return `${s.name}\n${this.yText(first[1])} at ${this.xText(first[0])}, ${this.yText(last[1])} at ${this.xText(last[0])}`;
  }

  focus(group) {
    this.root.classList.toggle('focus', group !== null);
    this.root.querySelectorAll('g.series').forEach((g) => g.classList.toggle('on', g === group));
  }

  mark({x, y, tip}) {
    return svg('circle', {cx: this.x(x), cy: this.y(y), r: 6, fill: 'var(--card)', stroke: 'var(--ink)', 'stroke-width': 2, class: 'mark', 'data-tip': tip,
                          tabindex: 0, role: 'img', 'aria-label': tip});
  }
}
