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

/// The same with pivots two by two: the second of a pair comes from the determinant of both, so that its division need not wait for that of the first. For one
/// matrix at a time, which is a chain of divisions.
template <class T, int N>
DELASSUS_INLINE Ldlt<T, N> factor_ldlt_by_pairs(const Sym<T, N>& A, const Vec<T, N>& floor, T& margin) {
  Ldlt<T, N> out;
  Sym<T, N>& F = out.factor;
  DELASSUS_UNROLL
  for (int j = 0; j < N; j += 2) {
    const int next = j + 1 < N ? j + 1 : j;  // j where there is no second one
    T first = A(j, j), both = A(next, j), second = A(next, next);
    DELASSUS_UNROLL
    for (int k = 0; k < j; ++k) {
      const T LD = F(j, k), next_LD = F(next, k);  // rows were left times D; here they become L
      const T L = LD * F(k, k), next_L = next_LD * F(k, k);
      first -= LD * L;
      both -= next_LD * L;
      second -= next_LD * next_L;
      F(j, k) = L;
      F(next, k) = next_L;
    }
    const T inverse = T(1) / first;
    const T excess = first - floor[j];
    margin = j == 0 ? excess : min(margin, excess);
    if (next > j) {
      const T determinant = first * second - both * both;
      F(next, next) = first * (T(1) / determinant);
      F(next, j) = both * inverse;
      margin = min(margin, determinant * inverse - floor[next]);
    }
    F(j, j) = inverse;
    // Columns below, still times D.
    DELASSUS_UNROLL
    for (int r = j + 2; r < N; ++r) {
      T left = A(r, j), right = A(r, next);
      DELASSUS_UNROLL
      for (int k = 0; k < j; ++k) {
        left -= F(r, k) * F(j, k);
        right -= F(r, k) * F(next, k);
      }
      F(r, next) = right - left * F(next, j);
      F(r, j) = left;
    }
  }
  return out;
}

}  // namespace delassus
