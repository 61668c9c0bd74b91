// Directions at points of nodes: rows d (p + l × ...) of contacts and of bodies held together. There is nothing to place: lever and
// directions are read where the rows have them.
#pragma once

#include <concepts>
#include <span>

#include "delassus/math/scalars.hpp"
#include "dynamics/joint_step.hpp"
#include "operators/condensed/placed.hpp"
#include "operators/condensed/strip_lanes.hpp"

namespace delassus::condensed {

/// The numbers of a point: where it is from the reference point of its link, or from the origin of its link, and its directions.
template <class T>
struct PlacedPoint {
  DELASSUS_INLINE PlacedPoint(const ConstraintRows<T>& rows, const Points::Point& point)
      : directions(&rows.values[point.value + 3]) {
    const T* lever = &rows.values[point.value];
    r = Vec3<T>{{lever[0], lever[1], lever[2]}};
  }
  DELASSUS_INLINE PlacedPoint(const Placed<T>& p, const Points::Point& point)
      : directions(&p.rows.values[point.value + 3]) {
    const T* lever = &p.rows.values[point.value];
    r = Vec3<T>{{lever[0], lever[1], lever[2]}} + p.lever(point.link);
  }
  const T* directions;
  Vec3<T> r;
};

/// Σ d x: the force of all rows together.
template <int R, class T, class X>
DELASSUS_INLINE Vec3<X> sum_of_rows(const PlacedPoint<T>& p, const X* x) {
  Vec3<X> f;
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    f[i] = p.directions[i] * x[0];
    DELASSUS_UNROLL
    for (int r = 1; r < R; ++r) f[i] += p.directions[3 * r + i] * x[r];
  }
  return f;
}

template <class T, class X>
DELASSUS_INLINE Vec3<X> motion_of(const PlacedPoint<T>& p, const X* from) {
  const Motion<X> a = motion_at(from);
  return a.linear - cross(p.r, a.angular);
}

/// How fast the rows go where their point does, added to y or taken away.
template <int R, bool kMinus, class T, class X>
DELASSUS_INLINE void add_along_rows(const PlacedPoint<T>& p, const Vec3<X>& motion, X* y) {
  Vec<X, R> felt;
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    felt[r] = p.directions[3 * r] * motion[0];
    DELASSUS_UNROLL
    for (int i = 1; i < 3; ++i) felt[r] += p.directions[3 * r + i] * motion[i];
  }
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) kMinus ? y[r] -= felt[r] : y[r] += felt[r];
}

template <class T, class X>
DELASSUS_INLINE void push_point(const Points::Point& point, const Placed<T>& p, const X* x, X* values) {
  const PlacedPoint<T> at(p, point);
  with_directions(point.rows, [&](auto R) {
    const Vec3<X> f = sum_of_rows<R()>(at, x + point.first_row);
    add_force(p.at(point.node, values), Force<X>{cross(at.r, f), f});
  });
}
template <bool kMinus, class T, class X>
DELASSUS_INLINE void pull_point(const Points::Point& point, const Placed<T>& p, const X* values, X* y) {
  const PlacedPoint<T> at(p, point);
  const Vec3<X> motion = motion_of(at, p.at(point.node, values));
  with_directions(point.rows, [&](auto R) { add_along_rows<R(), kMinus>(at, motion, y + point.first_row); });
}

// Points of one link that follow each other, through its origin, as strips go: what they take from each other is gone before their sum is moved to
// where the sweeps are, and rounded there. That matters in float where contacts repeat each other, and costs a little. For numbers that are
// recorded: others have strips.

template <class T>
inline constexpr bool kThroughOrigins = std::same_as<T, Traced<float>>;

/// f(points of one link) for all of a list.
template <class F>
void for_each_link(std::span<const Points::Point> list, F&& f) {
  for (std::size_t first = 0, count = 1; first < list.size(); first += count, count = 1) {
    while (first + count < list.size() && list[first + count].link == list[first].link) ++count;
    f(list.subspan(first, count));
  }
}

