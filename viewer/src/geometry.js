// Geometries of shapes, each made once for all shapes of the same kind and size. Axes are as in model/shape.hpp: along z.
import * as THREE from 'three';

import {floats, integers} from './base64.js';

const kAround = 32;

const alongZ = (geometry) => geometry.rotateX(Math.PI / 2);

const kMakers = {
  sphere: ([r]) => new THREE.SphereGeometry(r, kAround, kAround / 2),
  box: ([x, y, z]) => new THREE.BoxGeometry(2 * x, 2 * y, 2 * z),
  cylinder: ([r, half]) => alongZ(new THREE.CylinderGeometry(r, r, 2 * half, kAround)),
  capsule: ([r, half]) => alongZ(new THREE.CapsuleGeometry(r, 2 * half, kAround / 4, kAround)),
  ellipsoid: ([x, y, z]) => new THREE.SphereGeometry(1, kAround, kAround / 2).scale(x, y, z),
};

function surfaceGeometry({vertices, triangles}) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(floats(vertices), 3));
  geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(integers(triangles)), 1));
  geometry.computeVertexNormals();
  return geometry;
}

export class Geometries {
  constructor(surfaces) {
    this.surfaces = surfaces;
    this.made = new Map();
  }

  // None for planes, which have no end, and for kinds of other versions.
  of({kind, size, surface}) {
    const known = surface !== undefined || kind in kMakers;
    if (!known) return null;
    const key = surface === undefined ? `${kind} ${size}` : `surface ${surface}`;
    if (!this.made.has(key))
      this.made.set(key, surface === undefined ? kMakers[kind](size) : surfaceGeometry(this.surfaces[surface]));
    return this.made.get(key);
  }
}
