// Operations and time of each operator, as bars beside each other.

const kParts = [['kinematics, the same for all', 'var(--line)'], ['factor', '#56b4e9'], ['the call itself', '#0072b2']];

// Operations of a verb in the parts above.
function partsOf(op, verb, placing) {
  const {calls} = op;
  if (!calls || op.operations[verb] === null) return null;
  const own = {
    matrix_from_q: calls.matrix,
    product_from_q: calls.product,
    product: calls.product,
    solve_from_q: calls.damping + calls.solve,
    redamp_solve: calls.redamping + calls.solve
  }[verb];
  return verb.endsWith('from_q') ? [placing, calls.factor, own] : [0, 0, own];
}

// A bar of `parts` where `largest` is the whole width.
function bar(parts, colours, largest, tip, text) {
  const whole = parts.reduce((sum, x) => sum + x, 0);
  return html(
      'div', {class: 'bar', 'data-tip': tip, tabindex: 0, role: 'img', 'aria-label': tip},
      html(
          'div', {class: 'track'},
          parts.map((x, k) => html('i', {style: `width:${100 * x / largest}%;background:${colours[k]}`}))),
      html('span', {}, text(whole)));
}

const missing = (words) => html('div', {class: 'bar'}, html('span', {class: 'note'}, words));

function operationsBar(op, verb, placing, most) {
  const parts = partsOf(op, verb, placing);
  if (!parts) return missing('not counted');
  const split = kParts.map(([title], k) => `${title}: ${parts[k]}`).filter((_, k) => parts[k] > 0);
  const tip = [`${op.name}: ${op.operations[verb]} operations`, ...split].join('\n');
  return bar(parts, kParts.map((p) => p[1]), most, tip, operationsText);
}

function timeBar(op, verb, most) {
  const time = op.time_us[verb];
  if (time === null) return missing('left out');
  return bar([time], [lookOf(op.name).colour], most, `${op.name}: ${timeText(time)}`, timeText);
}

// Three cells for each operator that has the verb, the fastest first.
function costRows(set, verb) {
  const able = set.operators.filter((op) => op.time_us[verb] !== null || op.operations[verb] !== null);
  const most = (quantity) => able.reduce((m, op) => Math.max(m, op[quantity][verb] || 0), 0);
  const [mostTime, mostOperations] = [most('time_us'), most('operations')];
  const plan = set.plans.find((p) => p.workload === {matrix_from_q: 'matrix', product_from_q: 'product'}[verb]);
  const tag = (op) => plan && plan.choice === op.name ? html('span', {class: 'tag'}, 'planner') : null;
  able.sort((a, b) => (a.time_us[verb] ?? Infinity) - (b.time_us[verb] ?? Infinity));
  return able.flatMap(
      (op) =>
          [html('div', {class: 'who'}, op.name, tag(op)), operationsBar(op, verb, set.placing, mostOperations),
           timeBar(op, verb, mostTime)]);
}

function costPanel() {
  const grid = html('div', {class: 'costs'});
  let shown = null, verb = 'product_from_q';
  function draw() {
    if (!shown) return;
    grid.replaceChildren(html('div'), html('h3', {}, 'operations'), html('h3', {}, 'time'), ...costRows(shown, verb));
  }
  const controls = html('div', {class: 'controls'}, segments('what is asked', kVerbs, (value) => {
                          verb = value;
                          draw();
                        }, verb));
  const legend = html(
      'div', {class: 'legend'},
      kParts.map(
          ([title, colour]) => html(
              'span', {class: 'key'},
              html('i', {style: `width:12px;height:12px;border-radius:3px;background:${colour}`}), title)));
  const section = halfPanel(
      'costs', 'What each algorithm costs',
      'Fewest operations is not always fastest: where rows lie together, several go through the processor at once.',
      controls, grid, legend);
  return {
    section,
    show(set) {
      shown = set;
      draw();
    }
  };
}
