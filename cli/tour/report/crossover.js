// When a matrix pays: what k calls cost at one configuration, and where the best operator changes.

const kMostCalls = 1000;

// Whole numbers, about twelve to a decade.
function callNumbers() {
  const out = new Set();
  for (let k = 0; k <= 36; ++k) out.add(Math.round(10 ** (k / 12)));
  return [...out].filter((k) => k <= kMostCalls);
}

function bestAt(set, cost, k) {
  return measured(set).reduce((best, op) => {
    const y = cost(op, k);
    return y !== null && (!best || y < best.y) ? {op, y} : best;
  }, null);
}

// From which k on another operator is best.
function crossovers(set, cost) {
  const out = [];
  let before = bestAt(set, cost, 1);
  for (let k = 2; before && k <= kMostCalls; ++k) {
    const now = bestAt(set, cost, k);
    if (now.op !== before.op) out.push({k, y: now.y, from: before.op.name, to: now.op.name});
    before = now;
  }
  return out;
}

function crossoverPanel() {
  const place = html('div', {class: 'scroll'}), words = html('p', {class: 'note', 'aria-live': 'polite'});
  let shown = null, calls = 'products', quantity = 'operations';
  function draw() {
    if (!shown) return;
    const {title, [quantity]: cost} = kRepeated[calls];
    const text = quantity === 'operations' ? operationsText : timeText;
    const changes = crossovers(shown, cost);
    const series = measured(shown).map(
        (op) => ({name: op.name, points: callNumbers().map((k) => [k, cost(op, k)]).filter((p) => p[1] !== null)}));
    place.replaceChildren(
        new Chart({
          label: `${quantity} of ${title}`,
          xTitle: `${title} at one configuration`,
          yTitle: quantity === 'operations' ? 'operations' : 'time from q',
          xText: powerText,
          yText: plain(text),
          series,
          marks: changes.map(
              ({k, y, from, to}) => ({x: k, y, tip: `from ${k} on ${to}, before that ${from}\n${text(y)}`})),
        }).root);
    const first = bestAt(shown, cost, 1);
    words.textContent = !first ? 'Nothing was counted.' :
                                 `Best for one: ${first.op.name}` +
            (changes.length ? `; ${changes.map(({k, to}) => `from ${k} on ${to}`).join('; ')}.` :
                              `, and up to ${kMostCalls} as well.`);
  }
  const controls = html(
      'div', {class: 'controls'},
      segments('what is repeated', [['products', 'k products'], ['admm', 'k ADMM iterations']], (value) => {
        calls = value;
        draw();
      }), segments('quantity', [['operations', 'operations'], ['time_us', 'time']], (value) => {
        quantity = value;
        draw();
      }));
  const section = halfPanel(
      'crossover', 'When a matrix pays',
      'The cost of k calls at one configuration. Circles: where another operator becomes the best. ADMM: one damped solve each, another damping every ten.',
      controls, place, words);
  return {
    section,
    show(set) {
      shown = set;
      draw();
    }
  };
}
