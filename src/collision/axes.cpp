#include "collision/axes.hpp"

#include <algorithm>

namespace delassus::collision {
namespace {

/// How much better the second shape's face has to be, as a fraction of the separation.
constexpr double kFaceBias = 1e-3;
/// And any rival, as a fraction of the size: what a stack of equal boxes that has turned by a thousandth gives by itself.
constexpr double kSizeBias = 1e-6;
/// Edges whose directions differ by less are parallel: faces separate what they do.
constexpr double kParallel = 1e-6;

bool has_face(ShapeKind kind, int axis) {
  return kind == ShapeKind::kBox || (kind == ShapeKind::kCylinder && axis == 2);
}
bool has_edge(const Convex& s, int axis) { return s.half[axis] > 0; }

void improve(Axis& best, const ConvexPair& p, const Vec3<double>& n, double half_width) {
  const double apart = dot(n, p.D);
  const double found = std::abs(apart) - half_width;
  if (found > best.separation) best = {apart < 0 ? -n : n, found};
}

}  // namespace

Axis preferred(const Axis& axis, const Axis& rival, double bias, double scale) {
  return rival.separation > axis.separation + bias * std::abs(axis.separation) + kSizeBias * scale ? rival : axis;
}

Axis FaceAxes::steady(double scale) const { return preferred(of_a, of_b, kFaceBias, scale); }

FaceAxes best_faces(const ConvexPair& p) {
  FaceAxes out;
  for (int i = 0; i < 3; ++i) {
    if (has_face(p.a.kind, i)) {
      Vec3<double> n{{0, 0, 0}};
      n[i] = 1;
      improve(out.of_a, p, n, p.a.half[i] + extent(p.b, {{p.R(i, 0), p.R(i, 1), p.R(i, 2)}}));
    }
    if (has_face(p.b.kind, i)) {
      const Vec3<double> n = column(p.R, i);
      improve(out.of_b, p, n, p.b.half[i] + extent(p.a, n));
    }
  }
  return out;
}

Axis best_edge(const ConvexPair& p) {
  Axis best;
  for (int i = 0; i < 3; ++i) {
    if (!has_edge(p.a, i)) continue;
    Vec3<double> along{{0, 0, 0}};
    along[i] = 1;
    for (int j = 0; j < 3; ++j) {
      if (!has_edge(p.b, j)) continue;
      const Vec3<double> across = cross(along, column(p.R, j));
      const double sine2 = dot(across, across);
      if (sine2 < kParallel * kParallel) continue;
      const Vec3<double> n = (1 / std::sqrt(sine2)) * across;
      improve(best, p, n, extent(p, n));
    }
  }
  return best;
}

Axis between_segments(const ConvexPair& p) {
  const Vec3<double> z{{0, 0, 1}}, u = column(p.R, 2);
  const double ha = p.a.half[2], hb = p.b.half[2], cosine = u[2];
  // a at s z, b at t u - D; s and t where the difference D + s z - t u is shortest.
  const double dz = p.D[2], du = dot(p.D, u), sine2 = 1 - cosine * cosine;
  const auto within = [](double x, double most) { return std::clamp(x, -most, most); };
  double s = sine2 > kParallel * kParallel ? within((cosine * du - dz) / sine2, ha) : 0;
  double t = within(du + s * cosine, hb);
  s = within(t * cosine - dz, ha);
  t = within(du + s * cosine, hb);
  const Vec3<double> gap = p.D + s * z - t * u;
  const double distance = norm(gap);
  if (distance > 1e-12 * (ha + hb)) return {(1 / distance) * gap, distance};
  const Vec3<double> n = direction_of(cross(z, u), {{1, 0, 0}});
  return {n, separation(p, n)};
}

}  // namespace delassus::collision
