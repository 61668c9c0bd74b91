// Which body is under the pointer: a click chooses it, dragging turns the view instead.
import * as THREE from 'three';

const kStill = 5;  // pixels that a click may move

export class Picking {
  constructor(stage, bodies, choose, point) {
    Object.assign(this, {stage, bodies});
    this.ray = new THREE.Raycaster();
    const {canvas} = stage;
    let down = null;
    canvas.addEventListener('pointerdown', (event) => down = [event.clientX, event.clientY]);
    canvas.addEventListener('pointerup', (event) => {
      if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < kStill) choose(this.under(event));
      down = null;
    });
    canvas.addEventListener('pointermove', (event) => {
      if (event.buttons === 0 && event.pointerType === 'mouse') point(this.under(event), event);
    });
    canvas.addEventListener('pointerleave', (event) => point(null, event));
  }

  under({clientX, clientY}) {
    const box = this.stage.canvas.getBoundingClientRect();
    return this.at(clientX - box.left, clientY - box.top);
  }

  // In pixels from the top left corner of the canvas; null where no body that moves is seen.
  at(x, y) {
    const {clientWidth, clientHeight} = this.stage.canvas;
    // Bodies may have moved since the last picture.
    this.bodies.root.updateMatrixWorld();
    this.stage.camera.updateMatrixWorld();
    this.ray.setFromCamera(new THREE.Vector2(2 * x / clientWidth - 1, 1 - 2 * y / clientHeight), this.stage.camera);
    const [hit] = this.ray.intersectObjects(this.bodies.meshes(), false);
    return hit && hit.object.userData.body >= 0 ? hit.object.userData.body : null;
  }
}
