#include "collision/triangle_contacts.hpp"

#include "collision/patch.hpp"
#include "collision/polyhedron_axes.hpp"

namespace delassus::collision {
namespace {

/// Heights of corners along a normal that differ by this fraction of the triangle's size are the same.
constexpr double kLevel = 1e-6;
/// Overlaps that are less deep, as a fraction of the size, are settled by the faces alone.
constexpr double kShallow = 1e-2;
/// How much of its radius the middle of a sphere or a capsule may be behind a triangle that still carries it.
constexpr double kBehind = 0.5;

/// One triangle of a surface as a polyhedron.
struct TriangleShape {
  /// `side` is -1 for the back. False for a triangle without area.
  bool set(const Surface& surface, int index, double side) {
    const Triangle& t = surface.triangles()[static_cast<std::size_t>(index)];
    for (std::size_t k = 0; k < 3; ++k) {
      codes[k] = static_cast<std::uint32_t>(t[k]);
      vertices[k] = surface.vertices()[codes[k]];
    }
    const Vec3<double> across = cross(vertices[1] - vertices[0], vertices[2] - vertices[0]);
    const double area = norm(across);
    if (!(area > 0)) return false;
    const Vec3<double> normal = (side / area) * across;
    face = {normal, dot(normal, vertices[0]), 0, 3};
    const Vec3<double> centre = (1.0 / 3) * (vertices[0] + vertices[1] + vertices[2]);
    view = {vertices, codes, {&face, 1}, side > 0 ? kForwards : kBackwards, centre};
    return true;
  }
  Convex convex() const {
    Vec3<double> reach{{0, 0, 0}};
    for (const Vec3<double>& x : vertices) {
      for (int k = 0; k < 3; ++k) reach[k] = std::fmax(reach[k], std::abs(x[k] - view.centre[k]));
    }
    return {ShapeKind::kHull, reach, 0, &view};
  }

  static constexpr std::array<std::int32_t, 3> kForwards{0, 1, 2}, kBackwards{0, 2, 1};
  std::array<Vec3<double>, 3> vertices;
  std::array<std::uint32_t, 3> codes;
  PolyhedronFace face;
  Polyhedron view;
};

class TriangleContacts final : public TriangleVisitor {
 public:
  TriangleContacts(const PlacedShape& a, const PlacedShape& b, double margin)
      : core_(convex_of(a)),
        pose_a_(a.pose),
        pose_b_(b.pose),
        surface_(*b.surface),
        reach_(margin + core_.radius),
        patch_(std::fmax(core_.half[0], std::fmax(core_.half[1], core_.half[2])) + core_.radius) {
    const Vec3<double> centre = core_.polyhedron ? core_.polyhedron->centre : Vec3<double>::zero();
    middle_ = transposed_times(pose_b_.R, pose_a_ * centre - pose_b_.p);
  }

  void run(ContactPatch& out) {
    surface_.visit_near(bounds(), *this);
    patch_.finish(pose_a_, core_.radius, out);
  }

  void visit(int index) override {
    const double side = surface_.has_inside() ? 1 : side_of(index);
    if (!shape_.set(surface_.surface(), index, side)) return;
    index_ = index;
    touch(pair_of(core_, pose_a_, shape_.convex(), pose_b_));
  }

 private:
  /// In the axes of the surface.
  Bounds bounds() const {
    const Vec3<double> origin = transposed_times(pose_b_.R, pose_a_.p - pose_b_.p);
    const Mat3<double> R = transposed_times(pose_a_.R, pose_b_.R);
    Bounds out;
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> axis = column(R, k);
      out.low[k] = origin[k] - extent(core_, -axis) - reach_;
      out.high[k] = origin[k] + extent(core_, axis) + reach_;
    }
    return out;
  }

  /// The side of a triangle on which the other shape has its middle.
  double side_of(int index) const {
    const Triangle& t = surface_.surface().triangles()[static_cast<std::size_t>(index)];
    const auto x = [&](std::size_t k) { return surface_.surface().vertices()[static_cast<std::size_t>(t[k])]; };
    return dot(cross(x(1) - x(0), x(2) - x(0)), middle_ - x(0)) < 0 ? -1 : 1;
  }

