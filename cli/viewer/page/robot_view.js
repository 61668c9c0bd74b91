// A mechanism with its contacts, drawn from far to near on a canvas. Drag or arrow keys turn it; move() puts it elsewhere.

const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const length = (a) => Math.hypot(...a);

const kTallest = 460;  // of a canvas, pixels

// Camera axes for a view from azimuth and elevation: to the right, upwards, towards the eye.
function viewAxes(azimuth, elevation) {
  const [ca, sa, ce, se] = [Math.cos(azimuth), Math.sin(azimuth), Math.cos(elevation), Math.sin(elevation)];
  return [[-sa, ca, 0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]];
}

class RobotView {
  constructor(canvas, drawing) {
    this.canvas = canvas;
    this.drawing = drawing;
    this.azimuth = -0.9;
    this.elevation = 0.32;
    this.faces = drawing.shapes.flatMap(shapeFaces);
    this.bounds = this.findBounds();
    this.lines = [];
    this.tallest = kTallest;
    this.listen();
  }

  // Shapes in other places, and lines {from, to, colour, dash} over them, in the same view.
  move(shapes, lines) {
    this.faces = shapes.flatMap(shapeFaces);
    this.lines = lines;
    this.draw();
  }

  findBounds() {
    const points = [
      ...this.faces.flatMap((face) => face.points), ...this.drawing.bones.flatMap((b) => [b.from, b.to]),
      ...this.drawing.contacts.map((c) => c.at)
    ];
    const bound = (pick) => [0, 1, 2].map((k) => points.reduce((best, p) => pick(best, p[k]), points[0][k]));
    const [low, high] = [bound(Math.min), bound(Math.max)];
    const half = minus(high, low).map((x) => Math.max(1e-3, x / 2));
    return {
      centre: low.map((x, k) => x + half[k]),
      radius: length(half),
      across: Math.hypot(half[0], half[1]),
      up: half[2]
    };
  }

  listen() {
    const turn = (da, de) => {
      this.azimuth += da;
      this.elevation = Math.max(-0.2, Math.min(1.5, this.elevation + de));
      this.draw();
    };
    this.canvas.addEventListener('pointerdown', (event) => this.canvas.setPointerCapture(event.pointerId));
    this.canvas.addEventListener('pointermove', (event) => {
      if (event.buttons & 1)
        turn(-0.008 * event.movementX, 0.008 * event.movementY);
      else
        this.pointAt(event);
    });
    this.canvas.addEventListener('pointerleave', hideTip);
    const kKeys = {ArrowLeft: [0.12, 0], ArrowRight: [-0.12, 0], ArrowUp: [0, 0.08], ArrowDown: [0, -0.08]};
    this.canvas.addEventListener('keydown', (event) => {
      if (!kKeys[event.key]) return;
      event.preventDefault();
      turn(...kKeys[event.key]);
    });
  }

  // On the canvas, and how near the eye.
  project(p) {
    const x = minus(p, this.bounds.centre);
    return [
      this.width / 2 + this.scale * dot(this.axes[0], x), this.height / 2 - this.scale * dot(this.axes[1], x),
      dot(this.axes[2], x)
    ];
  }

  draw() {
    const ratio = devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = Math.round(Math.min(0.8 * this.width, this.tallest));
    this.canvas.style.height = `${this.height}px`;
    this.canvas.width = this.width * ratio;
    this.canvas.height = this.height * ratio;
    this.scale = this.fit();
    this.axes = viewAxes(this.azimuth, this.elevation);
    this.context = this.canvas.getContext('2d');
    this.context.scale(ratio, ratio);
    if (this.drawing.ground) this.drawGround();
    this.drawBodies();
    this.drawing.ties.forEach((tie) => this.drawTie(tie));
    this.drawing.contacts.forEach((contact) => this.drawContact(contact));
    this.lines.forEach(({from, to, colour, dash}) => this.line(from, to, colour, 2, dash));
  }

  // So that all is seen from every azimuth, with a margin.
  fit() {
    const {across, up} = this.bounds, tilt = Math.abs(this.elevation);
    const tall = up * Math.cos(tilt) + across * Math.sin(tilt);
    return Math.min(0.45 * this.width / across, 0.44 * this.height / tall);
  }

