// The kinematic tree beside the condensed one: which links stay as nodes, and which chains are carried to them.

const kRoles = {
  node: ['#0072b2', 'node: stays, and is passed by every product and solve'],
  carried: ['#e69f00', 'carried: crossed once per configuration'],
  quiet: ['none', 'quiet: feels no constraint'],
};

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

const shortName = (name) => name.replace(/_joint$/, '').replace(/^__root__$/, 'base');
const cut = (text, letters) => text.length > letters ? `${text.slice(0, Math.max(1, letters - 1))}…` : text;

// `items` have a label, a tip, a colour, and may be square. `ties` are pairs of items, drawn dashed.
function treeSvg(items, label, ties = []) {
  const {depth, column, leaves, levels} = layOut(items);
  const across = Math.max(16, Math.min(128, 600 / leaves)), down = Math.max(7, Math.min(38, 480 / levels));
  const width = Math.max(320, across * leaves + 24), height = down * (levels + 1) + 26;
  const x = (k) => 16 + across * column[k], y = (k) => 34 + down * (depth[k] + 0.5);
  const letters = Math.floor((across - 14) / 5.6);
  const edges = items.map((item, k) => {
    const [fromX, fromY] = item.parent < 0 ? [x(k), 22] : [x(item.parent), y(item.parent)];
    return svg('path', {class: 'edge', d: `M${fromX},${fromY} C${fromX},${(fromY + y(k)) / 2} ${x(k)},${(fromY + y(k)) / 2} ${x(k)},${y(k)}`});
  });
  const dashed = ties.map(([a, b]) => svg('path', {class: 'edge', 'stroke-dasharray': '3 3', d: `M${x(a)},${y(a)} L${x(b)},${y(b)}`}));
  const radius = Math.min(6, down * 0.36);
  const marks = items.map((item, k) => svg('g', {'data-tip': item.tip, tabindex: 0, role: 'img', 'aria-label': item.tip},
    item.square
      ? svg('rect', {x: x(k) - radius, y: y(k) - radius, width: 2 * radius, height: 2 * radius, rx: 1.5, fill: item.colour})
      : svg('circle', {cx: x(k), cy: y(k), r: radius, fill: item.colour === 'none' ? 'var(--card)' : item.colour, stroke: item.colour === 'none' ? 'var(--soft)' : item.colour, 'stroke-width': 1.4}),
    item.ring ? svg('circle', {cx: x(k), cy: y(k), r: radius + 3, fill: 'none', stroke: '#d55e00', 'stroke-width': 1.8}) : null,
    letters >= 5 && down >= 12 ? svg('text', {x: x(k) + radius + 5, y: y(k) + 3.5, 'font-size': 10.5, class: 'soft'}, cut(item.label, letters)) : null));
  return svg('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': label},
             svg('line', {x1: 4, x2: width - 4, y1: 22, y2: 22, stroke: 'var(--line)', 'stroke-width': 3}),
             svg('text', {x: 6, y: 14, 'font-size': 10.5, class: 'soft'}, 'world'), edges, dashed, marks);
}

function rowWords(link) {
  const parts = [];
  if (link.rows) parts.push(`${countedText(link.rows, 'row')} on it`);
  if (link.joint_rows) parts.push(`${countedText(link.joint_rows, 'row')} on its joint`);
  return parts.length ? `\n${parts.join(', ')}` : '';
}

function kinematicItems(tree) {
  return tree.links.map((link) => ({
    parent: link.parent, label: shortName(link.joint), colour: kRoles[link.role][0], ring: link.rows + link.joint_rows > 0,
    tip: `${link.joint}: ${link.kind}, ${countedText(link.dofs, 'degree')} of freedom\n${kRoles[link.role][1]}${rowWords(link)}`,
  }));
}

// The nodes, in their tree, and the groups of rows that hang on them.
function condensedItems(tree) {
  const place = new Map(), items = [], ties = [];
  tree.links.forEach((link, k) => {
    if (link.role !== 'node') return;
    place.set(k, items.length);
    items.push({parent: place.has(link.parent) ? place.get(link.parent) : -1, label: shortName(link.joint), colour: kRoles.node[0],
                ring: link.rows + link.joint_rows > 0, tip: `${link.joint}: node${rowWords(link)}`});
  });
  tree.groups.forEach((group, g) => {
    const chain = tree.links.filter((link) => link.group === g);
    const nodes = group.nodes.filter((k) => place.has(k)).map((k) => place.get(k));
    nodes.slice(1).forEach((node) => ties.push([items.length, node]));
    items.push({parent: nodes.length ? nodes[0] : -1, label: countedText(group.rows, 'row'), colour: kRoles.carried[0], square: true,
                tip: `${countedText(group.rows, 'row')} carried over ${countedText(chain.length, 'link')}:\n${chain.map((l) => shortName(l.joint)).join(', ')}`});
  });
  return {items, ties};
}

function treeLegend() {
  const key = (mark, words) => html('span', {class: 'key'}, svg('svg', {width: 16, height: 14, 'aria-hidden': 'true'}, mark), words);
  const disc = (colour) => svg('circle', {cx: 8, cy: 7, r: 5, fill: colour, stroke: colour === 'none' ? 'var(--soft)' : colour});
  return html('div', {class: 'legend'}, key(disc(kRoles.node[0]), 'node'), key(disc(kRoles.carried[0]), 'carried link'), key(disc('none'), 'quiet link'),
              key(svg('rect', {x: 3, y: 2, width: 10, height: 10, rx: 1.5, fill: kRoles.carried[0]}), 'rows carried together'),
              key(svg('circle', {cx: 8, cy: 7, r: 5.5, fill: 'none', stroke: '#d55e00', 'stroke-width': 1.8}), 'has rows on it'));
}

function treePanel() {
  const left = html('div', {class: 'scroll tree'}), right = html('div', {class: 'scroll tree'}), words = html('p', {class: 'words'});
  const section = panel('tree', 'The kinematic tree, and the condensed one',
                        'What the condensed operator keeps: chains that end in a few rows are crossed once per configuration and become those rows at the node above.',
                        html('div', {class: 'pair'}, html('div', {}, html('h3', {}, 'Kinematic tree'), left),
                             html('div', {}, html('h3', {}, 'Condensed tree'), right)), treeLegend(), words);
  return {
    section,
    show({tree}) {
      const condensed = condensedItems(tree);
      left.replaceChildren(treeSvg(kinematicItems(tree), 'kinematic tree'));
      right.replaceChildren(treeSvg(condensed.items, 'condensed tree', condensed.ties));
      words.textContent = tree.words;
    },
  };
}
