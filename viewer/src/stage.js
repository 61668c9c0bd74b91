// The canvas: renderer, camera, light. Draws when something has changed, not all the time.
import * as THREE from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';

const kAzimuth = -0.9, kElevation = 0.3;  // of the first view, rad
const kFov = 35;
const kWide = 900;   // pixels of a canvas that deserves sharp shadows
const kTurn = 0.12;  // of a key, rad

export class Stage {
  constructor(canvas, up) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({canvas, antialias: true, alpha: true});
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(kFov, 1, 0.01, 1000);
    this.up = new THREE.Vector3(...up).normalize();
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.invalidate());
    this.controls.enableDamping = false;
    this.lights();
    this.drawn = 0;
    this.resize();  // now, since the first view depends on it
    new ResizeObserver(() => {
      this.resize();
      this.draw();  // at once: a canvas of another size is blank
    }).observe(canvas.parentElement);
  }

  lights() {
    this.sky = new THREE.HemisphereLight(0xffffff, 0xb8c0ca, 1.7);
    this.sky.position.copy(this.up);
    this.sun = new THREE.DirectionalLight(0xffffff, 2.1);
    this.sun.castShadow = true;
    this.sun.shadow.bias = -4e-4;  // else slanted faces lie in their own shadow
    this.scene.add(this.sky, this.sun, this.sun.target);
  }

  // Two axes that are level, so that views do not depend on which way is up.
  level() {
    const first = Math.abs(this.up.x) < 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0);
    const x = first.addScaledVector(this.up, -first.dot(this.up)).normalize();
    return [x, new THREE.Vector3().crossVectors(this.up, x)];
  }

  // From azimuth and elevation: to the eye.
  direction(azimuth, elevation) {
    const [x, y] = this.level(), across = Math.cos(elevation);
    return new THREE.Vector3()
        .addScaledVector(x, across * Math.cos(azimuth))
        .addScaledVector(y, across * Math.sin(azimuth))
        .addScaledVector(this.up, Math.sin(elevation));
  }

  // All of a ball in sight, whatever the shape of the window.
  frame(centre, radius) {
    this.home = {centre: centre.clone(), radius};
    const half = Math.min(kFov / 2, Math.atan(Math.tan(kFov * Math.PI / 360) * this.camera.aspect) * 180 / Math.PI);
    const distance = 0.92 * radius / Math.sin(half * Math.PI / 180);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(this.direction(kAzimuth, kElevation), distance);
    this.camera.near = distance / 100;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = 0.05 * radius;
    this.controls.maxDistance = 25 * radius;
    this.controls.update();
    this.light(centre);
    this.invalidate();
  }

  reset() { this.frame(this.home.centre, this.home.radius); }

  // The sun goes with what it lights, so that shadows stay sharp.
  light(centre) {
    const {radius} = this.home, {camera} = this.sun.shadow, reach = 1.6 * radius;
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).addScaledVector(this.direction(-0.35, 1.0), 4 * radius);
    Object.assign(camera, {left: -reach, right: reach, top: reach, bottom: -reach, near: radius, far: 8 * radius});
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.006 * radius;
  }

  // Moves the camera with what it follows.
  shift(by) {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.light(this.controls.target);
  }

  turn(azimuth, elevation) {
    const eye = new THREE.Vector3().subVectors(this.camera.position, this.controls.target);
    const side = new THREE.Vector3().crossVectors(this.up, eye).normalize();
    const steep = this.up.angleTo(eye) - elevation * kTurn;
    eye.applyAxisAngle(this.up, azimuth * kTurn);
    if (steep > 0.05 && steep < Math.PI - 0.05)
      eye.applyAxisAngle(side.applyAxisAngle(this.up, azimuth * kTurn), -elevation * kTurn);
    this.camera.position.copy(this.controls.target).add(eye);
    this.controls.update();
    this.invalidate();
  }

  zoom(factor) {
    const eye = new THREE.Vector3().subVectors(this.camera.position, this.controls.target).multiplyScalar(factor);
    this.camera.position.copy(this.controls.target).add(eye);
    this.controls.update();
    this.invalidate();
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio || 1, 2));
    this.renderer.setSize(width, height, false);
    this.sharpenShadows(width > kWide ? 2048 : 1024);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  sharpenShadows(size) {
    const {shadow} = this.sun;
    if (shadow.mapSize.x === size) return;
    shadow.mapSize.set(size, size);
    shadow.map?.dispose();
    shadow.map = null;
  }

  invalidate() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.pending = false;
    this.renderer.render(this.scene, this.camera);
    ++this.drawn;
  }
}
