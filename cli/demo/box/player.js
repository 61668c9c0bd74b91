// The run as an animation: play, pause, speed, any moment of it; and the same as a row of stills.

const kSpeeds = [[1, '1×'], [0.5, '½×'], [0.25, '¼×']];
const kStills = 6;

// Large enough for the whole motion, so that the view stays.
function motionView(canvas, demo) {
  const frames = demo.drawing.runs[0];
  const shapes =
      [0, 0.5, 1].flatMap((share) => posedShapes(demo.drawing, frames[Math.round(share * (frames.length - 1))]));
  const view = new RobotView(canvas, {shapes, bones: [], contacts: [], ties: [], ground: true});
  view.elevation = 0.2;
  return view;
}

// Where the box should be, in dashes, and with which force each hand presses and lifts.
function overlay(demo, run, frame, t) {
  const {curves} = run, at = Math.min(curves.t.length - 1, Math.round(t / curves.t[1]));
  const wanted = boxEdges(demo.setup.box_size_m, curves.desired_m.map((axis) => axis[at]));
  const lines = wanted.map((edge) => ({...edge, colour: cssColour('warm'), dash: [4, 4]}));
  const {p, R} = poseOf(frame, boxBody(demo.drawing)), half = demo.setup.box_size_m[1] / 2;
  [1, -1].forEach((side, hand) => {
    const palm = plus(p, turnedBy(R, [0, side * half, 0.05]));
    const force = plus(turnedBy(R, [0, -side * curves.normal_n[hand][at], 0]), [0, 0, curves.lifting_n[hand][at]]);
    lines.push({from: plus(palm, force.map((x) => -x / 200)), to: palm, colour: cssColour('good'), dash: []});
  });
  return lines;
}

class Player {
  constructor(demo, onTime) {
    Object.assign(this, {demo, onTime, run: 0, t: 0, speed: 1, playing: false});
    this.canvas = html('canvas', {
      class: 'robot',
      tabindex: 0,
      role: 'img',
      'aria-label': `${demo.setup.robot} puts the box on the floor. Arrow keys turn the view.`
    });
    this.view = motionView(this.canvas, demo);
    this.view.tallest = 620;
    this.button = html('button', {type: 'button', class: 'play', onclick: () => this.toggle()}, 'Play');
    this.slider = html('input', {
      type: 'range',
      min: 0,
      step: 1,
      value: 0,
      'aria-label': 'time',
      oninput: () => {
        this.stop();
        this.show(this.slider.value / this.rate());
      }
    });
    this.clock = html('output', {}, '0.00 s');
    this.controls = html(
        'div', {class: 'player'}, this.button, this.slider, this.clock,
        segments('speed', kSpeeds, (speed) => this.speed = speed));
  }

  rate() { return this.demo.drawing.frames_per_second; }
  frames() { return this.demo.drawing.runs[this.run]; }
  end() { return (this.frames().length - 1) / this.rate(); }

  choose(run) {
    this.run = run;
    this.slider.max = this.frames().length - 1;
    this.show(Math.min(this.t, this.end()));
  }

  show(time) {
    const t = this.t = Math.min(time, this.end());  // a run that failed ends early
    const at = Math.round(t * this.rate());
    const frame = this.frames()[at];
    this.slider.value = at;
    this.clock.textContent = `${t.toFixed(2)} s`;
    if (this.canvas.isConnected)
      this.view.move(posedShapes(this.demo.drawing, frame), overlay(this.demo, this.demo.runs[this.run], frame, t));
    this.onTime(t);
  }

  toggle() { this.playing ? this.stop() : this.start(); }

  stop() {
    this.playing = false;
    this.button.textContent = 'Play';
  }

  start() {
    if (this.t >= this.end() - 1e-9) this.t = 0;
    this.playing = true;
    this.button.textContent = 'Pause';
    let last = null;
    const tick = (now) => {
      if (!this.playing) return;
      const t = Math.min(this.end(), this.t + (last === null ? 0 : this.speed * (now - last) / 1000));
      last = now;
      this.show(t);
      if (t >= this.end()) return this.stop();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
}

function playerPanel(demo, onTime) {
  const player = new Player(demo, onTime);
  const section = panel(
      'motion', 'The motion',
      'Dashes: where the box should be. Green: the forces of the palms on the box, 1 m for 200 N. Drag to turn.',
      player.canvas, player.controls);
  return {section, player, show: (run) => player.choose(run), draw: () => player.show(player.t)};
}

// Stills at equal times of the motion, as in Figure 5 of the paper. A click takes the animation there.
function stillsPanel(demo, seek) {
  const stills = Array.from({length: kStills}, (_, k) => {
    const canvas = html('canvas', {role: 'img', onclick: () => seek(k * demo.setup.moving_s / (kStills - 1))});
    const view = motionView(canvas, demo);
    view.azimuth = -0.45;
    return {canvas, view, t: k * demo.setup.moving_s / (kStills - 1)};
  });
  let run = 0;
  function draw() {
    const frames = demo.drawing.runs[run];
    for (const {canvas, view, t} of stills) {
      const at = Math.min(frames.length - 1, Math.round(t * demo.drawing.frames_per_second));
      canvas.setAttribute('aria-label', `The motion at ${t.toFixed(1)} s`);
      view.move(posedShapes(demo.drawing, frames[at]), []);
    }
  }
  const section = panel(
      'stills', 'Motion sequence', 'Putting the box on the floor: Figure 5 of the paper with our robot.',
      html(
          'div', {class: 'stills'},
          stills.map(
              ({canvas, t}) => html('figure', {}, canvas, html('figcaption', {class: 'note'}, `${t.toFixed(1)} s`)))));
  return {
    section,
    draw,
    show(index) {
      run = index;
      if (section.isConnected) draw();
    }
  };
}
