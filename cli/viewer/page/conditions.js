// Under which conditions the numbers were taken.

function conditionsPanel({conditions: c}, about = 'Times are of this machine on this day.') {
  const facts = [
    ['version', `${c.version}, commit ${c.commit}`],
    ['date', c.date],
    ['machine', `${c.cpu}, ${countedText(c.cores, 'core')}`],
    ['system', c.os],
    ['compiler', `${c.compiler}, ${c.build_type}`],
    ['flags', c.flags],
    ['vectors', c.vectors],
    ['kernels', c.isa],
    ['times', c.timing],
    ['operations', c.counting],
  ].filter(([, value]) => value);
  return {
    section: panel(
        'conditions', 'Conditions of the run', about,
        html('dl', {}, facts.flatMap(([name, value]) => [html('dt', {}, name), html('dd', {}, value)])))
  };
}
