// Reads the recording of the page and puts everything together: one moment, one chosen body, for all drawings.
import {hideTip, html, installTips, onColourScheme, showTip} from 'page';

import {aboutMechanism, BodyPanel} from './body_panel.js';
import {ForceScale} from './force_scale.js';
import {installKeys, keysCard} from './keys.js';
import {Live} from './live.js';
import {MatrixPanel} from './matrix_panel.js';
import {Player} from './player.js';
import {makePlots} from './plots.js';
import {Recording} from './recording.js';
import {Scene} from './scene.js';
import {Timeline} from './timeline.js';
import {Toggles} from './toggles.js';
import {TreePanel} from './tree_panel.js';

const kPlotPause = 250;  // ms

const byId = (id) => document.getElementById(id);

class Viewer {
  constructor(recording) {
    this.recording = recording;
    this.selected = null;
    this.atEnd = recording.live;  // the newest frame is shown, as it comes
    this.player = new Player(recording, (moment) => this.show(moment), () => this.timeline.setPlaying(this.playing));
    this.matrix = new MatrixPanel(recording, (rows) => this.point(this.bodiesOf(rows), rows));
    this.tree = new TreePanel(recording, (bodies, rows) => this.point(bodies, rows), (body) => this.select(body));
    this.body = new BodyPanel(recording, () => this.select(null));
    this.plots = makePlots(recording, (t) => this.transport.seekTime(t));
    this.transport = this.makeTransport();
    this.timeline = new Timeline(recording, this.player, this.transport);
    this.keys = keysCard();
    this.toggles = this.makeToggles();
    this.layOut();
    if (recording.live) {
      this.live = new Live({
        connected: () => recording.clear(),
        arrived: (...news) => this.arrive(...news),
        paced: (speed) => this.timeline.setSpeed(speed),
        status: (...state) => this.tell(...state)
      });
    }
  }

  get playing() { return this.live ? this.live.running : this.player.playing; }

  layOut() {
    const {recording} = this;
    byId('name').textContent = recording.title;
    byId('summary').textContent = recording.subtitle;
    const canvas = html('canvas', {
      class: 'scene',
      tabindex: 0,
      role: 'img',
      'aria-label': `${recording.title} in 3-D. Shift and arrow keys turn the view, plus and minus zoom.`
    });
    this.scale = new ForceScale((factor) => this.scaleForces(factor));
    this.about = html('p', {class: 'about note'});
    byId('stage').append(canvas, this.toggles.element, this.body.element, this.about, this.scale.element, this.keys);
    byId('side').append(this.matrix.element, this.tree.element);
    byId('plots').append(...this.plots.map((plot) => plot.element));
    byId('bar').append(...this.timeline.element);
    this.scene = this.makeScene(canvas);
    installTips();
    addEventListener('resize', () => this.redraw());
    onColourScheme(() => this.recolour());
  }

  makeScene(canvas) {
    try {
      return new Scene(canvas, this.recording, (body) => this.select(body), (body, event) => this.hover(body, event));
    } catch (error) {
      canvas.remove();
      byId('stage').append(html('p', {class: 'none'}, `This browser draws nothing in 3-D: ${error.message}`));
      return null;
    }
  }

  makeToggles() {
    const group = (name) => (on) => {
      if (this.scene) this.scene.contacts[name].visible = on;
      this.redrawScene();
    };
    return new Toggles([
      {name: 'Forces', key: 'f', words: 'Contact forces on the body that moves', on: true, act: group('forces')},
      {name: 'Cones', key: 'c', words: 'Friction cones, as high as the normal force', on: true, act: group('cones')},
      {name: 'Points', key: 'p', words: 'Contact points', on: true, act: group('points')},
      {name: 'Follow', key: 'b', words: 'The camera follows the chosen body', on: false, act: () => this.follow()},
      {name: 'Reset view', key: 'r', words: 'The first view again', act: () => this.scene?.stage.reset()},
      {name: 'Keys', key: '?', words: 'What keys and the mouse do', on: false, act: (on) => this.keys.hidden = !on},
    ]);
  }

  makeTransport() {
    const seek = (index) => {
      this.player.pause();
      this.atEnd = this.recording.live && index >= this.recording.last;
      this.player.seek(Math.min(index, this.recording.last));
    };
    return {
      seek,
      seekTime: (t) => seek(this.recording.indexAt(t)),
      toggle: () => this.live ? this.live.send(this.live.running ? 'pause' : 'resume') : this.player.toggle(),
      step: (count) =>
          this.live && count === 1 && this.atEnd ? this.live.send('step') : seek(this.player.index + count),
      restart: this.recording.live ? () => this.live.send('restart') : null,
      speed: (value) => this.live ? this.live.send('speed', value) : this.player.speed = value,
    };
  }

  // ------------------------------------------------------------------------------------- the moment

  start() {
    if (this.scene?.goesFar) this.toggles.set('Follow', true);
    installKeys(this.transport, this.scene?.stage, this.toggles, () => this.select(null));
    this.player.seek(0);
    this.recolour();
    if (this.recording.status && this.recording.status !== 'ended')
      this.tell(this.recording.status, this.recording.message);
  }

