// Trees with the world on top: nodes and edges, in SVG.

const kRing = '#d55e00';
const kWorldLine = 22;  // height of it, pixels

// Items have a parent (index or -1). Roots on top; leaves side by side, parents above the middle of their children.
function layOut(items) {
  const children = items.map(() => []), roots = [];
  items.forEach((item, k) => (item.parent < 0 ? roots : children[item.parent]).push(k));
  const depth = items.map(() => 0), column = items.map(() => 0);
  let leaves = 0;
  // Without recursion: a chain may be longer than the call stack.
  const order = [...roots].reverse(), visited = [];
  while (order.length) {
    const k = order.pop();
    visited.push(k);
    for (const child of children[k]) depth[child] = depth[k] + 1;
    order.push(...[...children[k]].reverse());
    if (!children[k].length) column[k] = leaves++;
  }
  for (const k of visited.reverse()) {
    if (children[k].length) column[k] = children[k].reduce((sum, child) => sum + column[child], 0) / children[k].length;
  }
  return {depth, column, leaves: Math.max(1, leaves), levels: Math.max(0, ...depth) + 1, children};
}

const cut = (text, letters) => text.length > letters ? `${text.slice(0, Math.max(1, letters - 1))}…` : text;

// `items` have a label, a tip, a colour ('none': hollow), and may be square or have a ring. `ties` are pairs of items, drawn
// dashed. `room` is what it tries to fit into, pixels; `marks` are the elements of the items.
class TreeDrawing {
  constructor(items, label, ties = [], room = {width: 600, height: 480}) {
    this.items = items;
    this.place = layOut(items);
    const {leaves, levels} = this.place;
    this.across = Math.max(16, Math.min(128, room.width / leaves));
    this.down = Math.max(7, Math.min(38, room.height / levels));
    this.radius = Math.min(6, this.down * 0.36);
    this.marks = items.map((_, k) => this.mark(k));
    const width = Math.max(320, this.across * leaves + 24), height = this.down * (levels + 1) + 26;
    this.root = svg(
        'svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': label},
        svg('line', {x1: 4, x2: width - 4, y1: kWorldLine, y2: kWorldLine, stroke: 'var(--line)', 'stroke-width': 3}),
        this.text(6, 14, 'world'), items.map((_, k) => this.edge(k)), ties.map((tie) => this.tie(tie)), this.marks);
  }

  x(k) { return 16 + this.across * this.place.column[k]; }
  y(k) { return kWorldLine + 12 + this.down * (this.place.depth[k] + 0.5); }

  text(x, y, words) { return svg('text', {x, y, 'font-size': 10.5, class: 'soft'}, words); }

  edge(k) {
    const {parent} = this.items[k], [x, y] = [this.x(k), this.y(k)];
    const [fromX, fromY] = parent < 0 ? [x, kWorldLine] : [this.x(parent), this.y(parent)];
    const middle = (fromY + y) / 2;
    return svg('path', {class: 'edge', d: `M${fromX},${fromY} C${fromX},${middle} ${x},${middle} ${x},${y}`});
  }

  tie([a, b]) {
    const d = `M${this.x(a)},${this.y(a)} L${this.x(b)},${this.y(b)}`;
    return svg('path', {class: 'edge', 'stroke-dasharray': '3 3', d});
  }

  mark(k) {
    const {tip} = this.items[k];
    return svg(
        'g', {'data-tip': tip, tabindex: 0, role: 'img', 'aria-label': tip}, this.shape(k), this.ring(k), this.name(k));
  }

  shape(k) {
    const {square, colour} = this.items[k], [x, y, r] = [this.x(k), this.y(k), this.radius];
    if (square) return svg('rect', {x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: 1.5, fill: colour});
    const hollow = colour === 'none';
    return svg(
        'circle', {cx: x, cy: y, r, fill: hollow ? 'var(--card)' : colour, stroke: hollow ? 'var(--soft)' : colour});
  }

  ring(k) {
    if (!this.items[k].ring) return null;
    const look = {fill: 'none', stroke: kRing, 'stroke-width': 1.8};
    return svg('circle', {cx: this.x(k), cy: this.y(k), r: this.radius + 3, ...look});
  }

  // Where there is room.
  name(k) {
    const letters = Math.floor((this.across - 14) / 5.6);
    if (letters < 5 || this.down < 12) return null;
    return this.text(this.x(k) + this.radius + 5, this.y(k) + 3.5, cut(this.items[k].label, letters));
  }
}
