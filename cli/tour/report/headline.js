// What the report says, in three sentences and some figures, from the contact set that it opens on.

// The set of which the condensed operator carries the most links; of equals the last, which is the richest.
function openingSet(tour) {
  const carried = tour.sets.map((set) => set.tree.links.filter((link) => link.role === 'carried').length);
  return carried.lastIndexOf(Math.max(...carried));
}

function worstDifference(set) { return Math.max(...measured(set).map((op) => op.difference)); }

// "the matrix by pv-osim in 9 µs, one product by ..."
function fastest(set) {
  const asked =
      [['matrix_from_q', 'the matrix'], ['product_from_q', 'one product'], ['solve_from_q', 'a damped solve']];
  const parts = asked.map(([verb, words]) => [words, verb, bestFor(set, 'time_us', verb)]).filter(([, , op]) => op);
  return parts.map(
      ([words, verb, op], k) => [k ? ', ' : '', `${words} by `, strong(`${op.name} in ${timeText(op.time_us[verb])}`)]);
}

function sentences(tour) {
  const set = tour.sets[openingSet(tour)];
  const all = tour.sets.every((s) => s.agrees);
  return [
    [
      `${tour.model.name}, ${set.name}, has ${countedText(set.rows.length, 'row')} of rank ${set.spectrum.rank} on `,
      `${countedText(tour.model.dofs, 'degree')} of freedom. `,
      strong(all ? `All ${measured(set).length} operators agree` : 'NOT all operators agree'),
      ` with an oracle in long double: to ${errorText(worstDifference(set))} of the largest entry, with ${
          errorText(set.bounds.difference)} allowed.`
    ],
    ['Fastest here, from q with kinematics: ', fastest(set), '.'],
    comparison(set),
  ].filter((words) => words.length);
}

// A solve with another damping is what contact solvers ask for most: with and without a matrix.
function comparison(set) {
  const explicit = bestFor(set, 'time_us', 'redamp_solve', (op) => op.family === 'explicit');
  const other = bestFor(set, 'time_us', 'redamp_solve', (op) => op.family !== 'explicit');
  if (!explicit || !other) return [];
  const ratio = explicit.time_us.redamp_solve / other.time_us.redamp_solve;
  const [first, second] = ratio > 1 ? [other, explicit] : [explicit, other];
  return [
    'At the same q a solve with another damping takes ',
    strong(`${first.name} ${timeText(first.time_us.redamp_solve)}`),
    `, ${timesText(Math.max(ratio, 1 / ratio))} times less than the best operator ${
        ratio > 1 ? 'with' : 'without'} a matrix `,
    `(${timeText(second.time_us.redamp_solve)}).`
  ];
}

function drawHeadline(tour) {
  document.getElementById('name').textContent = tour.model.name;
  document.getElementById('summary').textContent =
      `${countedText(tour.model.links, 'moving link')}, ${countedText(tour.model.dofs, 'degree')} of freedom, ` +
      `${Number(tour.model.mass.toPrecision(4))} kg · ${
          tour.sets.map((s) => `${s.name}: ${countedText(s.rows.length, 'row')}`).join(' · ')}`;
  document.getElementById('headline').append(...sentences(tour).map((words) => html('p', {}, words)));
  const set = tour.sets[openingSet(tour)];
  const figures = kVerbs.map(([verb, title]) => {
    const op = bestFor(set, 'time_us', verb);
    return op && tile(timeText(op.time_us[verb]), `${title}: ${op.name}`);
  });
  document.getElementById('tiles').append(...figures.filter(Boolean));
}
