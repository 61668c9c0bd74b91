#include "collision/point_distance.hpp"

#include <algorithm>

namespace delassus::collision {
namespace {

constexpr int kMostSteps = 100;

double from_segment(const Convex& s, const Vec3<double>& x, Vec3<double>& n) {
  const Vec3<double> foot{{0, 0, std::clamp(x[2], -s.half[2], s.half[2])}};
  n = direction_of(x - foot, s.half[2] > 0 ? Vec3<double>{{1, 0, 0}} : Vec3<double>{{0, 0, 1}});
  return dot(n, x - foot) - s.radius;
}

double from_box(const Convex& s, const Vec3<double>& x, Vec3<double>& n) {
  Vec3<double> beyond{{0, 0, 0}};
  int nearest = 0;
  double inside = HUGE_VAL;
  for (int i = 0; i < 3; ++i) {
    const double room = s.half[i] - std::abs(x[i]);
    if (room < 0) beyond[i] = std::copysign(room, x[i]);
    if (room < inside) {
      inside = room;
      nearest = i;
    }
  }
  n = Vec3<double>::zero();
  n[nearest] = std::copysign(1, x[nearest]);
  if (inside >= 0) return -inside;
  n = direction_of(beyond, n);
  return norm(beyond);
}

double from_cylinder(const Convex& s, const Vec3<double>& x, Vec3<double>& n) {
  const Vec3<double> radial = direction_of({{x[0], x[1], 0}}, {{1, 0, 0}});
  const Vec3<double> axial{{0, 0, std::copysign(1, x[2])}};
  const double over_side = radial[0] * x[0] + radial[1] * x[1] - s.half[0];
  const double over_end = std::abs(x[2]) - s.half[2];
  if (over_side <= 0 || over_end <= 0) {
    n = over_side > over_end ? radial : axial;
    return std::fmax(over_side, over_end);
  }
  n = direction_of(over_side * radial + over_end * axial, axial);
  return norm(over_side * radial + over_end * axial);
}

/// The nearest point y of an ellipsoid with half axes e is e² x / (t + e²) for the largest t that puts it onto the surface:
/// a root of a sum of squares that falls and is convex beyond -e² of the shortest axis, so Newton's method from below
/// reaches it without leaving that side.
double from_ellipsoid(const Convex& s, const Vec3<double>& x, Vec3<double>& n) {
  const double longest = std::max({s.half[0], s.half[1], s.half[2]});
  Vec3<double> e, p;
  int shortest = 0;
  for (int i = 0; i < 3; ++i) {
    e[i] = longest > 0 ? std::fmax(s.half[i] / longest, 1e-9) : 1e-9;  // in units of the longest
    p[i] = longest > 0 ? std::abs(x[i]) / longest : 0;
    if (e[i] < e[shortest]) shortest = i;
  }
  const double pole = -e[shortest] * e[shortest];
  double t = pole;
  for (int i = 0; i < 3; ++i) t = std::fmax(t, e[i] * (p[i] - e[i]));
  for (int step = 0; step < kMostSteps; ++step) {
    double excess = -1, slope = 0;
    for (int i = 0; i < 3; ++i) {
      const double below = t + e[i] * e[i];
      if (!(below > 0)) continue;
      const double y = e[i] * p[i] / below;
      excess += y * y;
      slope += 2 * y * y / below;
    }
    if (!(excess > 0)) break;
    const double further = t + excess / slope;
    if (!(further > t)) break;
    t = further;
  }
  Vec3<double> normal{{0, 0, 0}};
  double left = 1;  // of the square of the shortest axis, where x lies in the plane across it and deep inside
  for (int i = 0; i < 3; ++i) {
    const double below = t + e[i] * e[i];
    if (!(below > 0)) continue;
    normal[i] = std::copysign(p[i] / below, x[i]);
    left -= (e[i] * p[i] / below) * (e[i] * p[i] / below);
  }
  if (!(t > pole) && left > 0) normal[shortest] = std::copysign(std::sqrt(left) / e[shortest], x[shortest]);
  Vec3<double> across{{0, 0, 0}};
  across[shortest] = 1;
  n = direction_of(normal, longest > 0 ? across : direction_of(x, across));
  return dot(n, x) - extent(s, n);
}

}  // namespace

double point_distance(const Convex& s, const Vec3<double>& x, Vec3<double>& n) {
  switch (s.kind) {
    case ShapeKind::kBox:
      return from_box(s, x, n);
    case ShapeKind::kCylinder:
      return from_cylinder(s, x, n);
    case ShapeKind::kEllipsoid:
      return from_ellipsoid(s, x, n);
    default:
      return from_segment(s, x, n);
  }
}

}  // namespace delassus::collision
