// Reads the document and puts the panels together. A switch for the run goes for all of them, and so does the shown moment.

function start() {
  const demo = JSON.parse(document.getElementById('document').textContent);
  drawHead(demo);
  const curves = [trackingPanel(), errorPanel(), gripPanel(), posturePanel(), torquePanel()];
  const motion = playerPanel(demo, (t) => curves.forEach((panel) => panel.at(t)));
  const stills = stillsPanel(demo, (t) => motion.player.show(t));
  const panels = [motion, stills, ...curves, numbersPanel(demo), conditionsPanel(demo)];
  document.getElementById('panels').append(...panels.map((panel) => panel.section));
  const choices = demo.runs.map((run, k) => [k, run.name]);
  document.getElementById('run-switch')
      .append(
          html('span', {class: 'note'}, 'Run'),
          segments('run', choices, (k) => panels.forEach((panel) => panel.show && panel.show(k, demo))));
  const draw = () => panels.forEach((panel) => panel.draw && panel.draw());
  installTips();
  draw();
  addEventListener('resize', draw);
  onColourScheme(draw);
}

addEventListener('DOMContentLoaded', start);
