// What happened over time. Every panel makes its charts anew for another run, and moves the line at the shown moment.

const kHandColours = ['#0072b2', '#d55e00'];
const kJointColours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];

function chartPanel(make, id, title, about, chartsOf) {
  const place = html('div', {class: id === 'tracking' ? 'triple' : null}), keys = html('div');
  const section = make(id, title, about, place, keys);
  let charts = [];
  return {
    section,
    at: (t) => charts.forEach((chart) => chart.cursor(t)),
    show(run, demo) {
      charts = chartsOf(demo.runs[run].curves, demo);
      place.replaceChildren(...charts.map((chart) => chart.root));
      keys.replaceChildren(keysOf(charts[0].series));
    }
  };
}

// Figure 6 of the paper.
const trackingPanel = () => chartPanel(
    panel, 'tracking', 'The box along its cubic',
    'Desired and actual position of the middle of the box: Figure 6 of the paper.',
    ({t, desired_m, box_m}) => ['x', 'y', 'z'].map(
        (axis, k) => new TimeChart({
          title: axis,
          unit: 'm',
          t,
          least: 0.1,
          series: [
            {name: 'desired', values: desired_m[k], colour: '#d55e00', dash: '6 5', width: 3.2},
            {name: 'box', values: box_m[k], colour: '#0072b2'}
          ]
        })));

const errorPanel = () => chartPanel(
    halfPanel, 'error', 'Tracking error', 'Of the middle of the box, and of its orientation.',
    ({t, error_mm, angle_deg}) => [new TimeChart({
      title: 'position and angle',
      unit: 'mm, deg',
      t,
      series: [
        {name: 'position, mm', values: error_mm, colour: '#0072b2'},
        {name: 'angle, degrees', values: angle_deg, colour: '#d55e00', dash: '6 4'}
      ]
    })]);

const gripPanel = () => chartPanel(
    halfPanel, 'grip', 'Grip', 'Forces of the palms on the box, as the closed chain of the simulation has them.',
    ({t, normal_n, lifting_n}) => {
      const curvesOf = (words, values, dashes) => ['left', 'right'].map(
          (hand, k) => ({name: `${hand}, ${words}`, values: values[k], colour: kHandColours[k], dash: dashes[k]}));
      const series =
          [...curvesOf('pressing', normal_n, [null, '8 5']), ...curvesOf('lifting', lifting_n, ['1 3', '3 3'])];
      return [new TimeChart({title: 'force', unit: 'N', t, series})];
    });

// One chart of the joints that the document chose.
const jointPanel = (id, title, about, unit, pick) => chartPanel(halfPanel, id, title, about, (curves) => {
  const look = (k) => ({colour: kJointColours[k], dash: k % 2 ? '6 4' : null});
  const series = pick(curves).map(({joint, values}, k) => ({name: joint.replaceAll('_', ' '), values, ...look(k)}));
  return [new TimeChart({title: title.toLowerCase(), unit, t: curves.t, series})];
});

const posturePanel = () => jointPanel(
    'posture', 'Joint angles',
    'Those that change most. The posture is to stay as it was at the start; joints give way where the hands need it.',
    'rad', (curves) => curves.angles_rad);

const torquePanel = () =>
    jointPanel('torques', 'Joint torques', 'Those that change most.', 'Nm', (curves) => curves.torques_nm);
