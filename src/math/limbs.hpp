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
template <class F>
DELASSUS_INLINE Limbs mapped(const Limbs& x, F&& f) {
  return f(x);
}
template <int R, int C, class F>
DELASSUS_INLINE Mat<Limbs, R, C> mapped(Mat<Limbs, R, C> x, F&& f) {
  DELASSUS_UNROLL
  for (int k = 0; k < R * C; ++k) x.a[k] = f(x.a[k]);
  return x;
}
template <int N, class F>
DELASSUS_INLINE Sym<Limbs, N> mapped(Sym<Limbs, N> x, F&& f) {
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<Limbs, N>::kSize; ++k) x.a[k] = f(x.a[k]);
  return x;
}
template <class F>
DELASSUS_INLINE Pose<Limbs> mapped(const Pose<Limbs>& x, F&& f) {
  return {mapped(x.R, f), mapped(x.p, f)};
}
template <class F>
DELASSUS_INLINE Motion<Limbs> mapped(const Motion<Limbs>& x, F&& f) {
  return {mapped(x.angular, f), mapped(x.linear, f)};
}
template <class F>
DELASSUS_INLINE Force<Limbs> mapped(const Force<Limbs>& x, F&& f) {
  return {mapped(x.moment, f), mapped(x.force, f)};
}
template <class F>
DELASSUS_INLINE ArticulatedInertia<Limbs> mapped(const ArticulatedInertia<Limbs>& x, F&& f) {
  return {mapped(x.A, f), mapped(x.B, f), mapped(x.M, f)};
}

/// The sum over the lanes, in every lane; the same number in each, whatever order they are in.
template <class X>
DELASSUS_INLINE X joined(const X& x) {
  return mapped(x, [](const Limbs& n) {
    const Limbs::Vector pairs = n.lanes + __builtin_shufflevector(n.lanes, n.lanes, 2, 3, 0, 1);
    return Limbs(pairs + __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2));
  });
}

/// The largest of the lanes, in every lane.
DELASSUS_INLINE Limbs largest_lane(const Limbs& x) {
  const Limbs pairs = max(x, Limbs(__builtin_shufflevector(x.lanes, x.lanes, 2, 3, 0, 1)));
  return max(pairs, Limbs(__builtin_shufflevector(pairs.lanes, pairs.lanes, 1, 0, 3, 2)));
}
template <class T>
DELASSUS_INLINE T largest_lane(const T& x) {
  return x;
}

DELASSUS_INLINE PackMask<double, kLimbLanes> mask_of(LaneSet lanes) {
  using Mask = VectorOf<double, kLimbLanes>::mask;
  const Mask bits{1, 2, 4, 8};
  return {((Mask{} + static_cast<std::int64_t>(lanes)) & bits) != 0};
}

/// What is in these lanes; zero in the others.
template <class X>
DELASSUS_INLINE X masked(const X& x, LaneSet lanes) {
  const auto mask = mask_of(lanes);
  return mapped(x, [&](const Limbs& n) { return select(mask, n, Limbs(0)); });
}

/// Puts together what was masked to different lanes.
template <class X>
DELASSUS_INLINE X together(X x, const X& y) {
  return x += y;
}
DELASSUS_INLINE Pose<Limbs> together(const Pose<Limbs>& x, const Pose<Limbs>& y) { return {x.R + y.R, x.p + y.p}; }

/// What all lanes hold, as parts: it is in the first.
template <class X>
DELASSUS_INLINE X in_one_lane(const X& x) {
  return masked(x, 1);
}

}  // namespace delassus