  /// Whether the surface can be touched along n where this triangle is furthest along it.
  bool allows(const ConvexPair& p, const Vec3<double>& n) const {
    const Vec3<double> m = transposed_times(p.R, n);
    const auto& x = shape_.vertices;
    double height[3], top = -HUGE_VAL;
    for (std::size_t k = 0; k < 3; ++k) {
      height[k] = dot(m, x[k]);
      top = std::fmax(top, height[k]);
    }
    const double level = top - kLevel * (norm(x[1] - x[0]) + norm(x[2] - x[0]));
    bool high[3];
    int count = 0;
    for (int k = 0; k < 3; ++k) count += high[k] = height[k] >= level;
    if (count == 3) return dot(m, shape_.face.normal) > 0;
    for (int k = 0; k < 3; ++k) {
      if (count == 1 && high[k]) return surface_.is_peak(static_cast<std::int32_t>(shape_.codes[std::size_t(k)]), m);
      if (count == 2 && high[k] && high[(k + 1) % 3]) return surface_.is_ridge(index_, k, m);
    }
    return false;
  }

  void touch(const ConvexPair& p) {
    const FaceAxes faces = best_polyhedron_faces(p);
    if (faces.better().separation > reach_) return;
    Candidates list;
    if (gather_proven(p, faces.of_b.n, faces.of_b.separation, reach_, list)) return patch_.add(faces.of_b.n, list);
    if (gather_proven(p, faces.of_a.n, faces.of_a.separation, reach_, list)) {
      if (allows(p, faces.of_a.n)) patch_.add(faces.of_a.n, list);
      return;
    }
    if (carries_from_behind(faces.of_b)) {
      list.clear();
      gather(p, faces.of_b.n, faces.of_b.separation, reach_, list);
      if (list.count > 0) return patch_.add(faces.of_b.n, list);
    }
    Axis nearest;
    if (faces.better().separation > 0 || core_.radius > 0) {
      if (find_nearest(p, reach_, nearest) == Apart::kYes) touch_apart(p, nearest);
      return;
    }
    touch_overlapping(p, faces);
  }

  /// The core is behind the triangle, but what is around it is not.
  bool carries_from_behind(const Axis& front) const {
    if (!(front.separation <= 0) || !(core_.radius > 0)) return false;
    return surface_.is_height_field() || -front.separation < kBehind * core_.radius;
  }

  void touch_apart(const ConvexPair& p, const Axis& axis) {
    if (!allows(p, axis.n)) return;
    Candidates list;
    gather_deepest(p, axis.n, axis.separation, reach_, list);
    patch_.add(axis.n, list);
  }

  void touch_overlapping(const ConvexPair& p, const FaceAxes& faces) {
    Axis best = faces.of_b;
    if (allows(p, faces.of_a.n)) best = preferred(best, faces.of_a, kEdgeBias, p.scale);
    Candidates list;
    gather(p, best.n, best.separation, reach_, list);
    if (list.count > 0 && best.separation > -kShallow * p.scale) return patch_.add(best.n, list);
    Axis nearest;
    const Apart apart = find_nearest(p, reach_, nearest);
    if (apart == Apart::kBeyond) return;
    if (apart == Apart::kYes) return touch_apart(p, nearest);
    if (allows(p, nearest.n)) best = preferred(best, nearest, kEdgeBias, p.scale);
    list.clear();
    // Where the front of this triangle has none of the shape's deepest points, a triangle beside it has them.
    if (best.n == faces.of_b.n) {
      gather(p, best.n, best.separation, reach_, list);
    } else {
      gather_deepest(p, best.n, best.separation, reach_, list);
    }
    patch_.add(best.n, list);
  }

  Convex core_;
  Pose<double> pose_a_, pose_b_;
  const CollisionSurface& surface_;
  double reach_;
  Vec3<double> middle_;  // of the shape, in the axes of the surface
  Patch patch_;
  TriangleShape shape_;
  int index_ = 0;
};

}  // namespace

void touch_triangles(const PlacedShape& a, const PlacedShape& surface, double margin, ContactPatch& out) {
  TriangleContacts(a, surface, margin).run(out);
}

}  // namespace delassus::collision
