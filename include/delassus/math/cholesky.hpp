// Cholesky factorization of dense matrices of any size, in place and without allocation: plain loops for every scalar.
#pragma once

#include "delassus/math/error.hpp"
#include "delassus/math/scalar.hpp"
#include "delassus/math/view.hpp"

namespace delassus {

/// A = L Lᵀ, L written over the lower triangle. kNotPositive names the row whose pivot is not above its floor: how large
/// rounding alone could make it.
template <class T>
Status cholesky_in_place(MatrixView<T> A, VectorView<const T> floor) {
  for (int j = 0; j < A.rows(); ++j) {
    T pivot = A(j, j);
    for (int k = 0; k < j; ++k) pivot -= A(j, k) * A(j, k);
    if (!all_lanes(floor[j] < pivot)) return {Status::Code::kNotPositive, j};
    const T root = sqrt(pivot);
    const T inverse = T(1) / root;
    A(j, j) = root;
    for (int i = j + 1; i < A.rows(); ++i) {
      T sum = A(i, j);
      for (int k = 0; k < j; ++k) sum -= A(i, k) * A(j, k);
      A(i, j) = sum * inverse;
    }
  }
  return {};
}

/// x ← L⁻¹ x.
template <class T>
void solve_lower(MatrixView<const T> L, VectorView<T> x) {
  for (int i = 0; i < L.rows(); ++i) {
    T sum = x[i];
    for (int k = 0; k < i; ++k) sum -= L(i, k) * x[k];
    x[i] = sum / L(i, i);
  }
}

/// x ← L⁻ᵀ x.
template <class T>
void solve_lower_transposed(MatrixView<const T> L, VectorView<T> x) {
  for (int i = L.rows() - 1; i >= 0; --i) {
    T sum = x[i];
    for (int k = i + 1; k < L.rows(); ++k) sum -= L(k, i) * x[k];
    x[i] = sum / L(i, i);
  }
}

}  // namespace delassus
