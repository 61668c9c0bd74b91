// Iterative refinement of a damped solve: z gains the solve of its own residual while that makes the residual smaller.
#pragma once

#include <algorithm>

#include "delassus/math/chunks.hpp"
#include "delassus/math/pack.hpp"

namespace delassus {

template <class T>
DELASSUS_INLINE T magnitude(T x) {
  return max(x, -x);
}

/// The largest of some numbers: in chunks, so that none waits for the last.
template <class X>
X largest(const X* x, int size) {
  X most(0);
  if constexpr (FloatingPoint<X>) {
    using V = Pack<X, 4>;
    V lanes(0);
    const int whole = size / 4 * 4;
    for (int r = 0; r < whole; r += 4) lanes = max(lanes, magnitude(load<V>(x + r)));
    for (int k = 0; k < 4; ++k) most = max(most, lanes[k]);
    for (int r = whole; r < size; ++r) most = max(most, magnitude(x[r]));
  } else {
    for (int r = 0; r < size; ++r) most = max(most, magnitude(x[r]));
  }
  return most;
}

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
