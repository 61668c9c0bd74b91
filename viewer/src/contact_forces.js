// What is drawn of contacts: on which body forces act, how long arrows are, what slides. Numbers only, no drawing.

const kSliding = 0.999;  // of the friction that the cone allows
const kSlight = 1e-3;    // newtons that are no force to speak of

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// Force and normal on the body that moves, where only one does; on the first where both do.
export function actingOn(recording, contact) {
  const moving = (shape) => (recording.shapes[shape]?.body ?? -1) >= 0;
  const sign = moving(contact.a) || !moving(contact.b) ? 1 : -1;
  return {force: contact.force.map((x) => sign * x), normal: contact.normal.map((x) => sign * x)};
}

// Along the normal and across it, and whether the contact slides: its friction is all that the cone allows.
export function split({force, normal, mu}) {
  const pressing = dot(force, normal);
  const across = Math.hypot(...force.map((x, k) => x - pressing * normal[k]));
  return {pressing, across, sliding: mu > 0 && pressing > kSlight && across >= kSliding * mu * pressing};
}

// 1, 2, 3 or 5 times a power of ten, not below x.
export function roundUp(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return [1, 2, 3, 5, 10].map((f) => f * power).find((y) => y >= x * (1 - 1e-9));
}

// How many newtons an arrow of one metre stands for: three of four forces are shorter than 0.3 of the mechanism's radius; before
// there are any, a quarter of the weight is as long as that.
export function newtonsPerMetre(recording, radius) {
  const forces = recording.frames.flatMap(({contacts}) => contacts.map(({force}) => Math.hypot(...force)))
                     .filter((x) => x > kSlight)
                     .sort((a, b) => a - b);
  const typical = forces.length ? forces[Math.floor(0.75 * forces.length)] : recording.mass * 9.81 / 4;
  return roundUp((typical || 1) / (0.3 * radius));
}
