// Features as they are seen along a normal: in two dimensions, with heights.
#pragma once

#include "collision/candidates.hpp"

namespace delassus::collision {

struct SeenPoint {
  double x, y, height;
};

inline double cross(const SeenPoint& a, const SeenPoint& b) { return a.x * b.y - a.y * b.x; }
inline SeenPoint operator-(const SeenPoint& a, const SeenPoint& b) {
  return {a.x - b.x, a.y - b.y, a.height - b.height};
}
inline double distance2(const SeenPoint& a, const SeenPoint& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}
inline SeenPoint mix(const SeenPoint& a, const SeenPoint& b, double t) {
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.height + t * (b.height - a.height)};
}

/// A feature of one of the shapes, and what its points are called in the manifold.
struct Seen {
  SeenPoint point[Feature::kMost];
  std::uint32_t code[Feature::kMost];
  int count;
  std::uint32_t name;
  bool of_a;
};

/// Identities of contact points: a corner of one of the shapes keeps its name whatever it touches.
inline std::uint32_t corner_name(const Seen& s, int k) { return (s.of_a ? 1U : 2U) << 28 | s.code[k]; }
inline std::uint32_t crossing_name(const Seen& s, const Seen& t, std::uint32_t where) {
  return 3U << 28 | s.name << 20 | t.name << 12 | where;
}

/// Axes of the view.
struct View {
  explicit View(const Vec3<double>& normal)
      : n(normal), right(perpendicular_to(normal)), up(delassus::cross(normal, right)) {}
  SeenPoint see(const Vec3<double>& x) const { return {dot(right, x), dot(up, x), dot(n, x)}; }
  Vec3<double> place(const SeenPoint& s, double height) const { return s.x * right + s.y * up + height * n; }

  Vec3<double> n, right, up;
};

/// A contact of the subject's point with the other feature, whose height there is given.
struct Touch {
  SeenPoint at;
  double height;
  std::uint32_t feature;
};

/// Up to 16 points of `subject`, of any kind, that lie over the polygon. None where all would be within the tolerance of
/// each other, unless one is an end of a segment.
int clip_to_polygon(const Seen& subject, const Seen& polygon, double tolerance, Touch (&out)[2 * Feature::kMost]);

/// One point where two segments cross, two where they run along each other.
int meet_segments(const Seen& subject, const Seen& other, double tolerance, Touch (&out)[2 * Feature::kMost]);

}  // namespace delassus::collision
