// LDLᵀ of small symmetric matrices, unrolled: no square roots, one division per pivot.
#pragma once

#include "delassus/math/mat.hpp"

namespace delassus {

/// A = L D Lᵀ with L unit lower triangular; L below the diagonal and D⁻¹ on it.
template <class T, int N>
struct Ldlt {
  Sym<T, N> factor;

  /// x ← A⁻¹ x for any number of columns; X may be a pack of right-hand sides of T.
  template <class X, int C>
  DELASSUS_INLINE void solve(Mat<X, N, C>& x) const {
    DELASSUS_UNROLL
    for (int c = 0; c < C; ++c) {
      DELASSUS_UNROLL
      for (int r = 1; r < N; ++r) {
        DELASSUS_UNROLL
        for (int k = 0; k < r; ++k) x(r, c) -= factor(r, k) * x(k, c);
      }
      DELASSUS_UNROLL
      for (int i = 0; i < N; ++i) {
        const int r = N - 1 - i;
        x(r, c) = factor(r, r) * x(r, c);
        DELASSUS_UNROLL
        for (int k = r + 1; k < N; ++k) x(r, c) -= factor(k, r) * x(k, c);
      }
    }
  }
};

/// Factors A. `floor` says for each pivot how large rounding alone could make it; `margin` is the smallest excess of a
/// pivot over its floor, so a margin that is not positive means that A is singular to rounding.
template <class T, int N>
DELASSUS_INLINE Ldlt<T, N> factor_ldlt(const Sym<T, N>& A, const Vec<T, N>& floor, T& margin) {
  Ldlt<T, N> out;
  Sym<T, N>& F = out.factor;
  DELASSUS_UNROLL
  for (int j = 0; j < N; ++j) {
    T pivot = A(j, j);
    DELASSUS_UNROLL
    for (int k = 0; k < j; ++k) {
      const T LD = F(j, k);  // row j was left times D; here it becomes L
      F(j, k) = LD * F(k, k);
      pivot -= LD * F(j, k);
    }
    const T excess = pivot - floor[j];
    margin = j == 0 ? excess : min(margin, excess);
    F(j, j) = T(1) / pivot;
    // Column j below the pivot, still times D_j: A_rj - Σ_k (L_rk D_k) L_jk.
    DELASSUS_UNROLL
    for (int r = j + 1; r < N; ++r) {
      T sum = A(r, j);
      DELASSUS_UNROLL
      for (int k = 0; k < j; ++k) sum -= F(r, k) * F(j, k);
      F(r, j) = sum;
    }
  }
  return out;
}

}  // namespace delassus
