// Limbs: a pack whose lanes are limbs of one robot (model/limb_model.hpp). What the limbs hang on, the trunk, is in every lane.
//
// A quantity of a trunk link that others add to (forces and inertias of what hangs on it, rows that act on it) is kept as parts:
// each lane has what its limb added, and the sum over the lanes is the quantity. Whoever reads it joins the parts; whoever hands
// on what all lanes hold puts it into one of them. Nothing else tells the lanes of a robot from those of environments.
#pragma once

#include <cstdint>

#include "delassus/math/pack.hpp"
#include "delassus/math/rotation.hpp"
#include "math/articulated_inertia.hpp"

namespace delassus {

/// f of every number.
template <class T, class F>
requires kFolded<T> DELASSUS_INLINE T mapped(const T& x, F&& f) { return f(x); }
template <class T, int R, int C, class F>
DELASSUS_INLINE Mat<T, R, C> mapped(Mat<T, R, C> x, F&& f) {
  DELASSUS_UNROLL
  for (int k = 0; k < R * C; ++k) x.a[k] = f(x.a[k]);
  return x;
}
template <class T, int N, class F>
DELASSUS_INLINE Sym<T, N> mapped(Sym<T, N> x, F&& f) {
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, N>::kSize; ++k) x.a[k] = f(x.a[k]);
  return x;
}
template <class T, class F>
DELASSUS_INLINE Pose<T> mapped(const Pose<T>& x, F&& f) {
  return {mapped(x.R, f), mapped(x.p, f)};
}
template <class T, class F>
DELASSUS_INLINE Motion<T> mapped(const Motion<T>& x, F&& f) {
  return {mapped(x.angular, f), mapped(x.linear, f)};
}
template <class T, class F>
DELASSUS_INLINE Force<T> mapped(const Force<T>& x, F&& f) {
  return {mapped(x.moment, f), mapped(x.force, f)};
}
template <class T, class F>
DELASSUS_INLINE ArticulatedInertia<T> mapped(const ArticulatedInertia<T>& x, F&& f) {
  return {mapped(x.A, f), mapped(x.B, f), mapped(x.M, f)};
}

// What lanes do with each other.

/// The same number in each, whatever order they are in.
DELASSUS_INLINE Limbs sum_of_lanes(const Limbs& x) {
  const Limbs::Vector pairs = x.lanes + __builtin_shufflevector(x.lanes, x.lanes, 2, 3, 0, 1);
  return Limbs(pairs + __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2));
}

/// The largest of the lanes, in every lane.
DELASSUS_INLINE Limbs largest_lane(const Limbs& x) {
  const Limbs pairs = max(x, Limbs(__builtin_shufflevector(x.lanes, x.lanes, 2, 3, 0, 1)));
  return max(pairs, Limbs(__builtin_shufflevector(pairs.lanes, pairs.lanes, 1, 0, 3, 2)));
}
template <class T>
requires(!kFolded<T>) DELASSUS_INLINE T largest_lane(const T& x) { return x; }

DELASSUS_INLINE Limbs keep_lanes(const Limbs& x, LaneSet lanes) {
  using Mask = VectorOf<double, kLimbLanes>::mask;
  const Mask bits{1, 2, 4, 8};
  const PackMask<double, kLimbLanes> mask{((Mask{} + static_cast<std::int64_t>(lanes)) & bits) != 0};
  return select(mask, x, Limbs(0));
}

/// The sum over the lanes, in every lane.
template <class X>
DELASSUS_INLINE X joined(const X& x) {
  return mapped(x, [](const auto& n) { return sum_of_lanes(n); });
}

/// What is in these lanes; zero in the others.
template <class X>
DELASSUS_INLINE X masked(const X& x, LaneSet lanes) {
  return mapped(x, [&](const auto& n) { return keep_lanes(n, lanes); });
}

/// Puts together what was masked to different lanes.
template <class X>
DELASSUS_INLINE X together(X x, const X& y) {
  return x += y;
}
template <class T>
DELASSUS_INLINE Pose<T> together(const Pose<T>& x, const Pose<T>& y) {
  return {x.R + y.R, x.p + y.p};
}

/// What all lanes hold, as parts: it is in the first.
template <class X>
DELASSUS_INLINE X in_one_lane(const X& x) {
  return masked(x, 1);
}

}  // namespace delassus
