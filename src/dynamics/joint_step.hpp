// One joint of the articulated-body recursion in world axes, about the origin of its link, where no digits are lost. Every
// factorization of a tree takes this step, whatever it adds to the inertias.
#pragma once

#include "math/articulated_inertia.hpp"
#include "math/ldlt.hpp"

namespace delassus {

/// Û = U D⁻¹: the solve of D with whole columns as its numbers.
template <int N, class T, class Column>
DELASSUS_INLINE void divide(const Column* U, const Ldlt<T, N>& D, Column* U_hat) {
  DELASSUS_UNROLL
  for (int r = 0; r < N; ++r) {
    U_hat[r] = U[r];
    DELASSUS_UNROLL
    for (int k = 0; k < r; ++k) U_hat[r] -= scaled(U_hat[k], D.factor(r, k));
  }
  DELASSUS_UNROLL
  for (int i = 0; i < N; ++i) {
    const int r = N - 1 - i;
    U_hat[r] = scaled(U_hat[r], D.factor(r, r));
    DELASSUS_UNROLL
    for (int k = r + 1; k < N; ++k) U_hat[r] -= scaled(U_hat[k], D.factor(k, r));
  }
}

template <bool kRotation, class T, class Column>
DELASSUS_INLINE auto subspace_power(const Motion<T>& S, const Column& f) {
  if constexpr (kRotation) {
    return dot(S.angular, f.moment);
  } else {
    return dot(S.angular, f.moment) + dot(S.linear, f.force);
  }
}

/// Factors D = Sᵀ H S and what `factor` adds to it. H becomes what is left of it for the parent, and Û is written, unless
/// the joint is on the world, which takes nothing. `factor` returns the margin of the pivots, and so does this.
template <int N, bool kRotation, class T, class Factor>
DELASSUS_INLINE T articulate_joint(const Motion<T>* S, bool on_world, ArticulatedInertia<T>& H,
                                   typename ArticulatedInertia<T>::Column* U_hat, Factor&& factor) {
  typename ArticulatedInertia<T>::Column U[N];
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
