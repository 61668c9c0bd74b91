// A plane: lines that fade with the distance, and shadows on it.
import * as THREE from 'three';

const kVertex = `
varying vec2 at;
void main() {
  at = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// Lines one pixel wide at any distance, a stronger one at each tenth, thinner where they would run together.
const kFragment = `
uniform vec3 line;
uniform vec3 ground;
uniform float cell;
uniform float reach;
varying vec2 at;
float lines(float spacing) {
  vec2 x = at / spacing;
  vec2 width = fwidth(x);
  vec2 near = abs(fract(x - 0.5) - 0.5) / max(width, vec2(1e-6));
  float crowded = clamp(2.0 - 5.0 * max(width.x, width.y), 0.0, 1.0);
  return (1.0 - min(min(near.x, near.y), 1.0)) * crowded;
}
void main() {
  float fade = 1.0 - smoothstep(0.25, 1.0, length(at) / reach);
  float ink = max(0.55 * lines(cell), lines(10.0 * cell));
  gl_FragColor = vec4(mix(ground, line, ink), fade * mix(0.85, 1.0, ink));
  #include <colorspace_fragment>
}`;

export class Floor {
  constructor(shape, radius) {
    const reach = 9 * radius;
    this.material = new THREE.ShaderMaterial({
      vertexShader: kVertex,
      fragmentShader: kFragment,
      uniforms: {
        line: {value: new THREE.Color()},
        ground: {value: new THREE.Color()},
        cell: {value: 10 ** Math.round(Math.log10(radius / 4))},
        reach: {value: reach}
      },
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide
    });
    const geometry = new THREE.CircleGeometry(reach, 64);
    const grid = new THREE.Mesh(geometry, this.material);
    this.shadow = new THREE.Mesh(geometry, new THREE.ShadowMaterial({opacity: 0.22, depthWrite: false}));
    this.shadow.receiveShadow = true;
    grid.renderOrder = -2;
    this.shadow.renderOrder = -1;
    this.root = new THREE.Group();
    this.root.add(grid, this.shadow);
    this.root.position.fromArray(shape.position);
    this.root.quaternion.fromArray(shape.quaternion);
  }

  setColours({line, ground, dark}) {
    this.material.uniforms.line.value.set(line);
    this.material.uniforms.ground.value.set(ground);
    this.shadow.material.opacity = dark ? 0.5 : 0.2;
  }

  // The drawn disc goes where what moves goes, by whole cells so that the lines stay.
  follow(point) {
    const local = this.root.worldToLocal(point.clone()), step = 10 * this.material.uniforms.cell.value;
    const snap = (x) => Math.round(x / step) * step;
    if (Math.hypot(local.x, local.y) < this.material.uniforms.reach.value / 4) return;
    this.root.translateX(snap(local.x)).translateY(snap(local.y));
    this.root.updateMatrixWorld();
  }
}