  line(from, to, colour, width, dash = []) {
    const [a, b] = [this.project(from), this.project(to)];
    Object.assign(this.context, {strokeStyle: colour, lineWidth: width, lineCap: 'round'});
    this.context.setLineDash(dash);
    this.context.beginPath();
    this.context.moveTo(a[0], a[1]);
    this.context.lineTo(b[0], b[1]);
    this.context.stroke();
  }

  // A grid at z = 0 with about ten lines each way.
  drawGround() {
    const {centre, radius} = this.bounds;
    const step = 10 ** Math.round(Math.log10(radius / 4));
    const count = Math.min(14, Math.ceil(1.15 * radius / step));
    const middle = centre.map((x) => Math.round(x / step));
    for (let k = -count; k <= count; ++k) {
      const [x, y] = [(middle[0] + k) * step, (middle[1] + k) * step];
      this.line([x, (middle[1] - count) * step, 0], [x, (middle[1] + count) * step, 0], cssColour('line'), 1);
      this.line([(middle[0] - count) * step, y, 0], [(middle[0] + count) * step, y, 0], cssColour('line'), 1);
    }
  }

  drawBodies() {
    const kBody = [122, 146, 172];
    const kLight = [0.35, 0.5, 0.79];
    const ink = parsedHex(cssColour('ink')), soft = cssColour('soft');
    const items = this.drawing.bones.map((bone) => ({
                                           depth: (this.project(bone.from)[2] + this.project(bone.to)[2]) / 2,
                                           draw: () => {
                                             this.line(bone.from, bone.to, soft, 4);
                                             this.dot(bone.from, 3.5, cssColour('accent'));
                                           },
                                         }));
    for (const {points, colour} of this.faces) {
      const seen = points.map((p) => this.project(p));
      const normal = cross(minus(points[2], points[0]), minus(points[3], points[1]));
      const size = length(normal);
      if (size === 0) continue;
      const towards = dot(normal, this.axes[2]) / size;
      const facing = towards < 0 ? -1 : 1;
      const light = 0.45 + 0.55 * Math.max(0, facing * dot(normal, kLight) / size);
      items.push({
        depth: seen.reduce((sum, p) => sum + p[2], 0) / seen.length,
        draw: () => this.polygon(
            seen, rgb(mixed(ink.map((x) => x > 128 ? 20 : x), mixed(colour || kBody, [255, 255, 255], 0.35), light)))
      });
    }
    items.sort((a, b) => a.depth - b.depth).forEach((item) => item.draw());
  }

  polygon(points, colour) {
    const context = this.context;
    Object.assign(context, {fillStyle: colour, strokeStyle: colour, lineWidth: 0.6});
    context.setLineDash([]);
    context.beginPath();
    points.forEach((p, k) => k ? context.lineTo(p[0], p[1]) : context.moveTo(p[0], p[1]));
    context.closePath();
    context.fill();
    context.stroke();
  }

  dot(point, radius, colour) {
    const [x, y] = this.project(point);
    this.context.fillStyle = colour;
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.context.fill();
  }

  // Loops are closed where both ends meet: a ring there.
  drawTie(tie) {
    this.line(tie.from, tie.to, '#cc79a7', 2, [5, 4]);
    this.dot(tie.from, 5, '#cc79a7');
    this.dot(tie.from, 2.5, cssColour('card'));
  }

  drawContact(contact) {
    const reach = 0.13 * this.bounds.radius;
    const tip = contact.at.map((x, k) => x + reach * contact.normal[k]);
    this.line(contact.at, tip, '#d55e00', 2);
    this.dot(contact.at, 4, '#d55e00');
    this.dot(tip, 2.2, '#d55e00');
  }

  pointAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const near = (p) => {
      const [x, y] = this.project(p);
      return Math.hypot(x - event.clientX + box.left, y - event.clientY + box.top) < 9;
    };
    const contact = this.drawing.contacts.find((c) => near(c.at)) || this.drawing.ties.find((t) => near(t.from));
    if (contact)
      showTip(contact.name, event.clientX, event.clientY);
    else
      hideTip();
  }
}
