// Reads the document and puts the panels together. A switch for the contact set goes for all of them.

function start() {
  const tour = JSON.parse(document.getElementById('document').textContent);
  drawHeadline(tour);
  const panels = [
    robotPanel(tour), treePanel(), heatPanel(), costPanel(), healthPanel(), motionPanel(), crossoverPanel(),
    growthPanel(tour), tablePanel(tour),
    conditionsPanel(tour, 'Times are of this machine on this day; operations are the same everywhere.')
  ];
  document.getElementById('panels').append(...panels.map((p) => p.section));
  const draw = () => panels.forEach((p) => p.draw && p.draw());
  const choices = tour.sets.map((set, k) => [k, `${set.name}, ${countedText(set.rows.length, 'row')}`]);
  document.getElementById('set-switch')
      .append(
          html('span', {class: 'note'}, 'Contact set'),
          segments(
              'contact set', choices, (k) => panels.forEach((p) => p.show && p.show(tour.sets[k])), openingSet(tour)));
  installTips();
  draw();
  addEventListener('resize', draw);
  onColourScheme(draw);
}

addEventListener('DOMContentLoaded', start);
