// The same mechanism with more and more constraints.

const kGrowthCosts = {
  matrix_from_q: ({calls}) => calls.factor + calls.matrix,
  product_from_q: ({calls}) => calls.factor + calls.product,
  solve_from_q: ({calls}) => calls.solve ? calls.factor + calls.damping + calls.solve : null,
};

function growthPanel(tour) {
  const place = html('div', {class: 'scroll'});
  const {points, how} = tour.growth;
  let verb = 'product_from_q', quantity = 'time_us';
  const value = (op) => quantity === 'time_us' ? op.time_us[verb] : op.calls && kGrowthCosts[verb](op);
  function draw() {
    const text = quantity === 'operations' ? operationsText : timeText;
    const series = Object.keys(points[0].operators)
                       .map((name) => ({
                              name,
                              points: points.map((p) => [p.rows, value(p.operators[name])]).filter((p) => p[1] !== null)
                            }));
    place.replaceChildren(new Chart({
                            label: `${quantity} against rows`,
                            xTitle: 'rows',
                            yTitle: quantity === 'operations' ? 'operations, without kinematics' : 'time from q',
                            xText: powerText,
                            yText: plain(text),
                            series
                          }).root);
  }
  const titles = Object.fromEntries(kVerbs);
  const controls = html(
      'div', {class: 'controls'},
      segments('what is asked', ['product_from_q', 'solve_from_q', 'matrix_from_q'].map((v) => [v, titles[v]]), (v) => {
        verb = v;
        draw();
      }), segments('quantity', [['time_us', 'time'], ['operations', 'operations']], (q) => {
        quantity = q;
        draw();
      }));
  const section = halfPanel(
      'growth', 'Growth with the number of constraints', `${tour.sets[tour.sets.length - 1].name}: ${how}`, controls,
      place);
  return {section};
}
