// Cholesky factorization of dense matrices of any size, and solves with the factor; in place and without allocation.
//
// Left-looking, in tiles of a chunk of rows by some columns that stay in registers while all columns before them are
// subtracted. Neither the order of sums nor the test of pivots depends on the tiles.
#pragma once

#include "delassus/math/error.hpp"
#include "delassus/math/view.hpp"
#include "math/columns.hpp"

namespace delassus {

/// Columns [column, column + kWidth) of a chunk of rows, less what the columns before them take away.
template <class X, int kWidth, class T>
DELASSUS_INLINE void load_reduced(const LowerView<T>& A, int row, int column, X (&x)[kWidth]) {
  DELASSUS_UNROLL
  for (int c = 0; c < kWidth; ++c) x[c] = load<X>(A.at(row, column + c));
  for (int k = 0; k < column; ++k) {
    const X left = load<X>(A.at(row, k));
    const T* right = A.at(column, k);
    DELASSUS_UNROLL
    for (int c = 0; c < kWidth; ++c) x[c] -= left * right[c];
  }
}

/// Factors a block on the diagonal. How many pivots are above their floors.
template <int kWidth, class T>
DELASSUS_INLINE int factor_block(const LowerView<T>& A, const T* floor) {
  DELASSUS_UNROLL
  for (int c = 0; c < kWidth; ++c) {
    if (!all_lanes(floor[c] < A(c, c))) return c;
    A(c, c) = T(1) / sqrt(A(c, c));
    DELASSUS_UNROLL
    for (int r = c + 1; r < kWidth; ++r) A(r, c) = A(r, c) * A(c, c);
    DELASSUS_UNROLL
    for (int k = c + 1; k < kWidth; ++k) {
      DELASSUS_UNROLL
      for (int r = k; r < kWidth; ++r) A(r, k) -= A(r, c) * A(k, c);
    }
  }
  return kWidth;
}

/// x ← L⁻¹ x of a block on the diagonal.
template <class X, int kWidth, class T>
DELASSUS_INLINE void solve_block(const LowerView<T>& L, X (&x)[kWidth]) {
  DELASSUS_UNROLL
  for (int c = 0; c < kWidth; ++c) {
    DELASSUS_UNROLL
    for (int k = 0; k < c; ++k) x[c] -= x[k] * L(c, k);
    x[c] = x[c] * L(c, c);
  }
}

/// A = L Lᵀ, L written over the lower triangle with the inverses of its diagonal. kNotPositive names the first row whose
/// pivot is not above its floor: how large rounding alone could make it.
template <class T>
Status cholesky_in_place(LowerView<T> A, VectorView<const T> floor) {
  const int rows = floor.size();
  Status status;
  for_each_block<kColumns<T>>(rows, [&](auto width, int column) {
    if (!status.ok()) return;
    constexpr int kWidth = width();
    const LowerView<T> diagonal = A.block(column, column);
    for_each_chunk<T>(kWidth, [&]<class X>(std::type_identity<X>, int at) {
      X x[kWidth];
      load_reduced(A, column + at, column, x);
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) store(diagonal.at(at, c), x[c]);
    });
    const int positive = factor_block<kWidth>(diagonal, floor.data() + column);
    if (positive < kWidth) {
      status = {Status::Code::kNotPositive, column + positive};
      return;
    }
    const int below = column + kWidth;
    for_each_chunk<T>(rows - below, [&]<class X>(std::type_identity<X>, int at) {
      X x[kWidth];
      load_reduced(A, below + at, column, x);
      solve_block(diagonal, x);
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) store(A.at(below + at, column + c), x[c]);
    });
  });
  return status;
}

/// x ← L⁻¹ x with L of cholesky_in_place; x as in columns.hpp.
template <class X, class T>
void solve_lower(LowerView<const T> L, int rows, T* x) {
  constexpr int N = kVectors<X, T>;
  for_each_block<kColumns<T>>(rows, [&](auto width, int column) {
    constexpr int kWidth = width();
    X part[kWidth];
    DELASSUS_UNROLL
    for (int c = 0; c < kWidth; ++c) part[c] = load<X>(x + N * (column + c));
    solve_block(L.block(column, column), part);
    DELASSUS_UNROLL
    for (int c = 0; c < kWidth; ++c) {
      store(x + N * (column + c), part[c]);
      part[c] = -part[c];
    }
    const int below = column + kWidth;
    add_columns(L.block(below, column), rows - below, part, x + N * below);
  });
}

/// x ← L⁻ᵀ x.
template <class X, class T>
void solve_lower_transposed(LowerView<const T> L, int rows, T* x) {
  constexpr int N = kVectors<X, T>;
  for_each_block<kColumns<T>>(rows, [&](auto width, int done) {
    constexpr int kWidth = width();
    const int below = rows - done, column = below - kWidth;
    X part[kWidth];
    DELASSUS_UNROLL
    for (int c = 0; c < kWidth; ++c) part[c] = load<X>(x + N * (column + c));
    subtract_transposed(L.block(below, column), done, x + N * below, part);
    const LowerView<const T> diagonal = L.block(column, column);
    DELASSUS_UNROLL
    for (int c = kWidth - 1; c >= 0; --c) {
      DELASSUS_UNROLL
      for (int k = c + 1; k < kWidth; ++k) part[c] -= part[k] * diagonal(k, c);
      part[c] = part[c] * diagonal(c, c);
      store(x + N * (column + c), part[c]);
    }
  });
}

/// Right-hand sides that go through an inverse at once.
constexpr int kInversePanel = 8;

/// A⁻¹ from L of cholesky_in_place, all of it, `rows` numbers from one column to the next. The panel has kInversePanel · rows
/// numbers.
template <FloatingPoint T>
void inverse_from_cholesky(LowerView<const T> L, int rows, T* out, T* panel) {
  using X = Pack<T, kInversePanel>;
  for (int first = 0; first < rows; first += kInversePanel) {
    const int width = rows - first < kInversePanel ? rows - first : kInversePanel;
    for (int k = 0; k < kInversePanel * rows; ++k) panel[k] = T(0);
    for (int c = 0; c < width; ++c) panel[kInversePanel * (first + c) + c] = T(1);
    solve_lower<X>(L.block(first, first), rows - first, panel + kInversePanel * first);
    solve_lower_transposed<X>(L, rows, panel);
    for (int c = 0; c < width; ++c) {
      for (int r = 0; r < rows; ++r) out[(first + c) * rows + r] = panel[kInversePanel * r + c];
    }
  }
}

}  // namespace delassus