  show(moment) {
    const {recording} = this;
    this.moment = moment;
    this.scene?.show(moment);
    this.timeline.show(moment, recording.structureOf(moment.frame));
    this.plots.forEach((plot) => plot.show(moment));
    this.matrix.show(moment.index);
    this.tree.show(moment.index);
    this.body.show(this.selected, moment.frame);
    this.about.textContent = aboutMechanism(recording);
    if (this.scene) this.scale.show(this.scene.newtons);
    this.markRows();
  }

  scaleForces(factor) {
    this.scene?.setForceScale(this.scene.forceFactor * factor);
    this.player.present(0);
  }

  redrawScene() { this.scene?.stage.invalidate(); }

  redraw() {
    this.plots.forEach((plot) => plot.redraw());
    this.matrix.draw();
    this.redrawScene();
  }

  recolour() {
    this.scene?.recolour();
    this.matrix.recolour();
    this.redraw();
  }

  // ---------------------------------------------------------------------- what is chosen or pointed at

  bodiesOf(rows) {
    const structure = this.recording.structureOf(this.moment?.frame);
    return structure ? rows.flatMap((row) => structure.rows[structure.owner[row]].bodies ?? []) : [];
  }

  rowsOf(body) {
    const structure = this.recording.structureOf(this.moment?.frame);
    const groups = (structure?.rows ?? []).filter(({bodies}) => bodies?.includes(body));
    return groups.flatMap(({first, count}) => Array.from({length: count}, (_, k) => first + k));
  }

  select(body) {
    this.selected = body;
    this.body.show(body, this.moment?.frame);
    this.scene?.glow(body, []);
    this.markRows();
    if (this.toggles.isOn('Follow')) this.follow();
  }

  markRows() {
    const rows = this.selected === null ? [] : this.rowsOf(this.selected);
    this.matrix.mark(rows);
    this.tree.mark(new Set(this.selected === null ? [] : [this.selected]), new Set());
  }

  point(bodies, rows) {
    this.scene?.glow(this.selected, bodies);
    this.tree.mark(new Set(bodies), new Set(rows));
  }

  hover(body, event) {
    if (body === this.hovered) return;
    this.hovered = body;
    this.scene.glow(this.selected, body === null ? [] : [body]);
    if (body === null) return hideTip();
    showTip(this.recording.bodies[body].name, event.clientX, event.clientY);
  }

  follow() {
    const heaviest = () => this.recording.bodies.reduce((best, {mass}, k, all) => mass > all[best].mass ? k : best, 0);
    const wanted = this.toggles.isOn('Follow') && this.recording.bodies.length > 0;
    this.scene?.follow(wanted ? this.selected ?? heaviest() : null);
  }

  // -------------------------------------------------------------------------------------------- live

  // Frames may come faster than they can be drawn: what has come is shown with the next picture.
  arrive(frames, structures, places, anew) {
    const {recording, player} = this, first = recording.frames.length === 0;
    recording.append(frames, structures, places, anew);
    if (first) this.scene?.fit();
    if (first || anew) this.atEnd = true;
    player.index = Math.max(0, player.index - recording.dropped);
    if (this.arrived) return;
    this.arrived = requestAnimationFrame(() => {
      this.arrived = null;
      this.scene?.grow();
      this.timeline.resize();
      player.seek(this.atEnd ? recording.last : player.index);
    });
    this.plotSoon();
  }

  // Curves of thousands of frames, a few times each second.
  plotSoon() {
    this.plotting ??= setTimeout(() => {
      this.plotting = null;
      this.plots.forEach((plot) => plot.update());
    }, kPlotPause);
  }

  tell(state, message) {
    const place = byId('status');
    place.hidden = false;
    place.className = `status ${state}`;
    place.textContent = message ? `${state}: ${message}` : state;
    this.timeline.setPlaying(this.playing);
  }
}

// What tests, and curious people at the console, may ask.
function expose(viewer) {
  const {player, recording, scene} = viewer;
  Object.assign(window.viewer, {
    seek: (index) => viewer.transport.seek(index),
    play: () => player.play(),
    pause: () => player.pause(),
    draw: () => scene?.stage.draw(),
    pickAt: (x, y) => {
      const body = scene?.picking.at(x, y) ?? null;
      return body === null ? null : {body, name: recording.bodies[body].name};
    },
  });
  const values = {
    frame: () => player.index,
    frameCount: () => recording.frames.length,
    time: () => player.time,
    selected: () => viewer.selected,
    rendered: () => scene?.stage.drawn ?? 0,
  };
  for (const [name, get] of Object.entries(values)) Object.defineProperty(window.viewer, name, {get});
  window.viewer.ready = true;
}

function start() {
  window.viewer = {ready: false, errors: []};
  addEventListener('error', (event) => window.viewer.errors.push(event.message));
  addEventListener('unhandledrejection', (event) => window.viewer.errors.push(String(event.reason)));
  try {
    const viewer = new Viewer(new Recording(JSON.parse(byId('recording').textContent)));
    viewer.start();
    expose(viewer);
  } catch (error) {
    window.viewer.errors.push(error.message);
    byId('stage').replaceChildren(html('p', {class: 'none'}, `This recording cannot be shown: ${error.message}`));
  }
}

start();
