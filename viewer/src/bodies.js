// Bodies and what stands still, as objects of the scene: shapes where there are some, bones where there are none.
import * as THREE from 'three';

import {bodyColours} from './body_colours.js';
import {Geometries} from './geometry.js';

const kSurfaces = ['mesh', 'hull', 'heightfield'];  // of triangles: flat faces, seen from both sides

const material = (colour, kind) => new THREE.MeshStandardMaterial({
  color: colour,
  roughness: 0.75,
  metalness: 0.05,
  flatShading: kSurfaces.includes(kind),
  side: kind === 'mesh' || kind === 'heightfield' ? THREE.DoubleSide : THREE.FrontSide
});

function placed(object, {position, quaternion}) {
  object.position.fromArray(position);
  object.quaternion.fromArray(quaternion);
  return object;
}

export class Bodies {
  constructor(recording, worldColour) {
    this.recording = recording;
    this.root = new THREE.Group();
    this.colours =
        bodyColours(recording.bodies).map(({hue,
                                            saturation,
                                            lightness}) => new THREE.Color().setHSL(hue / 360, saturation, lightness));
    this.groups = recording.bodies.map(() => new THREE.Group());
    this.world = new THREE.Group();
    this.root.add(this.world, ...this.groups);
    this.worldColour = new THREE.Color(worldColour);
    this.addShapes(new Geometries(recording.surfaces));
    this.bones = this.makeBones();
    this.setBoneSize(0.01);
    this.scratch = {position: new THREE.Vector3(), quaternion: new THREE.Quaternion()};
  }

  addShapes(geometries) {
    for (const shape of this.recording.shapes) {
      const geometry = geometries.of(shape);
      if (!geometry) continue;
      const own = shape.body < 0 ? this.worldColour : this.colours[shape.body];
      const mesh = placed(new THREE.Mesh(geometry, material(shape.colour ?? own, shape.kind)), shape);
      Object.assign(mesh, {castShadow: true, receiveShadow: true});
      mesh.userData.body = shape.body;
      (shape.body < 0 ? this.world : this.groups[shape.body]).add(mesh);
    }
  }

  // From the frame of the parent to the own, for bodies that nothing else shows. A ball stands for the joint.
  makeBones() {
    const {bodies} = this.recording;
    const bare = (k) => k >= 0 && this.groups[k].children.length === 0;
    const drawn = bodies.map((_, k) => k).filter((k) => bare(k) || bare(bodies[k].parent));
    return drawn.map((k) => {
      const look = material(this.colours[k]);
      const rod = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2), look);
      const ball = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), look);
      for (const mesh of [rod, ball]) {
        mesh.castShadow = true;
        mesh.userData.body = k;
      }
      rod.visible = bodies[k].parent >= 0;
      this.root.add(rod, ball);
      return {body: k, parent: bodies[k].parent, rod, ball};
    });
  }

  // Between two frames: `share` of the way from the one to the other.
  pose(from, to, share) {
    const {position, quaternion} = this.scratch;
    this.groups.forEach((group, k) => {
      group.position.fromArray(from.poses, 7 * k);
      group.quaternion.fromArray(from.poses, 7 * k + 3);
      if (share === 0) return;
      group.position.lerp(position.fromArray(to.poses, 7 * k), share);
      group.quaternion.slerp(quaternion.fromArray(to.poses, 7 * k + 3), share);
    });
    this.bones.forEach((bone) => this.poseBone(bone));
  }

  poseBone({body, parent, rod, ball}) {
    const to = this.groups[body].position;
    ball.position.copy(to);
    if (parent < 0) return;
    const from = this.groups[parent].position, along = new THREE.Vector3().subVectors(to, from),
          length = along.length();
    rod.position.addVectors(from, to).multiplyScalar(0.5);
    if (length > 0) rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), along.divideScalar(length));
    rod.scale.set(this.boneRadius, this.boneRadius, Math.max(length, 1e-9));
  }

  setBoneSize(radius) {
    this.boneRadius = radius;
    this.bones.forEach(({ball}) => ball.scale.setScalar(1.8 * radius));
  }

  meshes() {
    const out = [];
    this.root.traverse((object) => object.isMesh && out.push(object));
    return out;
  }

  // Lets bodies glow: `strength` from 0 to 1 for each that is named.
  glow(colour, strengths) {
    for (const mesh of this.meshes()) {
      const strength = strengths.get(mesh.userData.body) ?? 0;
      mesh.material.emissive.set(colour).multiplyScalar(strength);
    }
  }

  // Boxes around the trees of bodies, as they are posed now.
  trees() {
    const roots = new Map();
    const rootOf = (k) => this.recording.bodies[k].parent < 0 ? k : rootOf(this.recording.bodies[k].parent);
    this.root.updateMatrixWorld(true);
    this.groups.forEach((group, k) => {
      const own = new THREE.Box3().setFromObject(group), root = rootOf(k);
      roots.set(root, (roots.get(root) ?? new THREE.Box3()).union(own.expandByPoint(group.position)));
    });
    return [...roots.values()];
  }

  // Of what moves; of all where nothing moves.
  bounds() {
    const box = this.trees().reduce((all, one) => all.union(one), new THREE.Box3());
    return box.isEmpty() ? box.setFromObject(this.world) : box;
  }
}
