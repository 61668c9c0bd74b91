#include "collision/gjk.hpp"

namespace delassus::collision {
namespace {

constexpr int kMostSteps = 64;
/// Distances are accurate to this fraction of themselves: the directions then are to its square root.
constexpr double kAccuracy = 1e-8;
/// Cores that are closer than this fraction of their size have no direction that rounding leaves alone.
constexpr double kTouching = 1e-9;

/// Up to four points and the one of their hull that is nearest to the origin.
struct Simplex {
  Vec3<double> w[4];
  int count = 0;
  Vec3<double> nearest;
};

Simplex make(const Vec3<double>& a) { return {{a}, 1, a}; }

Simplex nearest_of_segment(const Vec3<double>& a, const Vec3<double>& b) {
  const Vec3<double> along = b - a;
  const double length2 = dot(along, along), t = -dot(a, along);
  if (!(t > 0)) return make(a);
  if (t >= length2) return make(b);
  return {{a, b}, 2, a + (t / length2) * along};
}

const Simplex& nearer(const Simplex& x, const Simplex& y) {
  return dot(y.nearest, y.nearest) < dot(x.nearest, x.nearest) ? y : x;
}

Simplex nearest_of_triangle(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  const Vec3<double> ab = b - a, ac = c - a, normal = cross(ab, ac);
  const double area2 = dot(normal, normal);
  // The weights of the corners in the foot of the origin, times area2.
  const double wb = dot(cross(ac, a), normal), wc = -dot(cross(ab, a), normal), wa = area2 - wb - wc;
  if (wa > 0 && wb > 0 && wc > 0) return {{a, b, c}, 3, (dot(normal, a) / area2) * normal};
  return nearer(nearer(nearest_of_segment(a, b), nearest_of_segment(a, c)), nearest_of_segment(b, c));
}

/// Whether the plane through a, b, c has the origin on the other side than d, or too little room to say.
bool divides(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c, const Vec3<double>& d) {
  const Vec3<double> normal = cross(b - a, c - a);
  return !(-dot(normal, a) * dot(normal, d - a) > 0);
}

/// No points where the origin lies inside.
Simplex nearest_of_tetrahedron(const Vec3<double> (&w)[4]) {
  static constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  Simplex best;
  for (const auto& f : kFaces) {
    if (!divides(w[f[0]], w[f[1]], w[f[2]], w[f[3]])) continue;
    const Simplex found = nearest_of_triangle(w[f[0]], w[f[1]], w[f[2]]);
    best = best.count == 0 ? found : nearer(best, found);
  }
  return best;
}

Simplex reduced(const Simplex& s) {
  switch (s.count) {
    case 1:
      return make(s.w[0]);
    case 2:
      return nearest_of_segment(s.w[0], s.w[1]);
    case 3:
      return nearest_of_triangle(s.w[0], s.w[1], s.w[2]);
    default:
      return nearest_of_tetrahedron(s.w);
  }
}

}  // namespace

Apart find_distance(const ConvexPair& pair, double reach, Vec3<double>& n) {
  const double touching = kTouching * pair.scale;
  Simplex s;
  s.nearest = pair.R * centre_of(pair.b) - centre_of(pair.a) - pair.D;
  double before = HUGE_VAL;
  for (int step = 0; step < kMostSteps; ++step) {
    const double distance = norm(s.nearest);
    if (!(distance > touching)) return Apart::kTouching;
    // Rounding keeps the simplex from coming nearer: what there is is the answer.
    if (!(distance < before)) break;
    n = (-1 / distance) * s.nearest;
    const Vec3<double> w = support(pair, n);
    const double bound = -dot(n, w);
    if (bound > reach) return Apart::kBeyond;
    if (s.count > 0 && distance - bound <= kAccuracy * distance) break;
    if (s.count > 0) before = distance;
    s.w[s.count++] = w;
    s = reduced(s);
    if (s.count == 0) return Apart::kTouching;
  }
  return Apart::kYes;
}

}  // namespace delassus::collision
