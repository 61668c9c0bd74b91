// Between packs and as many plain arrays as they have lanes.
#pragma once

#include "math/limbs.hpp"

namespace delassus {

/// One number from each of four places.
DELASSUS_INLINE Limbs from_four(double a, double b, double c, double d) { return Limbs(Limbs::Vector{a, b, c, d}); }

/// Entries of four arrays become lanes.
DELASSUS_INLINE void gather_lanes(const double* const (&from)[kLimbLanes], int count, Limbs* to) {
  for (int k = 0; k < count; ++k) to[k] = from_four(from[0][k], from[1][k], from[2][k], from[3][k]);
}

/// Lanes become entries of four arrays: four at a time, as the columns of a 4 × 4 matrix.
DELASSUS_INLINE void scatter_lanes(const Limbs* from, int count, double* const (&to)[kLimbLanes]) {
  using V = Limbs::Vector;
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const V a = from[k].lanes, b = from[k + 1].lanes, c = from[k + 2].lanes, d = from[k + 3].lanes;
    const V ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const V cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    const V columns[kLimbLanes] = {
        __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5), __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5),
        __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7), __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7)};
    for (int lane = 0; lane < kLimbLanes; ++lane) __builtin_memcpy(to[lane] + k, &columns[lane], sizeof(V));
  }
  for (; k < count; ++k) {
    for (int lane = 0; lane < kLimbLanes; ++lane) to[lane][k] = from[k][lane];
  }
}

}  // namespace delassus
