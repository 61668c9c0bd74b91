// Contact points, the forces that act there as arrows, and the cones that they have to stay in.
import * as THREE from 'three';

import {actingOn, split} from './contact_forces.js';

// In radii of the mechanism: longer arrows and higher cones are cut.
const kLongest = 1.2, kHighest = 0.2;
const kUp = new THREE.Vector3(0, 0, 1);
const kNowhere = new THREE.Matrix4().makeScale(0, 0, 0);

// As many copies of a mesh as are asked for.
class Copies {
  constructor(root, geometry, material, order = 0) {
    Object.assign(this, {root, geometry, material, order, capacity: 0});
  }

  reserve(count) {
    if (count > this.capacity) {
      this.mesh?.removeFromParent();
      this.mesh?.dispose();
      this.capacity = Math.max(16, 2 * count);
      this.mesh = new THREE.InstancedMesh(this.geometry, this.material, this.capacity);
      this.mesh.frustumCulled = false;
      this.mesh.renderOrder = this.order;
      this.root.add(this.mesh);
    }
    if (this.mesh) this.mesh.count = count;
  }

  set(k, matrix, colour) {
    this.mesh.setMatrixAt(k, matrix);
    if (colour) this.mesh.setColorAt(k, colour);
  }

  done() {
    if (!this.mesh) return;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}

const along = (geometry) => geometry.translate(0, 0.5, 0).rotateX(Math.PI / 2);
// From its tip at the origin along z.
const openCone = () => new THREE.ConeGeometry(1, 1, 40, 1, true).translate(0, -0.5, 0).rotateX(-Math.PI / 2);

export class Contacts {
  constructor(recording) {
    this.recording = recording;
    this.radius = 1;  // of the mechanism
    this.root = new THREE.Group();
    this.forces = new THREE.Group();
    this.cones = new THREE.Group();
    this.points = new THREE.Group();
    this.root.add(this.points, this.forces, this.cones);
    this.colours = {stick: new THREE.Color(), slide: new THREE.Color()};
    // Points and arrows are seen through bodies: they begin under feet, which would hide most of them.
    this.pointLook = new THREE.MeshBasicMaterial({depthTest: false, transparent: true});
    this.forceLook = new THREE.MeshLambertMaterial({depthTest: false, transparent: true});
    this.coneLook =
        new THREE.MeshBasicMaterial({transparent: true, opacity: 0.13, depthWrite: false, side: THREE.DoubleSide});
    this.rimLook = new THREE.MeshBasicMaterial({transparent: true, opacity: 0.75, side: THREE.DoubleSide});
    this.dots = new Copies(this.points, new THREE.SphereGeometry(1, 14, 10), this.pointLook, 2);
    this.shafts = new Copies(this.forces, along(new THREE.CylinderGeometry(1, 1, 1, 12)), this.forceLook, 4);
    this.heads = new Copies(this.forces, along(new THREE.ConeGeometry(1, 1, 18)), this.forceLook, 5);
    this.shells = new Copies(this.cones, openCone(), this.coneLook, 3);
    this.rims = new Copies(this.cones, new THREE.RingGeometry(0.965, 1, 48).translate(0, 0, 1), this.rimLook, 3);
    this.newtons = 100;  // of an arrow of one metre
  }

  setColours({point, force, stick, slide}) {
    this.pointLook.color.set(point);
    this.forceLook.color.set(force);
    this.forceLook.emissive.set(force).multiplyScalar(0.35);
    this.colours.stick.set(stick);
    this.colours.slide.set(slide);
  }

  show(contacts) {
    const parts = [this.dots, this.shafts, this.heads, this.shells, this.rims];
    parts.forEach((part) => part.reserve(contacts.length));
    contacts.forEach((contact, k) => this.place(contact, k));
    parts.forEach((part) => part.done());
  }

  place(contact, k) {
    const acting = {...actingOn(this.recording, contact), mu: contact.mu};
    const at = new THREE.Vector3(...contact.position), force = new THREE.Vector3(...acting.force);
    const size = 0.016 * this.radius;
    this.dots.set(k, this.matrix(at, kUp, size, size));
    const full = force.length() / this.newtons, length = Math.min(full, kLongest * this.radius);
    const direction = force.lengthSq() > 0 ? force.normalize() : kUp;
    this.placeArrow(k, at, direction, length);
    this.placeCone(k, at, acting);
  }

  placeArrow(k, at, direction, length) {
    const thick = 0.011 * this.radius, head = Math.min(0.09 * this.radius, 0.5 * length);
    if (length < 1e-3 * this.radius) {
      this.shafts.set(k, kNowhere);
      this.heads.set(k, kNowhere);
      return;
    }
    this.shafts.set(k, this.matrix(at, direction, Math.min(thick, 0.3 * head), length - head));
    const neck = at.clone().addScaledVector(direction, length - head);
    this.heads.set(k, this.matrix(neck, direction, 0.36 * head, head));
  }

  // As high as the normal force is long, so that the arrow ends on the rim where the contact slides; cut, it passes there.
  placeCone(k, at, acting) {
    const {pressing, sliding} = split(acting);
    const height = Math.min(pressing / this.newtons, kHighest * this.radius);
    const shown = acting.mu > 0 && height > 1e-3 * this.radius;
    const normal = new THREE.Vector3(...acting.normal);
    const matrix = shown ? this.matrix(at, normal, acting.mu * height, height) : kNowhere;
    for (const part of [this.shells, this.rims]) part.set(k, matrix, sliding ? this.colours.slide : this.colours.stick);
  }

  matrix(at, direction, across, length) {
    const turn = new THREE.Quaternion().setFromUnitVectors(kUp, direction);
    return new THREE.Matrix4().compose(at, turn, new THREE.Vector3(across, across, length));
  }
}
