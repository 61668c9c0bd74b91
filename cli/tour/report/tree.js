// The kinematic tree beside the condensed one: which links stay as nodes, and which chains are carried to them.

const kRoles = {
  node: ['#0072b2', 'node: stays, and is passed by every product and solve'],
  carried: ['#e69f00', 'carried: crossed once per configuration'],
  quiet: ['none', 'quiet: feels no constraint'],
};

const shortName = (name) => name.replace(/_joint$/, '').replace(/^__root__$/, 'base');

function rowWords(link) {
  const parts = [];
  if (link.rows) parts.push(`${countedText(link.rows, 'row')} on it`);
  if (link.joint_rows) parts.push(`${countedText(link.joint_rows, 'row')} on its joint`);
  return parts.length ? `\n${parts.join(', ')}` : '';
}

function kinematicItems(tree) {
  return tree.links.map((link) => ({
                          parent: link.parent,
                          label: shortName(link.joint),
                          colour: kRoles[link.role][0],
                          ring: link.rows + link.joint_rows > 0,
                          tip: `${link.joint}: ${link.kind}, ${countedText(link.dofs, 'degree')} of freedom\n${
                              kRoles[link.role][1]}${rowWords(link)}`,
                        }));
}

// The nodes, in their tree, and the groups of rows that hang on them.
function condensedItems(tree) {
  const place = new Map(), items = [], ties = [];
  tree.links.forEach((link, k) => {
    if (link.role !== 'node') return;
    place.set(k, items.length);
    items.push({
      parent: place.has(link.parent) ? place.get(link.parent) : -1,
      label: shortName(link.joint),
      colour: kRoles.node[0],
      ring: link.rows + link.joint_rows > 0,
      tip: `${link.joint}: node${rowWords(link)}`
    });
  });
  tree.groups.forEach((group, g) => {
    const chain = tree.links.filter((link) => link.group === g);
    const nodes = group.nodes.filter((k) => place.has(k)).map((k) => place.get(k));
    nodes.slice(1).forEach((node) => ties.push([items.length, node]));
    items.push({
      parent: nodes.length ? nodes[0] : -1,
      label: countedText(group.rows, 'row'),
      colour: kRoles.carried[0],
      square: true,
      tip: `${countedText(group.rows, 'row')} carried over ${countedText(chain.length, 'link')}:\n${
          chain.map((l) => shortName(l.joint)).join(', ')}`
    });
  });
  return {items, ties};
}

function treeLegend() {
  const key = (mark, words) =>
      html('span', {class: 'key'}, svg('svg', {width: 16, height: 14, 'aria-hidden': 'true'}, mark), words);
  const disc = (colour) =>
      svg('circle', {cx: 8, cy: 7, r: 5, fill: colour, stroke: colour === 'none' ? 'var(--soft)' : colour});
  return html(
      'div', {class: 'legend'}, key(disc(kRoles.node[0]), 'node'), key(disc(kRoles.carried[0]), 'carried link'),
      key(disc('none'), 'quiet link'),
      key(svg('rect', {x: 3, y: 2, width: 10, height: 10, rx: 1.5, fill: kRoles.carried[0]}), 'rows carried together'),
      key(svg('circle', {cx: 8, cy: 7, r: 5.5, fill: 'none', stroke: kRing, 'stroke-width': 1.8}), 'has rows on it'));
}

function treePanel() {
  const left = html('div', {class: 'scroll tree'}), right = html('div', {class: 'scroll tree'}),
        words = html('p', {class: 'words'});
  const section = panel(
      'tree', 'The kinematic tree, and the condensed one',
      'What the condensed operator keeps: chains that end in a few rows are crossed once per configuration and become those rows at the node above.',
      html(
          'div', {class: 'pair'}, html('div', {}, html('h3', {}, 'Kinematic tree'), left),
          html('div', {}, html('h3', {}, 'Condensed tree'), right)),
      treeLegend(), words);
  return {
    section,
    show({tree}) {
      const condensed = condensedItems(tree);
      left.replaceChildren(new TreeDrawing(kinematicItems(tree), 'kinematic tree').root);
      right.replaceChildren(new TreeDrawing(condensed.items, 'condensed tree', condensed.ties).root);
      words.textContent = tree.words;
    },
  };
}
