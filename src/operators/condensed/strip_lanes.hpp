// Rows in lanes: points on one node, or between the same two, whose rows follow each other (condensed::Strips).
//
// Row t of a strip is lane t % 4 of its pack t / 4: there its wrench is, about the origin of the (earlier) link. So vectors over
// rows are read and written as they are, and what acts on a node is one sum over lanes for all of its points.
#pragma once

#include <span>

#include "math/chunks.hpp"
#include "operators/condensed/factor.hpp"

namespace delassus {

/// Whether products and solves of X with factors of T go through strips: not for several right-hand sides, which have lanes
/// of their own.
template <class T, class X>
inline constexpr bool kInStrips = Laned<T>&& std::same_as<T, X>;

/// Whether Kᵀ R K goes through strips: where R is one weight per row.
template <class T>
bool stiffens_strips(const RowWeights<T>& w) {
  return Laned<T> && w.kind != Damping<T>::Kind::kBlocks;
}

/// All of a list, or those in no strip, which come first.
template <class V>
std::span<const V> without_strips(const std::vector<V>& list, bool strips, int loose) {
  return std::span(list).first(strips ? static_cast<std::size_t>(loose) : list.size());
}

/// What of x is left, at most four numbers; zeros in the other lanes.
template <Laned T>
DELASSUS_INLINE Pack<T, 4> load_lanes(const T* x, int count) {
  using P = Pack<T, 4>;
  if (count >= 4) return load<P>(x);
  if (count == 3) return P(typename P::Vector{x[0], x[1], x[2], T(0)});
  if (count == 2) return P(typename P::Vector{x[0], x[1], T(0), T(0)});
  return P(typename P::Vector{x[0], T(0), T(0), T(0)});
}
template <Laned T>
DELASSUS_INLINE void store_lanes(T* to, const Pack<T, 4>& x, int count) {
  if (count >= 4) return store(to, x);
  to[0] = x[0];
  if (count > 1) to[1] = x[1];
  if (count > 2) to[2] = x[2];
}

/// The sums over the lanes of each.
template <Laned T>
DELASSUS_INLINE Pack<T, 4> lane_sums(const Pack<T, 4>& a, const Pack<T, 4>& b, const Pack<T, 4>& c,
                                     const Pack<T, 4>& d) {
  const auto first =
      __builtin_shufflevector(a.lanes, b.lanes, 0, 4, 2, 6) + __builtin_shufflevector(a.lanes, b.lanes, 1, 5, 3, 7);
  const auto last =
      __builtin_shufflevector(c.lanes, d.lanes, 0, 4, 2, 6) + __builtin_shufflevector(c.lanes, d.lanes, 1, 5, 3, 7);
  return {__builtin_shufflevector(first, last, 0, 1, 4, 5) + __builtin_shufflevector(first, last, 2, 3, 6, 7)};
}
template <Laned T>
DELASSUS_INLINE Lane3<T> lane_sums(const Pack<T, 4>& a, const Pack<T, 4>& b, const Pack<T, 4>& c) {
  return Lane3<T>(lane_sums(a, b, c, c).lanes);
}

/// The components of the wrenches of R rows at a point, from its lever and directions: in the first R lanes, zeros in the others.
template <int R, Laned T>
DELASSUS_INLINE void place_rows(const T* point, Pack<T, 4> (&out)[6]) {
  using P = Pack<T, 4>;
  Lane3<T> d[3] = {Lane3<T>(0, 0, 0), Lane3<T>(0, 0, 0), Lane3<T>(0, 0, 0)};
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {  // four numbers within the point: the last of them are loaded one earlier
    const auto row = load<P>(point + 3 * r + (r + 1 < R ? 3 : 2)).lanes;
    d[r] = Lane3<T>(r + 1 < R ? row : __builtin_shufflevector(row, row, 1, 2, 3, 3));
  }
  transpose(d);
  const Vec3<P> direction{{P(d[0].v), P(d[1].v), P(d[2].v)}};
  const Vec3<P> moment = cross(Vec3<T>{{point[0], point[1], point[2]}}, direction);
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    out[i] = moment[i];
    out[i + 3] = direction[i];
  }
}

