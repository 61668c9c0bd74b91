// All numbers, and what the planner takes.

const kFamilies = [
  ['without a matrix', 'Without the matrix Λ⁻¹, or in joint space'],
  ['published', 'Sweeps as published, products only'],
  ['explicit', 'Algorithms that compute the matrix'],
];

function numberCells(set, op, quantity, text) {
  return kVerbs.map(([verb], k) => {
    const x = op[quantity][verb];
    const ties = set.operators.filter((other) => other[quantity][verb] === x).length;
    const best = x !== null && ties === 1 && bestFor(set, quantity, verb) === op;
    return html('td', {class: `${best ? 'best' : ''} ${k ? '' : 'first'}`}, x === null ? '–' : text(x));
  });
}

function operatorRow(set, op) {
  const over = (x, bound) => x !== null && x > bound ? 'bad' : null;
  const name = html('td', {class: 'name'}, op.name);
  if (op.left_out) return html('tr', {}, name, html('td', {class: 'why', colspan: 13}, `left out: ${op.left_out}`));
  return html(
      'tr', {}, name, html('td', {class: over(op.difference, set.bounds.difference)}, errorText(op.difference)),
      html('td', {class: over(op.residual, set.bounds.residual)}, errorText(op.residual)),
      numberCells(set, op, 'time_us', threeDigits), numberCells(set, op, 'operations', operationsText),
      html('td', {class: 'first'}, bytesText(op.bytes)));
}

function operatorTable(set) {
  const heads = () => ['matrix|from q', 'product|from q', 'product|again', 'solve|from q', 're-damp|+ solve'].map(
      (title) => html('th', {scope: 'col'}, title.split('|')[0], html('br'), title.split('|')[1]));
  return html(
      'table', {},
      html(
          'thead', {},
          html(
              'tr', {class: 'groups'}, html('th', {class: 'name'}), html('th', {colspan: 2}, 'agreement'),
              html('th', {colspan: kVerbs.length}, 'time, µs'), html('th', {colspan: kVerbs.length}, 'operations'),
              html('th')),
          html(
              'tr', {}, html('th', {class: 'name', scope: 'col'}, 'operator'), html('th', {scope: 'col'}, 'difference'),
              html('th', {scope: 'col'}, 'residual'), heads(), heads(), html('th', {scope: 'col'}, 'memory'))),
      html(
          'tbody', {},
          kFamilies
              .map(
                  ([family, title]) =>
                      [html('tr', {class: 'family'}, html('td', {colspan: 14}, title)),
                       set.operators.filter((op) => op.family === family).map((op) => operatorRow(set, op))])
              .flat()));
}

function choiceCards(set) {
  return html(
      'div', {class: 'choices'}, html('h3', {}, 'What the planner takes, by predicted times'),
      set.plans.map(
          (plan) => html(
              'div', {class: 'choice'}, html('b', {}, plan.choice), ` for ${plan.title}`,
              html('p', {}, plan.reason.replace(`${plan.choice}: `, '')))));
}

function tablePanel(tour) {
  const place = html('div', {class: 'scroll'}), choices = html('div'),
        note = html('p', {class: 'note', style: 'margin-top:8px'});
  const section = panel(
      'table', 'All numbers',
      'From q: with kinematics and the lowering of constraints. Green: best of its column, if one is. Operations are without the refinement of solves.',
      place, note, choices);
  return {
    section,
    show(set) {
      place.replaceChildren(operatorTable(set));
      choices.replaceChildren(choiceCards(set));
      note.textContent = `Difference: of Λ⁻¹ from an oracle in long double, relative to its largest entry; allowed ${
                             errorText(set.bounds.difference)}. ` +
          `Residual: of a solve with damping ${tour.conditions.damping}, relative to the sizes of both sides; allowed ${
                             errorText(set.bounds.residual)}. ` +
          (set.agrees ? 'All are within.' : 'NOT all are within.');
    },
  };
}
