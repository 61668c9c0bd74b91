#include "delassus/collision/collide.hpp"

#include <utility>

#include "collision/axes.hpp"
#include "collision/candidates.hpp"
#include "collision/epa.hpp"
#include "collision/gjk.hpp"
#include "collision/point_distance.hpp"
#include "collision/polyhedron_axes.hpp"
#include "collision/refine.hpp"
#include "collision/triangle_contacts.hpp"

namespace delassus {
namespace collision {
namespace {

/// How much better any direction has to be than a face of a shape with a curved side, as a fraction of the depth.
constexpr double kCurvedBias = 1e-4;
/// And where shapes are apart, as a fraction of the distance: what a direction of the distance may miss by.
constexpr double kApartBias = 1e-6;

void add_point(Manifold& out, const Vec3<double>& position, double gap, std::uint32_t feature) {
  out.points[static_cast<std::size_t>(out.count++)] = {position, gap, feature};
}

void sort_by_feature(Manifold& out) {
  for (int i = 1; i < out.count; ++i) {
    for (int k = i; k > 0; --k) {
      auto &x = out.points[static_cast<std::size_t>(k - 1)], &y = out.points[static_cast<std::size_t>(k)];
      if (y.feature < x.feature) std::swap(x, y);
    }
  }
}

// ------------------------------------------------------------------------------------- closed forms

/// a against a plane: the feature that faces it.
void touch_plane(const PlacedShape& a, const Pose<double>& plane, double margin, Manifold& out) {
  const Convex s = convex_of(a);
  out.normal = column(plane.R, 2);
  const Vec3<double> down = -transposed_times(a.pose.R, out.normal);
  const double height = dot(out.normal, a.pose.p - plane.p) - s.radius;
  const double gap = height - extent(s, down);
  if (gap > margin) return;
  const Feature f = facing(s, down, margin - gap);
  Candidates list;
  // Every second point of a rim.
  for (int k = 0; k < f.count; k += s.kind == ShapeKind::kCylinder && f.count > 4 ? 2 : 1) {
    const double own = height - dot(down, f.point[k]);
    if (own <= margin) list.add(f.point[k], own, f.code[k]);
  }
  reduce(list, down, norm(s.half));
  for (int k = 0; k < list.count; ++k) {
    const Candidate& c = list.item[k];
    add_point(out, a.pose * (c.x + s.radius * down), c.gap, c.feature);
  }
}

void touch_sphere(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out) {
  Vec3<double> n;
  const Vec3<double> x = transposed_times(b.pose.R, a.pose.p - b.pose.p);
  const double gap = point_distance(convex_of(b), x, n) - a.size[0];
  if (gap > margin) return;
  out.normal = b.pose.R * n;
  add_point(out, a.pose.p - a.size[0] * out.normal, gap, 0);
}

// ------------------------------------------------------------------------------------------ the rest

bool are_boxes(const ConvexPair& p) { return p.a.is_box() && p.b.is_box(); }
bool are_segments(const ConvexPair& p) { return p.a.kind == ShapeKind::kCapsule && p.b.kind == ShapeKind::kCapsule; }

Axis refined(const ConvexPair& p, const Vec3<double>& n) {
  Axis axis{n, separation(p, n)};
  if (!are_boxes(p)) refine(p, axis);
  return axis;
}

/// find_axis() where one of the cores is a polyhedron.
bool find_polyhedron_axis(const ConvexPair& p, const Axis& face, double reach, Axis& out) {
  Axis nearest;
  const Apart apart = find_nearest(p, reach, nearest);
  out = apart == Apart::kYes ? preferred(face, nearest, kApartBias, 0) : preferred(face, nearest, kEdgeBias, p.scale);
  return apart != Apart::kBeyond;
}

/// The direction that separates the cores most. False if they are further apart than `reach`.
bool find_axis(const ConvexPair& p, const Axis& face, double reach, Axis& out) {
  if (has_polyhedron(p)) return find_polyhedron_axis(p, face, reach, out);
  if (are_segments(p)) {
    out = between_segments(p);
    return out.separation <= reach;
  }
  const bool boxes = are_boxes(p);
  const Axis edge = boxes ? best_edge(p) : Axis{};
  // Boxes that no face and no edge separates overlap.
  const bool overlap = boxes && face.separation <= 0 && edge.separation <= 0;
  Vec3<double> n;
  const Apart apart = overlap ? Apart::kTouching : find_distance(p, reach, n);
  if (apart == Apart::kYes) {
    out = preferred(face, refined(p, n), kApartBias, 0);
  } else if (apart == Apart::kTouching) {
    out = boxes ? preferred(face, edge, kEdgeBias, p.scale)
                : preferred(face, refined(p, find_depth(p)), kCurvedBias, p.scale);
  }
  return apart != Apart::kBeyond;
}

void finish(const ConvexPair& p, const Pose<double>& pose, const Vec3<double>& n, Candidates& list, Manifold& out) {
  reduce(list, n, p.scale);
  out.normal = pose.R * n;
  for (int k = 0; k < list.count; ++k) {
    const Candidate& c = list.item[k];
    add_point(out, pose * (c.x - p.a.radius * n), c.gap - p.a.radius - p.b.radius, c.feature);
  }
}

void touch_convex(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out) {
  const ConvexPair p = pair_of(a, b);
  const double reach = margin + p.a.radius + p.b.radius;
  const FaceAxes faces = has_polyhedron(p) ? best_polyhedron_faces(p) : best_faces(p);
  Axis axis = faces.better();
  if (axis.separation > reach) return;
  Candidates list;
  if (!gather_proven(p, axis.n, axis.separation, reach, list)) {
    if (!find_axis(p, faces.steady(p.scale), reach, axis)) return;
    gather_deepest(p, axis.n, axis.separation, reach, list);
  }
  finish(p, a.pose, axis.n, list, out);
}

/// The same contact seen from the other shape.
void turn_round(Manifold& m) {
  for (int k = 0; k < m.count; ++k) {
    ContactPoint& c = m.points[static_cast<std::size_t>(k)];
    c.position -= c.gap * m.normal;
  }
  m.normal = -m.normal;
}

void turn_round(ContactPatch& patch) {
  for (int k = 0; k < patch.count; ++k) {
    ContactPatch::Point& c = patch.points[static_cast<std::size_t>(k)];
    c.position -= c.gap * c.normal;
    c.normal = -c.normal;
  }
}

bool has_triangles(const PlacedShape& s) { return s.kind == ShapeKind::kMesh || s.kind == ShapeKind::kHeightField; }
bool has_no_hull(const PlacedShape& s) {
  return s.kind == ShapeKind::kPlane || s.kind == ShapeKind::kHeightField || (s.surface && s.surface->is_flat());
}

}  // namespace
}  // namespace collision

void collide(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out) {
  using namespace collision;
  out.count = 0;
  const bool turned = a.kind == ShapeKind::kPlane || (b.kind == ShapeKind::kSphere && a.kind != ShapeKind::kSphere);
  const PlacedShape &first = turned ? b : a, &second = turned ? a : b;
  if (has_no_hull(first) || (has_no_hull(second) && second.kind != ShapeKind::kPlane)) return;
  if (second.kind == ShapeKind::kPlane) {
    touch_plane(first, second.pose, margin, out);
  } else if (first.kind == ShapeKind::kSphere && !second.surface) {
    touch_sphere(first, second, margin, out);
  } else {
    touch_convex(first, second, margin, out);
  }
  sort_by_feature(out);
  if (turned) turn_round(out);
}

void collide(const PlacedShape& a, const PlacedShape& b, double margin, ContactPatch& out) {
  using namespace collision;
  out.count = 0;
  // What has triangles comes second; of two that do, the height field.
  const bool turned = has_triangles(a) && (!has_triangles(b) || a.kind == ShapeKind::kHeightField);
  const PlacedShape &first = turned ? b : a, &second = turned ? a : b;
  if (has_triangles(second) && first.kind != ShapeKind::kPlane) {
    if (has_no_hull(first)) return;
    touch_triangles(first, second, margin, out);
    if (turned) turn_round(out);
    return;
  }
  Manifold found;
  collide(a, b, margin, found);
  for (int k = 0; k < found.count; ++k) {
    const ContactPoint& c = found.points[static_cast<std::size_t>(k)];
    out.points[static_cast<std::size_t>(out.count++)] = {c.position, found.normal, c.gap, c.feature};
  }
}

}  // namespace delassus
