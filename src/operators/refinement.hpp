// Iterative refinement of a damped solve: z gains the solve of its own residual while that makes the residual smaller.
#pragma once

#include "delassus/math/pack.hpp"

namespace delassus {

template <class T>
DELASSUS_INLINE T magnitude(T x) {
  return max(x, -x);
}

/// The largest of some numbers, by magnitude. Of a dual number the derivative counts as well: it has to converge too.
template <class X>
X largest(const X* x, int size);

/// `residual_of(z)` leaves the residual in `remainder` and returns its largest entry, `solve(b, z)` solves once. At most so many
/// steps, until the residual is below `rounding`; returns where it ended. Each lane of a pack goes its own way: what is done
/// stays, and so does what a step would make worse.
template <class T, class Solve, class Residual>
T refine(int steps, const T& rounding, int rows, T* z, const T* remainder, T* step, Solve&& solve,
         Residual&& residual_of) {
  T residual = residual_of(z);
  for (int k = 0; k < steps && !all_lanes(residual < rounding); ++k) {
    solve(remainder, step);
    for (int r = 0; r < rows; ++r) step[r] += z[r];
    const T after = residual_of(step);
    const auto better = after < residual;
    const auto open = rounding < residual;
    for (int r = 0; r < rows; ++r) z[r] = select(better, select(open, step[r], z[r]), z[r]);
    residual = select(better, select(open, after, residual), residual);
  }
  return residual;
}

/// The row whose residual is largest.
template <class T>
int worst_row(const T* remainder, int rows) {
  int worst = 0;
  for (int r = 1; r < rows; ++r) {
    if (all_lanes(magnitude(remainder[worst]) < magnitude(remainder[r]))) worst = r;
  }
  return worst;
}

}  // namespace delassus
