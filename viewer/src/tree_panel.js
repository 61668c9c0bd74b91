// The condensed tree of the constraints of the shown moment. Pointing at a node shows its body and its rows.
import {countedText, html, TreeDrawing} from 'page';

const kLooks = {
  node: {colour: '#0072b2', square: false},
  carried: {colour: '#e69f00', square: true},
};
const kRoom = {
  width: 350,
  height: 190
};

const lookOf = (kind) => kLooks[kind] ?? kLooks.node;

function tipOf(node, bodies) {
  const carried = node.kind === 'carried', rows = node.rows.length ? `, ${countedText(node.rows.length, 'row')}` : '';
  if (!carried) return `${node.label}: node, ${countedText(node.size, 'degree')} of freedom${rows}`;
  const links = (node.links ?? [node.body]).filter((k) => k >= 0).map((k) => bodies[k].name);
  return `${countedText(node.rows.length, 'row')} carried over ${countedText(links.length, 'link')}${
      links.length ? `:\n${links.join(', ')}` : ''}`;
}

export class TreePanel {
  // `point` is told which bodies and rows are pointed at; `choose`, which body was clicked.
  constructor(recording, point, choose) {
    Object.assign(this, {recording, point, choose, structure: undefined});
    this.words = html('p', {class: 'note'});
    this.place = html('div', {class: 'scroll'});
    this.element = html(
        'section', {class: 'card tree', 'aria-labelledby': 'tree-title'},
        html('h2', {id: 'tree-title'}, 'Condensed tree'), this.words, this.place);
  }

  show(index) {
    const structure = this.recording.structureOf(this.recording.frames[index]);
    if (structure === this.structure || this.recording.motionOnly) return;
    this.structure = structure;
    const nodes = structure?.nodes ?? [];
    this.words.textContent =
        nodes.length ? `${countedText(nodes.length, 'node')}: what a product or a solve passes` : 'No rows, no nodes.';
    this.place.replaceChildren(...(nodes.length ? [this.drawing(nodes)] : []));
  }

  drawing(nodes) {
    const items = nodes.map((node) => ({
                              parent: node.parent,
                              label: node.label.replace(/_(link|joint)$/, ''),
                              tip: tipOf(node, this.recording.bodies),
                              ring: node.rows.length > 0 && node.kind !== 'carried',
                              ...lookOf(node.kind)
                            }));
    const ties = nodes.flatMap(({others = []}, k) => others.filter((other) => other >= 0).map((other) => [k, other]));
    const {root, marks} = new TreeDrawing(items, 'condensed tree', ties, kRoom);
    marks.forEach((mark, k) => this.listen(mark, nodes[k]));
    this.marks = marks;
    return root;
  }

  listen(mark, {body, links = [body], rows}) {
    const here = () => this.point(links, rows), away = () => this.point([], []);
    for (const [event, act] of [['pointerenter', here], ['pointerleave', away], ['focus', here], ['blur', away]])
      mark.addEventListener(event, act);
    if (body < 0) return;
    mark.classList.add('choosable');
    mark.addEventListener('click', () => this.choose(body));
    mark.addEventListener('keydown', (event) => event.key === 'Enter' && this.choose(body));
  }

  // Nodes that stand for bodies, or have rows, which others point at.
  mark(bodies, rows) {
    this.structure?.nodes?.forEach((node, k) => {
      const on = bodies.has(node.body) || node.rows.some((row) => rows.has(row));
      this.marks[k].classList.toggle('on', on);
    });
  }
}
