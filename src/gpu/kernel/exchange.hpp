// Sums over the lanes of an environment, in every lane; the same bits in each, and wherever the environment stands in its warp.
#pragma once

#include "gpu/kernel/algebra.hpp"

namespace delassus::gpu {

/// f of every number of a vector, an inertia or a wrench.
template <class T, class F>
DELASSUS_LANE_INLINE void for_numbers(Vector<T>& v, F&& f) {
  f(v.x), f(v.y), f(v.z);
}
template <class T, class F>
DELASSUS_LANE_INLINE void for_numbers(Wrench<T>& w, F&& f) {
  for_numbers(w.angular, f), for_numbers(w.linear, f);
}
template <class T, class F>
DELASSUS_LANE_INLINE void for_numbers(Symmetric<T>& s, F&& f) {
  f(s.xx), f(s.xy), f(s.xz), f(s.yy), f(s.yz), f(s.zz);
}
template <class T, class F>
DELASSUS_LANE_INLINE void for_numbers(Inertia<T>& H, F&& f) {
  for_numbers(H.A, f), for_numbers(H.Bx, f), for_numbers(H.By, f), for_numbers(H.Bz, f), for_numbers(H.C, f);
}

template <class C>
DELASSUS_LANE_INLINE typename C::Number sum_over(typename C::Number x, int lanes) {
  for (int distance = 1; distance < lanes; distance *= 2) x = x + C::exchanged(x, distance);
  return x;
}
/// The largest of the lanes, or NaN if one is.
template <class C>
DELASSUS_LANE_INLINE typename C::Number largest_lane(typename C::Number x) {
  for (int distance = 1; distance < C::kLanes; distance *= 2) {
    const typename C::Number other = C::exchanged(x, distance);
    x = select(other <= x, x, select(x != x, x, other));
  }
  return x;
}
/// Over all lanes.
template <class C, class X>
DELASSUS_LANE_INLINE X sum_lanes(X x) {
  for_numbers(x, [](auto& n) { n = sum_over<C>(n, C::kLanes); });
  return x;
}
/// Over some of them.
template <class C, class X>
DELASSUS_LANE_INLINE X sum_some(X x, typename C::Mask mask) {
  using T = typename C::Number;
  for_numbers(x, [&](auto& n) { n = sum_over<C>(select(mask, n, T(0)), C::kLanes); });
  return x;
}
/// Over the half of the lanes that this one is in, and over the other.
template <class C, class X>
DELASSUS_LANE_INLINE X sum_half(X x) {
  for_numbers(x, [](auto& n) { n = sum_over<C>(n, C::kLanes / 2); });
  return x;
}
template <class C, class X>
DELASSUS_LANE_INLINE X from_other_half(X x) {
  for_numbers(x, [](auto& n) { n = C::exchanged(n, C::kLanes / 2); });
  return x;
}

template <class M, class T>
DELASSUS_LANE_INLINE Vector<T> select(M mask, const Vector<T>& a, const Vector<T>& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}
template <class M, class T>
DELASSUS_LANE_INLINE Wrench<T> select(M mask, const Wrench<T>& a, const Wrench<T>& b) {
  return {select(mask, a.angular, b.angular), select(mask, a.linear, b.linear)};
}
template <class M, class T>
DELASSUS_LANE_INLINE Axes<T> select(M mask, const Axes<T>& a, const Axes<T>& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}
template <class M, class T>
DELASSUS_LANE_INLINE Symmetric<T> select(M mask, const Symmetric<T>& a, const Symmetric<T>& b) {
  return {select(mask, a.xx, b.xx), select(mask, a.xy, b.xy), select(mask, a.xz, b.xz),
          select(mask, a.yy, b.yy), select(mask, a.yz, b.yz), select(mask, a.zz, b.zz)};
}
template <class M, class T>
DELASSUS_LANE_INLINE Inertia<T> select(M mask, const Inertia<T>& a, const Inertia<T>& b) {
  return {select(mask, a.A, b.A), select(mask, a.Bx, b.Bx), select(mask, a.By, b.By), select(mask, a.Bz, b.Bz),
          select(mask, a.C, b.C)};
}

}  // namespace delassus::gpu
