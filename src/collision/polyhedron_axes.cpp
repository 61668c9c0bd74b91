#include "collision/polyhedron_axes.hpp"

namespace delassus::collision {
namespace {

/// Calls visit(outward normal, offset) for each face.
template <class Visit>
void visit_faces(const Convex& s, const Visit& visit) {
  if (s.polyhedron) {
    for (const PolyhedronFace& face : s.polyhedron->faces) visit(face.normal, face.offset);
    return;
  }
  for (int i = 0; i < 3; ++i) {
    if (s.kind != ShapeKind::kBox && !(s.kind == ShapeKind::kCylinder && i == 2)) continue;
    for (const double side : {1.0, -1.0}) {
      Vec3<double> n{{0, 0, 0}};
      n[i] = side;
      visit(n, s.half[i]);
    }
  }
}

}  // namespace

FaceAxes best_polyhedron_faces(const ConvexPair& p) {
  FaceAxes out;
  // A point inside the other shape is no nearer than the shape: most faces need no more than that.
  const Vec3<double> middle_a = centre_of(p.a), middle_b = p.R * centre_of(p.b) - p.D;
  visit_faces(p.a, [&](const Vec3<double>& outward, double offset) {
    if (dot(outward, middle_b) - offset <= out.of_a.separation) return;
    const Vec3<double> n = -outward;
    const double found = dot(n, p.D) - offset - extent(p.b, transposed_times(p.R, n));
    if (found > out.of_a.separation) out.of_a = {n, found};
  });
  visit_faces(p.b, [&](const Vec3<double>& outward, double offset) {
    const Vec3<double> n = p.R * outward;
    if (dot(n, p.D + middle_a) - offset <= out.of_b.separation) return;
    const double found = dot(n, p.D) - offset - extent(p.a, -n);
    if (found > out.of_b.separation) out.of_b = {n, found};
  });
  return out;
}

}  // namespace delassus::collision
