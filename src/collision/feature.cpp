#include "collision/feature.hpp"

#include <algorithm>

namespace delassus::collision {
namespace {

/// The sine of a slope that counts as level.
constexpr double kLevel = 1e-6;
/// An axis that leans by less stands upright: its rim has no lowest point, and the rim's own angles are kept.
constexpr double kUpright = 1e-4;

bool level(double half, double slope, double spread) {
  return half > 0 && (std::abs(slope) < kLevel || 2 * half * std::abs(slope) <= spread);
}

/// Which of the box's directions the feature extends in: at most two.
void find_wide_axes(const Convex& s, const Vec3<double>& m, double spread, bool (&wide)[3]) {
  int steepest = 0;
  for (int i = 0; i < 3; ++i) {
    wide[i] = level(s.half[i], m[i], spread);
    if (std::abs(m[i]) > std::abs(m[steepest])) steepest = i;
  }
  wide[steepest] = false;
}

Feature facing_of_box(const Convex& s, const Vec3<double>& m, double spread) {
  bool wide[3];
  find_wide_axes(s, m, spread, wide);
  Feature f;
  Vec3<double> corner = s.half;
  std::uint32_t signs = 0;
  int along[2], num = 0;
  std::uint32_t place = 1;
  for (int i = 0; i < 3; ++i, place *= 3) {
    const bool negative = m[i] < 0 && s.half[i] > 0;
    if (negative) corner[i] = -corner[i];
    signs |= static_cast<std::uint32_t>(negative) << i;
    f.name += place * (wide[i] ? 2 : negative);
    if (wide[i]) along[num++] = i;
  }
  f.count = 1 << num;
  for (int k = 0; k < f.count; ++k) {
    // Around the face: 00, 10, 11, 01.
    const int bits[2] = {(k ^ k >> 1) & 1, k >> 1};
    f.point[k] = corner;
    f.code[k] = signs;
    for (int d = 0; d < num; ++d) {
      const auto axis = along[d];
      f.point[k][axis] = bits[d] ? s.half[axis] : -s.half[axis];
      f.code[k] = (f.code[k] & ~(1U << axis)) | (bits[d] ? 0U : 1U << axis);
    }
  }
  return f;
}

/// Eight points of a rim, the first of them in the direction x, y.
void add_rim(Feature& f, double radius, double height, double x, double y) {
  static constexpr double kHalf = 0.70710678118654752440;
  static constexpr double kCos[8] = {1, kHalf, 0, -kHalf, -1, -kHalf, 0, kHalf};
  for (int k = 0; k < 8; ++k) {
    const double c = kCos[k], s = kCos[(k + 6) % 8];
    f.point[k] = {{radius * (c * x - s * y), radius * (s * x + c * y), height}};
    f.code[k] = static_cast<std::uint32_t>(k);
  }
  f.count = 8;
}

Feature facing_of_cylinder(const Convex& s, const Vec3<double>& m, double spread) {
  const double radius = s.half[0], lean = std::sqrt(m[0] * m[0] + m[1] * m[1]);
  const bool upright = lean < kUpright;
  const double x = upright ? 1 : m[0] / lean, y = upright ? 0 : m[1] / lean;
  const double height = std::copysign(s.half[2], m[2]);
  const std::uint32_t end = m[2] < 0;
  bool cap = upright || level(radius, lean, spread), side = level(s.half[2], m[2], spread);
  if (cap && side) (std::abs(m[2]) > lean ? side : cap) = false;
  Feature f;
  f.name = 2 * static_cast<std::uint32_t>(cap) + end;
  if (cap) {
    add_rim(f, radius, height, x, y);
  } else if (side) {
    f.name = 4;
    f.count = 2;
    for (const int k : {0, 1}) {
      f.point[k] = {{radius * x, radius * y, k == 0 ? -s.half[2] : s.half[2]}};
      f.code[k] = static_cast<std::uint32_t>(8 + k);
    }
  } else {
    f.count = 1;
    f.point[0] = {{radius * x, radius * y, height}};
    f.code[0] = 9 - end;  // the end of the side that is left
  }
  return f;
}

/// Faces that lean by more than 60 degrees, and edges by more than 45, are not what faces m.
constexpr double kLeastFace = 0.5, kMostSlope = 0.7;

const PolyhedronFace* best_face(const Polyhedron& s, const Vec3<double>& m) {
  const PolyhedronFace* best = nullptr;
  double most = kLeastFace;
  for (const PolyhedronFace& face : s.faces) {
    const double along = dot(face.normal, m);
    if (along <= most) continue;
    most = along;
    best = &face;
  }
  return best;
}

/// All corners of the face, or as many as fit, evenly. False if one is lower than `low` and the face not level.
bool add_face(const Polyhedron& s, const PolyhedronFace& face, const Vec3<double>& m, double low, Feature& f) {
  const double along = dot(face.normal, m);
  const bool is_level = 1 - along * along < kLevel * kLevel;
  const auto vertex = [&](int k) { return s.corners[static_cast<std::size_t>(face.first + k)]; };
  for (int k = 0; !is_level && k < face.count; ++k) {
    if (dot(m, s.vertices[static_cast<std::size_t>(vertex(k))]) < low) return false;
  }
  f.count = std::min<int>(face.count, Feature::kMost);
  f.name = static_cast<std::uint32_t>(face.first) & 0xffU;
  for (int k = 0; k < f.count; ++k) {
    const auto v = static_cast<std::size_t>(vertex(k * face.count / f.count));
    f.point[k] = s.vertices[v];
    f.code[k] = s.codes[v];
  }
  return true;
}

/// The other end of the most level edge from a vertex, or -1 if none is level or no lower than `low`.
int level_neighbour(const Polyhedron& s, int from, const Vec3<double>& m, double low) {
  const Vec3<double>& start = s.vertices[static_cast<std::size_t>(from)];
  int best = -1;
  double least = kMostSlope;
  const auto consider = [&](std::int32_t to) {
    const Vec3<double>& end = s.vertices[static_cast<std::size_t>(to)];
    const double slope = dot(m, start - end) / norm(start - end);
    if (!(slope < least) || !(slope < kLevel || dot(m, end) >= low)) return;
    least = slope;
    best = to;
  };
  for (const PolyhedronFace& face : s.faces) {
    for (int k = 0; k < face.count; ++k) {
      const auto corner = [&](int i) { return s.corners[static_cast<std::size_t>(face.first + i % face.count)]; };
      if (corner(k) == from) {
        consider(corner(k + 1));
        consider(corner(k + face.count - 1));
      }
    }
  }
  return best;
}

Feature facing_of_polyhedron(const Polyhedron& s, const Vec3<double>& m, double spread) {
  Feature f;
  const int top = furthest_vertex(s, m);
  const double low = dot(m, s.vertices[static_cast<std::size_t>(top)]) - spread;
  const PolyhedronFace* face = best_face(s, m);
  if (face && add_face(s, *face, m, low, f)) return f;
  const int other = level_neighbour(s, top, m, low);
  // In the order of their numbers, so that an edge is the same from either end.
  const int ends[2] = {other < 0 ? top : std::min(top, other), std::max(top, other)};
  f.count = other < 0 ? 1 : 2;
  for (int k = 0; k < f.count; ++k) {
    f.point[k] = s.vertices[static_cast<std::size_t>(ends[k])];
    f.code[k] = s.codes[static_cast<std::size_t>(ends[k])];
    f.name = (7 * f.name + f.code[k]) & 0xffU;
  }
  return f;
}

}  // namespace

Feature facing(const Convex& s, const Vec3<double>& m, double spread) {
  if (s.kind == ShapeKind::kCylinder) return facing_of_cylinder(s, m, spread);
  if (s.kind == ShapeKind::kHull) return facing_of_polyhedron(*s.polyhedron, m, spread);
  if (s.is_box()) return facing_of_box(s, m, spread);
  Feature f;
  f.count = 1;
  f.point[0] = support(s, m);
  f.code[0] = 0;
  return f;
}

}  // namespace delassus::collision
