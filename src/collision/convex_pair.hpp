// Two convex shapes in the axes of the first.
//
// Every shape but planes and polyhedra is the same seen from either side of its centre. So what a direction n asks of a
// pair is the sum of two half widths, and the pair is apart by n·D - extent(n) along n, with D from the centre of b to that
// of a. The largest separation over all n is the distance, or minus the depth.
#pragma once

#include <cmath>

#include "collision/polyhedron.hpp"
#include "delassus/collision/collide.hpp"

namespace delassus::collision {

/// A core and what is added to it all around: spheres are points, capsules are segments, both with a radius.
struct Convex {
  ShapeKind kind;
  Vec3<double> half;  // half extents of the core; a cylinder's are radius, radius, half length
  double radius;
  const Polyhedron* polyhedron = nullptr;  // of the kind hull; its origin may be anywhere

  /// The core is a box, possibly one without width in some directions.
  bool is_box() const {
    return kind != ShapeKind::kCylinder && kind != ShapeKind::kEllipsoid && kind != ShapeKind::kHull;
  }
};

struct ConvexPair {
  Convex a, b;
  Mat3<double> R;  // axes of b
  Vec3<double> D;  // centre of a seen from that of b
  double scale;    // the largest half extent of the smaller shape: what tolerances are relative to
};

Convex convex_of(const PlacedShape& shape);
ConvexPair pair_of(const PlacedShape& a, const PlacedShape& b);
ConvexPair pair_of(const Convex& a, const Pose<double>& pose_a, const Convex& b, const Pose<double>& pose_b);

double extent_of_polyhedron(const Polyhedron& s, const Vec3<double>& n);
/// How far a core reaches along n from its origin, which is half its width unless it is a polyhedron, and its point that is
/// furthest along n, in its own axes.
inline double extent(const Convex& s, const Vec3<double>& n) {
  if (s.kind == ShapeKind::kCylinder)
    return s.half[0] * std::sqrt(n[0] * n[0] + n[1] * n[1]) + s.half[2] * std::abs(n[2]);
  const Vec3<double> x{{s.half[0] * n[0], s.half[1] * n[1], s.half[2] * n[2]}};
  if (s.kind == ShapeKind::kEllipsoid) return norm(x);
  if (s.kind == ShapeKind::kHull) return extent_of_polyhedron(*s.polyhedron, n);
  return std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2]);
}
Vec3<double> support(const Convex& s, const Vec3<double>& n);
/// A point inside a core, in its own axes.
inline Vec3<double> centre_of(const Convex& s) { return s.polyhedron ? s.polyhedron->centre : Vec3<double>::zero(); }

inline double extent(const ConvexPair& p, const Vec3<double>& n) {
  return extent(p.a, -n) + extent(p.b, transposed_times(p.R, n));
}
/// The furthest vertex along n of b's core minus a's, in which the origin lies when the cores overlap.
inline Vec3<double> support(const ConvexPair& p, const Vec3<double>& n) {
  return p.R * support(p.b, transposed_times(p.R, n)) - support(p.a, -n) - p.D;
}
/// How far the cores are apart along n, which points from b to a.
inline double separation(const ConvexPair& p, const Vec3<double>& n) { return dot(n, p.D) - extent(p, n); }

/// The unit vector along x, or `otherwise` where x has no direction.
inline Vec3<double> direction_of(const Vec3<double>& x, const Vec3<double>& otherwise) {
  const double largest = std::fmax(std::abs(x[0]), std::fmax(std::abs(x[1]), std::abs(x[2])));
  if (!(largest > 1e-150)) return otherwise;
  const Vec3<double> y = (1 / largest) * x;  // so that no square leaves the range of numbers
  return (1 / norm(y)) * y;
}

/// A unit vector at right angles to the unit vector n.
inline Vec3<double> perpendicular_to(const Vec3<double>& n) {
  const Vec3<double> across = std::abs(n[0]) < 0.6 ? Vec3<double>{{0, -n[2], n[1]}} : Vec3<double>{{n[2], 0, -n[0]}};
  return (1 / norm(across)) * across;
}

}  // namespace delassus::collision