/// Pack K of a strip, where the first R lanes of four points follow each other.
template <int R, int K, Laned T>
DELASSUS_INLINE Pack<T, 4> joined(const Pack<T, 4>& a, const Pack<T, 4>& b, const Pack<T, 4>& c, const Pack<T, 4>& d) {
  if constexpr (R == 1) {
    const auto first = __builtin_shufflevector(a.lanes, b.lanes, 0, 4, 0, 4);
    const auto last = __builtin_shufflevector(c.lanes, d.lanes, 0, 4, 0, 4);
    return {__builtin_shufflevector(first, last, 0, 1, 4, 5)};
  } else {
    const Pack<T, 4>* const points[] = {&a, &b, &c, &d};
    constexpr int kFirst = 4 * K / R;
    constexpr auto from = [](int lane) { return (4 * K + lane) % R + ((4 * K + lane) / R == kFirst ? 0 : 4); };
    return {
        __builtin_shufflevector(points[kFirst]->lanes, points[kFirst + 1]->lanes, from(0), from(1), from(2), from(3))};
  }
}

/// Packs of R rows at each of `count` points, four at most.
template <int R, Laned T>
DELASSUS_INLINE void fill_strip(const T* const (&point)[4], int count, Force<Pack<T, 4>>* out) {
  Pack<T, 4> at[4][6];
  DELASSUS_UNROLL
  for (int p = 0; p < 4; ++p) {
    if (p < count) {
      place_rows<R>(point[p], at[p]);
    } else {
      for (int e = 0; e < 6; ++e) at[p][e] = Pack<T, 4>(0);
    }
  }
  const auto put = [&]<int K>(std::integral_constant<int, K>) {
    if (4 * K >= R * count) return;
    DELASSUS_UNROLL
    for (int i = 0; i < 3; ++i) {
      out[K].moment[i] = joined<R, K>(at[0][i], at[1][i], at[2][i], at[3][i]);
      out[K].force[i] = joined<R, K>(at[0][i + 3], at[1][i + 3], at[2][i + 3], at[3][i + 3]);
    }
  };
  put(std::integral_constant<int, 0>{});
  if constexpr (R > 1) put(std::integral_constant<int, 1>{});
  if constexpr (R > 2) put(std::integral_constant<int, 2>{});
}

/// Kᵀ x.
template <Laned T>
DELASSUS_INLINE Force<T> push_strip(const Force<Pack<T, 4>>* K, int rows, const T* x) {
  auto sum = scaled(K[0], load_lanes(x, rows));
  for (int t = 4; t < rows; t += 4) sum += scaled(K[t / 4], load_lanes(x + t, rows - t));
  return {lane_sums(sum.moment[0], sum.moment[1], sum.moment[2]), lane_sums(sum.force[0], sum.force[1], sum.force[2])};
}

/// y += K a, or -=.
template <bool kMinus, Laned T>
DELASSUS_INLINE void pull_strip(const Force<Pack<T, 4>>* K, int rows, const Motion<T>& a, T* y) {
  for (int t = 0; t < rows; t += 4) {
    const Pack<T, 4> before = load_lanes(y + t, rows - t), felt = dot(a, K[t / 4]);
    store_lanes(y + t, kMinus ? before - felt : before + felt, rows - t);
  }
}

/// Kᵀ R K, where R is one weight per row.
template <Laned T>
DELASSUS_INLINE ArticulatedInertia<T> strip_stiffness(const Force<Pack<T, 4>>* K, int rows, const T* weight) {
  using P = Pack<T, 4>;
  Sym<P, 6> G = Sym<P, 6>::zero();
  for (int t = 0; t < rows; t += 4) {
    const P w = load_lanes(weight + t, rows - t);
    const Force<P>& k = K[t / 4];
    const P entry[6] = {k.moment[0], k.moment[1], k.moment[2], k.force[0], k.force[1], k.force[2]};
    DELASSUS_UNROLL
    for (int i = 0; i < 6; ++i) {
      const P weighed = w * entry[i];
      DELASSUS_UNROLL
      for (int j = 0; j < i + 1; ++j) G(i, j) += weighed * entry[j];
    }
  }
  ArticulatedInertia<T> H;
  DELASSUS_UNROLL
  for (int r = 0; r < 3; ++r) {
    H.A.row[r] = lane_sums(G(r, 0), G(r, 1), G(r, 2));
    H.B.row[r] = lane_sums(G(3, r), G(4, r), G(5, r));
    H.M.row[r] = lane_sums(G(r + 3, 3), G(r + 3, 4), G(r + 3, 5));
  }
  return H;
}

}  // namespace delassus
