// Constrained dynamics: how each form finds the motion, and which forces hold the robot still.

function formRow({name, time_us, iterations, force_residual, row_residual, trouble}) {
  return html(
      'tr', trouble ? {'data-tip': trouble, tabindex: 0} : {}, html('td', {class: 'name'}, name),
      html('td', {}, timeText(time_us)), html('td', {}, `${iterations}`), html('td', {}, errorText(force_residual)),
      html('td', {class: trouble ? 'bad' : null}, errorText(row_residual)));
}

function formTable({forms}) {
  const heads = ['form', 'from q', 'steps', 'M ν̇ + h = Jᵀλ', 'J ν̇ = −J̇ν'];
  const troubles = [...new Set(forms.map((form) => form.trouble).filter((words) => words))];
  return [
    html(
        'table', {},
        html(
            'thead', {},
            html('tr', {}, heads.map((title, k) => html('th', {scope: 'col', class: k ? null : 'name'}, title)))),
        html('tbody', {}, forms.map(formRow))),
    troubles.map((words) => html('p', {class: 'note'}, words))
  ].flat();
}

function forceRows({forces, more_forces, unbalanced, weight}) {
  if (unbalanced) return [html('p', {class: 'note'}, `Nothing holds it still: ${unbalanced}.`)];
  if (!forces.length) return [html('p', {class: 'note'}, 'Motors alone hold it still.')];
  const largest = forces[0].newtons, newtons = (x) => withPrefix(x, 'N', [[1e3, 'k'], [1, ''], [1e-3, 'm']]);
  const rows = forces.flatMap(
      ({name, newtons: x}) =>
          [html('div', {class: 'who'}, name),
           bar([x], ['var(--accent)'], largest,
               weight ? `${name}: ${newtons(x)}, ${timesText(100 * x / weight)} % of the weight` :
                        `${name}: ${newtons(x)}`,
               newtons)]);
  const more = more_forces ? [html('p', {class: 'note'}, `and ${more_forces} more`)] : [];
  return [html('div', {class: 'forces'}, rows), ...more];
}

function motionPanel() {
  const forms = html('div', {class: 'scroll'}), forces = html('div');
  const section = panel(
      'motion', 'Constrained dynamics',
      'Every row is held, whatever its rank. Left: three ways to the motion of the limp robot, and what they leave of both equations. ' +
          'Right: the least constraint forces that hold it still, motors at all joints but the base.',
      html('div', {class: 'pair'}, forms, forces));
  function show({motion}) {
    forms.replaceChildren(...formTable(motion));
    forces.replaceChildren(...forceRows(motion));
  }
  return {section, show};
}
