// Rows at points of links: contacts with what does not move, and pins to it.
#pragma once

#include "gpu/kernel/exchange.hpp"
#include "gpu/kernel/frames.hpp"

namespace delassus::gpu {

template <class S, class C>
struct Points {
  using T = typename C::Number;
  using V = Vector<T>;
  using In = Array<const typename C::Real>;

  static constexpr int kRoom = S::kSlots > 0 ? S::kSlots : 1;

  V lever[kRoom], value[kRoom];  // from the link's origin, in the world; the entry of the vector of rows
  T stiffness[kRoom];            // 1/R, zero where there is no point

  static constexpr int number(int slot, int which) {
    return S::kElements * element::kNumbers + slot * (S::kLevel ? slot::kLevelNumbers : slot::kNumbers) + which;
  }
  static constexpr int index(int slot, int which) {
    return S::kElements * element::kIndices + slot * slot::kIndices + which;
  }

  /// After Frames::place of its element.
  DELASSUS_LANE_INLINE void place(const C& lanes, const Axes<T>& axes, const In& in, const T& k, int s) {
    lever[s] = axes * Frames<S, C>::vector_at(lanes, number(s, slot::kPoint));
    value[s] = rows_of(lanes, in, s);
    stiffness[s] = select(C::is_there(row(lanes, s, 0)), k, T(0));
  }
  /// Entries of a vector of rows; zero if there is no such vector.
  DELASSUS_LANE_INLINE static V rows_of(const C& lanes, const In& in, int s) {
    if (in.data == nullptr) return zero_vector<T>();
    return {lanes.load_each(in, row(lanes, s, 0)), lanes.load_each(in, row(lanes, s, 1)),
            lanes.load_each(in, row(lanes, s, 2))};
  }
  DELASSUS_LANE_INLINE static T mobility(const C& lanes, int s) { return lanes.number(number(s, slot::kMobility)); }
  DELASSUS_LANE_INLINE static T friction(const C& lanes, int s) { return lanes.number(number(s, slot::kFriction)); }

  /// What the rows that are there see: the others nothing.
  DELASSUS_LANE_INLINE V seen_rows(const C& lanes, const Wrench<T>& a, int s) const {
    const V all = seen(lanes, a, s);
    if (S::kFullPoints) return all;
    const auto three = C::is_there(row(lanes, s, 1));
    return {all.x, select(three, all.y, T(0)), select(three, all.z, T(0))};
  }
  /// The force of the rows' values, at the link's origin.
  DELASSUS_LANE_INLINE Wrench<T> force(const C& lanes, const V& rows, int s) const {
    V f{rows.y, rows.z, rows.x};
    if (!S::kLevel) {
      f = plus(plus(axis(lanes, s, 0) * rows.x, axis(lanes, s, 1), rows.y), axis(lanes, s, 2), rows.z);
    }
    return {cross(lever[s], f), f};
  }
  /// What the rows see of the motion of their link.
  DELASSUS_LANE_INLINE V seen(const C& lanes, const Wrench<T>& a, int s) const {
    const V v = plus_cross(a.linear, a.angular, lever[s]);
    if (S::kLevel) return {v.z, v.x, v.y};
    return {dot(axis(lanes, s, 0), v), dot(axis(lanes, s, 1), v), dot(axis(lanes, s, 2), v)};
  }
  /// (x, k): all rows of a point have one stiffness, so its inertia is that of a mass k, whatever its axes. A point with fewer rows has
  /// it along those alone.
  DELASSUS_LANE_INLINE Inertia<T> inertia(const C& lanes, int s) const {
    if (S::kFullPoints)
      return rigid_inertia(stiffness[s], lever[s] * stiffness[s], point_inertia(lever[s], lever[s] * stiffness[s]));
    const V n = axis(lanes, s, 0) * select(C::is_there(row(lanes, s, 1)), T(0), T(1));
    return inertia_along(lanes, n, s);
  }

  DELASSUS_LANE_INLINE void store(const C& lanes, const Array<typename C::Real>& out, const V& x, int s,
                                  bool add) const {
    store_row(lanes, out, x.x, s, 0, add), store_row(lanes, out, x.y, s, 1, add), store_row(lanes, out, x.z, s, 2, add);
  }
  DELASSUS_LANE_INLINE static typename C::Index row(const C& lanes, int s, int k) { return lanes.index(index(s, k)); }

 private:
  DELASSUS_LANE_INLINE static V axis(const C& lanes, int s, int k) {
    if (!S::kLevel) return Frames<S, C>::vector_at(lanes, number(s, slot::kAxes + 3 * k));
    const T one(1), zero(0);
    return k == 0 ? V{zero, zero, one} : k == 1 ? V{one, zero, zero} : V{zero, one, zero};
  }
  DELASSUS_LANE_INLINE static void store_row(const C& lanes, const Array<typename C::Real>& out, const T& x, int s,
                                             int k, bool add) {
    const auto r = row(lanes, s, k);
    lanes.store_each(out, r, add ? x + lanes.load_each(out, r) : x, true);
  }
  /// Points with three rows as they are, those with one row along `n` alone: k (r × n; n)(r × n; n)ᵀ.
  DELASSUS_LANE_INLINE Inertia<T> inertia_along(const C&, const V& n, int s) const {
    const auto single = dot(n, n) > T(0);
    const T k = stiffness[s];
    const Inertia<T> full = rigid_inertia(k, lever[s] * k, point_inertia(lever[s], lever[s] * k));
    const V m = cross(lever[s], n), mk = m * k, nk = n * k;
    const Inertia<T> one{{mk.x * m.x, mk.x * m.y, mk.x * m.z, mk.y * m.y, mk.y * m.z, mk.z * m.z},
                         nk * m.x,
                         nk * m.y,
                         nk * m.z,
                         {nk.x * n.x, nk.x * n.y, nk.x * n.z, nk.y * n.y, nk.y * n.z, nk.z * n.z}};
    return select(single, one, full);
  }
};

}  // namespace delassus::gpu
