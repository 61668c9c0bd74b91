// One joint of the articulated-body recursion in world axes, about the origin of its link, where no digits are lost. Every
// factorization of a tree takes this step, whatever it adds to the inertias.
#pragma once

#include "delassus/math/inertia.hpp"
#include "delassus/math/ldlt.hpp"

namespace delassus {

/// Û = U D⁻¹, row by row of the 6 × N matrix.
template <int N, class T>
DELASSUS_INLINE void divide(const Force<T>* U, const Ldlt<T, N>& D, Force<T>* U_hat) {
  Mat<T, N, 6> rows;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) {
      rows(k, c) = U[k].moment[c];
      rows(k, c + 3) = U[k].force[c];
    }
  }
  D.solve(rows);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) {
      U_hat[k].moment[c] = rows(k, c);
      U_hat[k].force[c] = rows(k, c + 3);
    }
  }
}

/// H S, where S of a pure rotation has no linear part: half the work.
template <bool kRotation, class T>
DELASSUS_INLINE Force<T> times_subspace(const ArticulatedInertia<T>& H, const Motion<T>& S) {
  if constexpr (kRotation) return {H.A * S.angular, transposed_times(H.B, S.angular)};
  return H * S;
}
template <bool kRotation, class T, class X>
DELASSUS_INLINE X subspace_power(const Motion<T>& S, const Force<X>& f) {
  if constexpr (kRotation) return dot(S.angular, f.moment);
  return dot(S, f);
}

/// Factors D = Sᵀ H S and what `factor` adds to it. H becomes what is left of it for the parent, and Û is written, unless
/// the joint is on the world, which takes nothing. `factor` returns the margin of the pivots, and so does this.
template <int N, bool kRotation, class T, class Factor>
DELASSUS_INLINE T articulate_joint(const Motion<T>* S, bool on_world, ArticulatedInertia<T>& H, Force<T>* U_hat,
                                   Factor&& factor) {
  Force<T> U[N];
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) U[k] = times_subspace<kRotation>(H, S[k]);
  Sym<T, N> D;
  DELASSUS_UNROLL
  for (int r = 0; r < N; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < r + 1; ++c) D(r, c) = subspace_power<kRotation>(S[r], U[c]);
  }
  Ldlt<T, N> D_factor;
  const T margin = factor(D, D_factor);
  if (on_world) return margin;
  divide<N>(U, D_factor, U_hat);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) downdate(H, U[k], U_hat[k]);
  return margin;
}

}  // namespace delassus