template <class T, class X>
void push_link(std::span<const Points::Point> link, const Placed<T>& p, const X* x, X* values) {
  if (link.size() == 1) return push_point(link.front(), p, x, values);
  Force<X> sum = Force<X>::zero();
  for (const Points::Point& point : link) {
    const PlacedPoint<T> at(p.rows, point);
    with_directions(point.rows, [&](auto R) {
      const Vec3<X> f = sum_of_rows<R()>(at, x + point.first_row);
      sum += Force<X>{cross(at.r, f), f};
    });
  }
  add_force(p.at(link.front().node, values), shifted(sum, p.lever(link.front().link)));
}
template <bool kMinus, class T, class X>
void pull_link(std::span<const Points::Point> link, const Placed<T>& p, const X* values, X* y) {
  if (link.size() == 1) return pull_point<kMinus>(link.front(), p, values, y);
  const Motion<X> a = shifted(motion_at(p.at(link.front().node, values)), p.lever(link.front().link));
  for (const Points::Point& point : link) {
    const PlacedPoint<T> at(p.rows, point);
    const Vec3<X> motion = a.linear - cross(at.r, a.angular);
    with_directions(point.rows, [&](auto R) { add_along_rows<R(), kMinus>(at, motion, y + point.first_row); });
  }
}

/// Kᵀ x on nodes.
template <class T, class X>
void push(const Points& points, const Placed<T>& p, const X* x, X* values) {
  const auto list = without_strips(points.list, kInStrips<T, X>, points.loose);
  if constexpr (kThroughOrigins<T>) {
    for_each_link(list, [&](std::span<const Points::Point> link) { push_link(link, p, x, values); });
  } else {
    for (const Points::Point& point : list) push_point(point, p, x, values);
  }
  for (const Points::Twins& t : without_strips(points.twins, kInStrips<T, X>, points.loose_twins)) {
    const PlacedPoint<T> a(p, t.earlier), b(p, t.later);
    with_directions(t.earlier.rows, [&](auto R) {
      const Vec3<X> f = sum_of_rows<R()>(a, x + t.earlier.first_row);
      add_force(p.at(t.earlier.node, values), Force<X>{cross(a.r, f), f});
      add_force(p.at(t.later.node, values), Force<X>{-cross(b.r, f), -f});
    });
  }
}

/// y += K a, or -=.
template <bool kMinus, class T, class X>
void pull(const Points& points, const Placed<T>& p, const X* values, X* y) {
  const auto list = without_strips(points.list, kInStrips<T, X>, points.loose);
  if constexpr (kThroughOrigins<T>) {
    for_each_link(list, [&](std::span<const Points::Point> link) { pull_link<kMinus>(link, p, values, y); });
  } else {
    for (const Points::Point& point : list) pull_point<kMinus>(point, p, values, y);
  }
  for (const Points::Twins& t : without_strips(points.twins, kInStrips<T, X>, points.loose_twins)) {
    const PlacedPoint<T> a(p, t.earlier), b(p, t.later);
    const Vec3<X> apart = motion_of(a, p.at(t.earlier.node, values)) - motion_of(b, p.at(t.later.node, values));
    with_directions(t.earlier.rows, [&](auto R) { add_along_rows<R(), kMinus>(a, apart, y + t.earlier.first_row); });
  }
}

// ------------------------------------------------------------------------------------------- Kᵀ R K

template <class T>
DELASSUS_INLINE Vec3<T> vector_at(const T* from) {
  return {{from[0], from[1], from[2]}};
}
template <class T>
DELASSUS_INLINE Vec3<T> row_of(const Mat3<T>& X, int r) {
  return {{X(r, 0), X(r, 1), X(r, 2)}};
}

/// Rows of R times the directions at a point.
template <int R, class T>
DELASSUS_INLINE void weigh_directions(const RowWeights<T>& w, int first_row, const T* directions, Vec3<T>* out) {
  if (w.kind != Damping<T>::Kind::kBlocks) {
    DELASSUS_UNROLL
    for (int r = 0; r < R; ++r) out[r] = w.weight[first_row + r] * vector_at(directions + 3 * r);
    return;
  }
  const T* block = &w.weight[w.begin[first_row]];
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    out[r] = block[r * R] * vector_at(directions);
    DELASSUS_UNROLL
    for (int s = 1; s < R; ++s) out[r] += block[r * R + s] * vector_at(directions + 3 * s);
  }
}

/// N = Σ d R eᵀ of the directions d and e at two points, or at one.
template <int R, class T>
DELASSUS_INLINE Mat3<T> stiffness_between(const RowWeights<T>& w, const T* values, const Points::Point& a,
                                          const Points::Point& b) {
  const T* directions = values + a.value + 3;
  Vec3<T> weighed[R];
  weigh_directions<R>(w, b.first_row, values + b.value + 3, weighed);
  Mat3<T> N;
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) {
      T sum = directions[i] * weighed[0][c];
      DELASSUS_UNROLL
      for (int r = 1; r < R; ++r) sum += directions[3 * r + i] * weighed[r][c];
      N(i, c) = sum;
    }
  }
  return N;
}

