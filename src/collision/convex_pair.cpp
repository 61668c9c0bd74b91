#include "collision/convex_pair.hpp"

#include "collision/collision_surface.hpp"

namespace delassus::collision {

Convex convex_of(const PlacedShape& shape) {
  const Vec3<double>& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return {shape.kind, {{0, 0, 0}}, s[0]};
    case ShapeKind::kCapsule:
      return {shape.kind, {{0, 0, s[1]}}, s[0]};
    case ShapeKind::kCylinder:
      return {shape.kind, {{s[0], s[0], s[1]}}, 0};
    case ShapeKind::kHull:
    case ShapeKind::kMesh:
      return shape.surface->hull();
    default:
      return {shape.kind, s, 0};
  }
}

ConvexPair pair_of(const PlacedShape& a, const PlacedShape& b) {
  return pair_of(convex_of(a), a.pose, convex_of(b), b.pose);
}

ConvexPair pair_of(const Convex& a, const Pose<double>& pose_a, const Convex& b, const Pose<double>& pose_b) {
  ConvexPair p{a, b, transposed_times(pose_a.R, pose_b.R), {}, 0};
  p.D = transposed_times(pose_a.R, pose_a.p - pose_b.p);
  const auto size = [](const Convex& s) { return std::fmax(s.half[0], std::fmax(s.half[1], s.half[2])) + s.radius; };
  p.scale = std::fmin(size(p.a), size(p.b));
  return p;
}

double extent_of_polyhedron(const Polyhedron& s, const Vec3<double>& n) {
  return dot(n, s.vertices[static_cast<std::size_t>(furthest_vertex(s, n))]);
}

Vec3<double> support(const Convex& s, const Vec3<double>& n) {
  const Vec3<double>& h = s.half;
  switch (s.kind) {
    case ShapeKind::kCylinder: {
      const double across = std::sqrt(n[0] * n[0] + n[1] * n[1]);
      const double reach = across > 0 ? h[0] / across : 0;
      return {{reach * n[0], reach * n[1], std::copysign(h[2], n[2])}};
    }
    case ShapeKind::kEllipsoid: {
      const double width = extent(s, n);
      const double reach = width > 0 ? 1 / width : 0;
      return {{h[0] * h[0] * n[0] * reach, h[1] * h[1] * n[1] * reach, h[2] * h[2] * n[2] * reach}};
    }
    case ShapeKind::kHull:
      return s.polyhedron->vertices[static_cast<std::size_t>(furthest_vertex(*s.polyhedron, n))];
    default:
      return {{std::copysign(h[0], n[0]), std::copysign(h[1], n[1]), std::copysign(h[2], n[2])}};
  }
}

}  // namespace delassus::collision
