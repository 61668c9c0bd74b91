// All numbers of both runs, beside those of the paper.

const millimetres = (x) => x === null ? '–' : `${x < 1e-3 ? errorText(x) : Number(x.toPrecision(3))} mm`;
const degrees = (x) => x === null ? '–' : `${x < 1e-3 ? errorText(x) : Number(x.toPrecision(2))}°`;
const handsText = (run, value) => run.grips.map(value).join(' / ');

const kRows = [
  ['largest error of the box', (r) => `${millimetres(r.largest_error_mm)}, ${degrees(r.largest_angle_deg)}`],
  ['after settling', (r) => `${millimetres(r.settled_error_mm)}, ${degrees(r.settled_angle_deg)}`],
  ['above the floor at the end', (r) => `${r.end_height_mm.toFixed(3)} mm`],
  ['carried by hands; by the floor', (r) => `${r.held_n.toFixed(2)} N; ${r.carried_n.toFixed(2)} N`],
  ['its speed then', (r) => `${errorText(r.end_speed_mm_s)} mm/s`],
  [
    'pressing force, left / right',
    (r) => handsText(r, (g) => `${g.least_normal_n.toFixed(1)} to ${g.largest_normal_n.toFixed(1)} N`)
  ],
  ['largest moment at a palm', (r) => handsText(r, (g) => `${g.largest_moment_nm.toFixed(2)} Nm`)],
  ['friction that the grip needs', (r) => handsText(r, (g) => g.friction === null ? '–' : g.friction.toFixed(2))],
  ['share of the load', (r) => handsText(r, (g) => `${(100 * g.load_share).toFixed(1)} %`)],
  ['largest joint torque', (r) => `${r.largest_torque_nm.toFixed(0)} Nm, ${r.largest_torque_joint}`],
  ['posture moves the palms by', (r) => `${errorText(r.posture_leak)} m/s²`],
];

function numbersPanel(demo) {
  const head =
      html('tr', {}, html('th', {class: 'name'}, ''), demo.runs.map((run) => html('th', {scope: 'col'}, run.name)));
  const rows = kRows.map(
      ([what, value]) =>
          html('tr', {}, html('td', {class: 'name'}, what), demo.runs.map((run) => html('td', {}, value(run)))));
  const failures =
      demo.runs.filter((run) => run.failure).map((run) => html('p', {class: 'bad'}, `${run.name}: ${run.failure}`));
  return {
    section: panel(
        'numbers', 'Both runs', 'The second has a controller with wrong masses, whose torques come late.',
        html('div', {class: 'scroll runs'}, html('table', {}, html('thead', {}, head), html('tbody', {}, rows))),
        failures)
  };
}

function drawHead(demo) {
  const {setup, paper, runs} = demo, [nominal, wrong] = runs;
  document.getElementById('summary').textContent =
      `${setup.robot}: ${setup.links} links, ${setup.mass_kg} kg, two operational points · a box of ${
          setup.box_kg} kg · a torque every ${1e3 * setup.servo_step_s} ms`;
  document.getElementById('headline')
      .append(html(
          'p', {},
          'The controller moves robot and box as one augmented object; the posture is kept in the null space of both hands. ',
          'The simulation solves robot, box and grasp as a closed chain, and knows nothing of the controller. After settling the box is ',
          strong(`${millimetres(nominal.settled_error_mm)} from where it should be`), ', and ',
          strong(wrong.failure ? 'not brought down' : millimetres(wrong.settled_error_mm)), ` with ${wrong.name}.`));
  document.getElementById('tiles').append(
      tile(timeText(demo.inertia_us), `Λ of both hands from q; the paper: under ${plain(timeText)(paper.inertia_us)}`),
      tile(timeText(demo.step_us), 'the whole control step'),
      tile(`${threeDigits(demo.servo_hz / 1e3)} kHz`, `servo rate that it allows; the paper: ${paper.servo_hz} Hz`),
      tile(`${errorText(nominal.posture_leak)} m/s²`, 'posture moves the hands'));
}
