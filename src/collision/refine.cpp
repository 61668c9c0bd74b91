#include "collision/refine.hpp"

namespace delassus::collision {
namespace {

constexpr int kMostSteps = 5, kMostEdges = 6;
/// A direction that is as near to being across an edge touches with the edge, not with its end.
constexpr double kAcross = 1e-3;
/// Where the method goes further than this it is not near what it was begun for.
constexpr double kFarthest = 0.1;

/// What the extent of a pair is made of near n: a part with two derivatives, and edges across which it has a ridge.
struct Local {
  Vec3<double> slope{{0, 0, 0}};
  Mat3<double> curvature = Mat3<double>::zero();
  Vec3<double> edge[kMostEdges];
  int num_edges = 0;
};

/// x yᵀ
Mat3<double> outer(const Vec3<double>& x, const Vec3<double>& y) { return x * transposed(y); }

/// The part of |n·axis| half, which has a ridge where n is across the axis.
void add_edge(Local& l, double half, const Vec3<double>& axis, double along) {
  if (!(half > 0)) return;
  if (std::abs(along) < kAcross) {
    l.edge[l.num_edges++] = axis;
  } else {
    l.slope += std::copysign(half, along) * axis;
  }
}

/// What a polyhedron touches with along m: a corner, and the edges from there that m is nearly across. `sign` is -1 for the first of a pair,
/// which n points away from.
void add_polyhedron(Local& l, const Polyhedron& s, const Mat3<double>& R, const Vec3<double>& m, double sign) {
  const std::int32_t at = furthest_vertex(s, sign * m);
  const Vec3<double>& corner = s.vertices[static_cast<std::size_t>(at)];
  l.slope += sign * (R * corner);
  const auto add = [&](std::int32_t other) {
    const Vec3<double> along = direction_of(s.vertices[static_cast<std::size_t>(other)] - corner, Vec3<double>::zero());
    if (std::abs(dot(along, m)) < kAcross && l.num_edges < kMostEdges) l.edge[l.num_edges++] = R * along;
  };
  for (const PolyhedronFace& face : s.faces) {
    for (std::int32_t k = 0; k < face.count; ++k) {
      const auto corner_at = [&](std::int32_t i) {
        return s.corners[static_cast<std::size_t>(face.first + i % face.count)];
      };
      if (corner_at(k) != at) continue;
      add(corner_at(k + 1));
      // Of a hull, that edge is the one above of a neighbour; a triangle has none.
      if (s.faces.size() == 1) add(corner_at(k + face.count - 1));
    }
  }
}

void add_shape(Local& l, const Convex& s, const Mat3<double>& R, const Vec3<double>& n, double sign) {
  const Vec3<double> m = transposed_times(R, n);
  if (s.polyhedron) return add_polyhedron(l, *s.polyhedron, R, m, sign);
  if (s.kind == ShapeKind::kEllipsoid) {
    const double width = extent(s, m);
    if (!(width > 0)) return;
    const Vec3<double> x = R * support(s, m);
    l.slope += x;
    l.curvature -= (1 / width) * outer(x, x);
    for (int k = 0; k < 3; ++k) l.curvature += (s.half[k] * s.half[k] / width) * outer(column(R, k), column(R, k));
    return;
  }
  const bool round = s.kind == ShapeKind::kCylinder;
  for (int k = round ? 2 : 0; k < 3; ++k) add_edge(l, s.half[k], column(R, k), m[k]);
  const double across = std::sqrt(m[0] * m[0] + m[1] * m[1]);
  if (!round || !(across > 0)) return;
  const Vec3<double> around = R * Vec3<double>{{-m[1] / across, m[0] / across, 0}};
  l.slope += R * Vec3<double>{{s.half[0] * m[0] / across, s.half[0] * m[1] / across, 0}};
  l.curvature += (s.half[0] / across) * outer(around, around);
}

Local look(const ConvexPair& p, const Vec3<double>& n) {
  Local l;
  add_shape(l, p.a, Mat3<double>::identity(), n, -1);
  add_shape(l, p.b, p.R, n, 1);
  return l;
}

/// How far n has to turn along u and, if there is no edge that holds it, along w. False where n is no maximum.
bool find_step(const ConvexPair& p, const Local& l, const Vec3<double>& n, Vec3<double>& step) {
  const Vec3<double> rise = p.D - l.slope;
  const double height = dot(n, rise);
  const bool held = l.num_edges > 0;
  const Vec3<double> u = held ? direction_of(cross(n, l.edge[0]), perpendicular_to(n)) : perpendicular_to(n);
  const Vec3<double> w = cross(n, u);
  const Vec3<double> Hu = l.curvature * u, Hw = l.curvature * w;
  const double uu = dot(u, Hu) + height, uw = dot(u, Hw), ww = dot(w, Hw) + height;
  const double gu = dot(u, rise), gw = dot(w, rise), det = uu * ww - uw * uw;
  if (!(uu > 0) || (!held && !(det > 0))) return false;
  step = held ? (gu / uu) * u : ((ww * gu - uw * gw) / det) * u + ((uu * gw - uw * gu) / det) * w;
  return true;
}

}  // namespace

void refine(const ConvexPair& p, Axis& axis) {
  Vec3<double> n = axis.n;
  for (int k = 0; k < kMostSteps; ++k) {
    const Local l = look(p, n);
    Vec3<double> next = n;
    if (l.num_edges > 1) {
      next = direction_of(cross(l.edge[0], l.edge[1]), n);
      if (dot(next, n) < 0) next = -next;
    } else {
      if (l.num_edges == 1) n = direction_of(n - dot(n, l.edge[0]) * l.edge[0], n);
      Vec3<double> step;
      if (!find_step(p, l, n, step) || !(norm(step) < kFarthest)) break;
      next = direction_of(n + step, n);
    }
    const double moved = norm(next - n);
    n = next;
    if (moved < 1e-13) break;
  }
  // The separation is the same to second order: below its rounding the new direction is still the better one.
  const double found = separation(p, n);
  if (found >= axis.separation - 1e-14 * p.scale) axis = {n, found};
}

}  // namespace delassus::collision
