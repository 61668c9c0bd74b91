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

/// When refinement ends: once the residual is below `rounding`; or once it is below `enough` and a step has left much more than a solve leaves of a
/// right-hand side of this size. Then it is the product that is not exact, because solutions are large, and more steps would not help.
template <class T>
struct RefinementEnd {
  T rounding;
  T enough = T(0);
  T scale = T(1);
};

/// `residual_of(z)` leaves the residual in `remainder` and returns its largest entry, `solve(b, z)` solves once. At most so many
/// steps; returns where the residual ended. Each lane of a pack goes its own way: what is done
/// stays, and so does what a step would make worse.
template <class T, class Solve, class Residual>
T refine(int steps, const RefinementEnd<T>& end, int rows, T* z, const T* remainder, T* step, Solve&& solve,
         Residual&& residual_of) {
  constexpr double kMuchMore = 10;
  T residual = residual_of(z), rounding = end.rounding;
  for (int k = 0; k < steps && !all_lanes(residual < rounding); ++k) {
    solve(remainder, step);
    for (int r = 0; r < rows; ++r) step[r] += z[r];
    const T after = residual_of(step);
    const auto better = after < residual;
    const auto open = rounding < residual;
    const T reached = select(after < end.enough, after + after, rounding);
    rounding = select(T(kMuchMore) * residual * residual < after * end.scale, max(rounding, reached), rounding);
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
