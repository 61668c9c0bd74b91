// Collision shapes as polygons: each has its points in the world, and the colour of the shape if that has one.

const kAround = 14, kAlong = 8;

// Rings of points about the z axis, joined by quadrilaterals; `profile` is [radius, height] from bottom to top.
function turned(profile) {
  const rings = profile.map(([radius, z]) => Array.from({length: kAround}, (_, k) => {
    const angle = 2 * Math.PI * k / kAround;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z];
  }));
  const faces = [];
  for (let r = 0; r + 1 < rings.length; ++r) {
    for (let k = 0; k < kAround; ++k) {
      const next = (k + 1) % kAround;
      faces.push([rings[r][k], rings[r][next], rings[r + 1][next], rings[r + 1][k]]);
    }
  }
  return faces;
}

// A quarter circle from the lower pole (sign -1) or to the upper one, round a centre at height z.
function cap(radius, z, sign) {
  const steps = Array.from({length: kAlong / 2 + 1}, (_, k) => Math.PI / 2 * k / (kAlong / 2));
  const points = steps.map((angle) => [radius * Math.cos(angle), z + sign * radius * Math.sin(angle)]);
  return sign < 0 ? points.reverse() : points;
}

// A face in parts, so that what stands before one of them is not drawn behind all.
function parted([a, b, c, d], parts) {
  const at = (u, v) =>
      a.map((_, k) => (1 - u) * (1 - v) * a[k] + u * (1 - v) * b[k] + u * v * c[k] + (1 - u) * v * d[k]);
  return Array.from({length: parts * parts}, (_, k) => {
    const [u, v, w] = [Math.floor(k / parts) / parts, (k % parts) / parts, 1 / parts];
    return [at(u, v), at(u + w, v), at(u + w, v + w), at(u, v + w)];
  });
}

function boxFaces([x, y, z]) {
  const corner = (k) => [k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z];
  return [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]].flatMap(
      (face) => parted(face.map(corner), 3));
}

const kShapeFaces = {
  box: boxFaces,
  sphere: ([r]) => turned([...cap(r, 0, -1), ...cap(r, 0, 1).slice(1)]),
  capsule: ([r, half]) => turned([...cap(r, -half, -1), ...cap(r, half, 1)]),
  cylinder: ([r, half]) => turned([[0, -half], [r, -half], [r, half], [0, half]]),
  ellipsoid: (size) =>
      turned([...cap(1, 0, -1), ...cap(1, 0, 1).slice(1)]).map((face) => face.map((p) => p.map((x, k) => x * size[k]))),
};

// Those of a shape about itself are made once, also for its copies in other places.
function shapeFaces(shape) {
  const {R, p, colour} = shape;
  const place = (x) => [0, 1, 2].map((r) => p[r] + R[3 * r] * x[0] + R[3 * r + 1] * x[1] + R[3 * r + 2] * x[2]);
  return localFaces(shape).map((face) => ({points: face.map(place), colour}));
}

const kLocalFaces = new Map();
function localFaces({kind, size}) {
  const key = `${kind} ${size}`;
  if (!kLocalFaces.has(key)) kLocalFaces.set(key, kShapeFaces[kind](size));
  return kLocalFaces.get(key);
}