/// l× N, column by column.
template <class T>
DELASSUS_INLINE Mat3<T> cross_columns(const Vec3<T>& l, const Mat3<T>& N) {
  Mat3<T> G;
  DELASSUS_UNROLL
  for (int c = 0; c < 3; ++c) {
    G(0, c) = l[1] * N(2, c) - l[2] * N(1, c);
    G(1, c) = l[2] * N(0, c) - l[0] * N(2, c);
    G(2, c) = l[0] * N(1, c) - l[1] * N(0, c);
  }
  return G;
}

/// Kᵀ R K with K = [ (l × d)ᵀ dᵀ ]: N, G = l× N and l× N l×ᵀ, which is less than row by row.
template <class T>
DELASSUS_INLINE void add_stiffness_at(const Vec3<T>& l, const Mat3<T>& N, const Mat3<T>& G, ArticulatedInertia<T>& H) {
  Sym3<T> A, M;
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    const Vec3<T> lG = cross(l, row_of(G, i));
    DELASSUS_UNROLL
    for (int c = 0; c < i + 1; ++c) {
      A(i, c) = lG[c];
      M(i, c) = N(i, c);
    }
  }
  H += ArticulatedInertia<T>{A, G, M};
}

template <int R, class T>
DELASSUS_INLINE void stiffen_point(const RowWeights<T>& w, const T* values, const Points::Point& p,
                                   ArticulatedInertia<T>& H) {
  const Mat3<T> N = stiffness_between<R>(w, values, p, p);
  const Vec3<T> l = vector_at(values + p.value);
  add_stiffness_at(l, N, cross_columns(l, N), H);
}

/// The same for both of two opposite points, and minus as much between them.
template <int R, class T>
DELASSUS_INLINE void stiffen_twins(const RowWeights<T>& w, const T* values, const Points::Twins& t,
                                   const Stiffened<T>& to) {
  const Mat3<T> N = stiffness_between<R>(w, values, t.earlier, t.earlier);
  const Vec3<T> la = vector_at(values + t.earlier.value), lb = vector_at(values + t.later.value);
  const Mat3<T> Ga = cross_columns(la, N), Gb = cross_columns(lb, N);
  add_stiffness_at(la, N, Ga, to.H[t.earlier.slot]);
  add_stiffness_at(lb, N, Gb, to.H[t.later.slot]);
  T* panel = &to.panel[t.to];
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    const Vec3<T> crossed = cross(lb, row_of(Ga, i));
    T *moment = panel + i * t.stride, *force = panel + (i + 3) * t.stride;
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) {
      moment[c] -= crossed[c];
      moment[c + 3] -= Ga(i, c);
      force[c] -= Gb(c, i);
      force[c + 3] -= N(i, c);
    }
  }
}

template <int R, class T>
DELASSUS_INLINE void stiffen_pair(const RowWeights<T>& w, const T* values, const Points::Point& a,
                                  const Points::Point& b, T* panel, int stride) {
  const Mat3<T> N = stiffness_between<R>(w, values, a, b);
  const Vec3<T> la = vector_at(values + a.value), lb = vector_at(values + b.value);
  const Mat3<T> G = cross_columns(la, N);
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    const Vec3<T> G_lb = cross(lb, row_of(G, i)), N_lb = cross(lb, row_of(N, i));
    T *moment = panel + i * stride, *force = panel + (i + 3) * stride;
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) {
      moment[c] += G_lb[c];
      moment[c + 3] += G(i, c);
      force[c] += N_lb[c];
      force[c + 3] += N(i, c);
    }
  }
}

/// Kᵀ R K on nodes and between them.
template <class T>
void stiffen(const Points& points, const Placed<T>& p, const RowWeights<T>& w, const Stiffened<T>& to) {
  const T* values = p.rows.values.data();
  const bool strips = stiffens_strips(w);
  for (const Points::Point& point : without_strips(points.list, strips, points.loose)) {
    with_directions(point.rows, [&](auto R) { stiffen_point<R()>(w, values, point, to.H[point.slot]); });
  }
  for (const Points::Twins& t : without_strips(points.twins, strips, points.loose_twins)) {
    with_directions(t.earlier.rows, [&](auto R) { stiffen_twins<R()>(w, values, t, to); });
  }
  for (const Points::Pair& pair : points.pairs) {
    const Points::Point &a = points.list[pair.earlier], &b = points.list[pair.later];
    with_directions(a.rows, [&](auto R) { stiffen_pair<R()>(w, values, a, b, &to.panel[pair.to], pair.stride); });
  }
}

}  // namespace delassus::condensed
