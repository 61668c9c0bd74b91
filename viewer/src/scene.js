// All that is seen in 3-D, and where the camera is.
import {cssColour} from 'page';
import * as THREE from 'three';

import {Bodies} from './bodies.js';
import {newtonsPerMetre} from './contact_forces.js';
import {Contacts} from './contacts.js';
import {Floor} from './floor.js';
import {Picking} from './picking.js';
import {Stage} from './stage.js';

const kGlow = {
  chosen: 0.55,
  pointed: 0.3
};
const kFar = 2.5;  // a motion that needs so many times the room of the mechanism is followed, not framed as a whole

export class Scene {
  constructor(canvas, recording, choose, point) {
    this.recording = recording;
    this.stage = new Stage(canvas, recording.up);
    this.bodies = new Bodies(recording, 0x9aa4b0);
    this.picking = new Picking(this.stage, this.bodies, choose, point);
    this.stage.scene.add(this.bodies.root);
    this.contacts = new Contacts(recording);
    this.stage.scene.add(this.contacts.root);
    this.floors = [];
    this.followed = null;
    this.forceFactor = 1;
    this.fit();
  }

  // To what there is to see: at the start, and when the first frames of a live one come.
  fit() {
    this.frameMotion();
    this.contacts.radius = this.radius;
    this.floors.forEach(({root}) => root.removeFromParent());
    this.floors = this.recording.shapes.filter(({kind, body}) => kind === 'plane' && body < 0)
                      .map((shape) => new Floor(shape, this.stage.home.radius));
    this.floors.forEach(({root}) => this.stage.scene.add(root));
    this.setForceScale(this.forceFactor);
    this.recolour();
  }

  // The size of the largest mechanism from its first frame, for all that is drawn on it; the view from all of the motion, unless
  // that goes far.
  frameMotion() {
    const {frames, last} = this.recording;
    const poseAt = (k) => frames.length && this.bodies.pose(frames[k], frames[k], 0);
    const boxAt = (k) => {
      poseAt(k);
      return this.bodies.bounds();
    };
    const radiusOf = (box) => box.isEmpty() ? 0 : box.getBoundingSphere(new THREE.Sphere()).radius;
    poseAt(0);
    this.radius = Math.max(...this.bodies.trees().map(radiusOf), 0) || 1;
    const first = boxAt(0);
    if (first.isEmpty()) first.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    const all = [0.25, 0.5, 0.75, 1]
                    .map((share) => boxAt(Math.round(share * Math.max(0, last))))
                    .reduce((sum, box) => sum.union(box), first.clone());
    this.goesFar = radiusOf(all) > kFar * radiusOf(first);
    const {center, radius} = (this.goesFar ? first : all).getBoundingSphere(new THREE.Sphere());
    this.stage.frame(center, 1.02 * Math.max(radius, this.radius));
    this.bodies.setBoneSize(0.015 * this.stage.home.radius);
  }

  get newtons() { return this.contacts.newtons; }

  // Arrows `factor` times as long as by default.
  setForceScale(factor) {
    this.forceFactor = factor;
    this.scaledFor = this.recording.frames.length;
    this.contacts.newtons = newtonsPerMetre(this.recording, this.radius) / factor;
  }

  // When frames have come: arrows again, now and then only, since scales that change all the time cannot be read.
  grow() {
    if (this.recording.frames.length >= 2 * this.scaledFor) this.setForceScale(this.forceFactor);
  }

  recolour() {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    this.contacts.setColours({
      point: '#d55e00',
      force: dark ? '#ff9a52' : '#d55e00',
      stick: dark ? '#58b0ea' : '#0063a0',
      slide: '#cc2f7b',
    });
    this.floors.forEach((floor) => floor.setColours({line: cssColour('line'), ground: cssColour('paper'), dark}));
    this.stage.invalidate();
  }

  show({frame, next, share}) {
    if (!frame) return;
    const before = this.placeOfFollowed();
    this.bodies.pose(frame, next, share);
    this.contacts.show(frame.contacts);
    if (before) this.stage.shift(this.placeOfFollowed().sub(before));
    this.floors.forEach((floor) => floor.follow(this.bodies.groups[0]?.position ?? new THREE.Vector3()));
    this.stage.invalidate();
  }

  placeOfFollowed() { return this.followed === null ? null : this.bodies.groups[this.followed].position.clone(); }

  follow(body) {
    this.followed = body;
    if (body === null) return;
    this.stage.shift(this.placeOfFollowed().sub(this.stage.controls.target));
    this.stage.invalidate();
  }

  glow(chosen, pointed) {
    const strengths = new Map([...pointed].map((body) => [body, kGlow.pointed]));
    if (chosen !== null) strengths.set(chosen, kGlow.chosen);
    this.bodies.glow(cssColour('accent'), strengths);
    this.stage.invalidate();
  }
}
