// LU factorization of dense matrices of any size without pivoting, all of it or its first columns, and solves with the factor; in place and
// without allocation.
//
// Crout's order: block columns of L and block rows of U in turns, in tiles that stay in registers while everything before them is
// subtracted. L has ones on its diagonal; that of U is kept as its inverses. Pivots may have either sign.
#pragma once

#include "math/columns.hpp"

namespace delassus {

/// Columns [column, column + kWidth) of a chunk of rows, less the product of L and U before `pivots`.
template <class X, int kWidth, class T>
DELASSUS_INLINE void load_schur(const LowerView<T>& A, int row, int column, int pivots, X (&x)[kWidth]) {
  DELASSUS_UNROLL
  for (int c = 0; c < kWidth; ++c) x[c] = load<X>(A.at(row, column + c));
  const T* right = A.at(0, column);
  for (int k = 0; k < pivots; ++k) {
    const X left = load<X>(A.at(row, k));
    DELASSUS_UNROLL
    for (int c = 0; c < kWidth; ++c) x[c] -= left * right[c * A.stride + k];
  }
}

/// Factors a block on the diagonal. How many of its pivots have an inverse.
template <int kWidth, class T>
DELASSUS_INLINE int factor_lu_block(const LowerView<T>& A) {
  DELASSUS_UNROLL
  for (int p = 0; p < kWidth; ++p) {
    const T inverse = T(1) / A(p, p);
    if (!all_lanes(is_finite(inverse))) return p;
    A(p, p) = inverse;
    DELASSUS_UNROLL
    for (int r = p + 1; r < kWidth; ++r) {
      A(r, p) = A(r, p) * inverse;
      DELASSUS_UNROLL
      for (int c = p + 1; c < kWidth; ++c) A(r, c) -= A(r, p) * A(p, c);
    }
  }
  return kWidth;
}

/// x ← x U⁻¹ of a block on the diagonal.
template <class X, int kWidth, class T>
DELASSUS_INLINE void divide_by_upper(const LowerView<T>& U, X (&x)[kWidth]) {
  DELASSUS_UNROLL
  for (int c = 0; c < kWidth; ++c) {
    DELASSUS_UNROLL
    for (int k = 0; k < c; ++k) x[c] -= x[k] * U(k, c);
    x[c] = x[c] * U(c, c);
  }
}

/// The rows of a block on the diagonal, as lanes.
template <class T, int kWidth>
struct LanesOfRows {
  using type = Pack<T, kWidth>;
};
template <class T>
struct LanesOfRows<T, 1> {
  using type = T;
};

/// Block row of U: columns from `first` on, L⁻¹ of the block on the diagonal times what is left of them.
template <int kWidth, class T>
DELASSUS_INLINE void finish_upper_rows(const LowerView<T>& A, int row, int first, int size) {
  using X = typename LanesOfRows<T, kWidth>::type;
  [[maybe_unused]] X L[kWidth];
  if constexpr (kWidth > 1) {
    for (int p = 0; p < kWidth; ++p) {
      L[p] = X(0);
      for (int r = p + 1; r < kWidth; ++r) L[p].set(r, A(row + r, row + p));
    }
  }
  for_each_block<kColumns<T>>(size - first, [&](auto columns, int at) {
    constexpr int kTile = columns();
    X x[kTile];
    load_schur(A, row, first + at, row, x);
    DELASSUS_UNROLL
    for (int c = 0; c < kTile; ++c) {
      if constexpr (kWidth > 1) {
        DELASSUS_UNROLL
        for (int p = 0; p + 1 < kWidth; ++p) x[c] -= L[p] * x[c][p];
      }
      store(A.at(row, first + at + c), x[c]);
    }
  });
}

/// Calls f with the widths of block columns.
template <class T, class F>
DELASSUS_INLINE void for_each_lu_block(int count, F&& f) {
  if constexpr (FloatingPoint<T>) {
    for_each_block<kChunk<T>, 4, 2>(count, f);
  } else {
    for_each_block<1>(count, f);
  }
}

/// Factors the first `pivots` columns and rows of a matrix of size × size, and leaves what remains of the others (the Schur complement) in
/// their place. Returns `pivots`, or the first column whose pivot has no inverse.
template <class T>
int lu_in_place(LowerView<T> A, int size, int pivots) {
  int factored = 0;
  for_each_lu_block<T>(pivots, [&](auto width, int column) {
    if (factored < column) return;
    constexpr int kWidth = width();
    const LowerView<T> diagonal = A.block(column, column);
    for_each_chunk<T>(kWidth, [&]<class X>(std::type_identity<X>, int at) {
      X x[kWidth];
      load_schur(A, column + at, column, column, x);
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) store(diagonal.at(at, c), x[c]);
    });
    factored += factor_lu_block<kWidth>(diagonal);
    const int below = column + kWidth;
    if (factored < below) return;
    for_each_chunk<T>(size - below, [&]<class X>(std::type_identity<X>, int at) {
      X x[kWidth];
      load_schur(A, below + at, column, column, x);
      divide_by_upper(diagonal, x);
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) store(A.at(below + at, column + c), x[c]);
    });
    finish_upper_rows<kWidth>(A, column, below, size);
  });
  if (factored < pivots) return factored;
  for_each_block<kColumns<T>>(size - pivots, [&](auto width, int column) {
    for_each_chunk<T>(size - pivots, [&]<class X>(std::type_identity<X>, int at) {
      constexpr int kWidth = width();
      X x[kWidth];
      load_schur(A, pivots + at, pivots + column, pivots, x);
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) store(A.at(pivots + at, pivots + column + c), x[c]);
    });
  });
  return factored;
}

/// x ← L⁻¹ x: its first `pivots` entries are solved for, and taken out of the others. x as in columns.hpp.
template <class X, class T>
void solve_unit_lower(LowerView<const T> A, int size, int pivots, T* x) {
  constexpr int N = kVectors<X, T>;
  for_each_block<kColumns<T>>(pivots, [&](auto width, int column) {
    constexpr int kWidth = width();
    const LowerView<const T> diagonal = A.block(column, column);
    X part[kWidth];
    DELASSUS_UNROLL
    for (int c = 0; c < kWidth; ++c) {
      part[c] = load<X>(x + N * (column + c));
      DELASSUS_UNROLL
      for (int k = 0; k < c; ++k) part[c] += part[k] * diagonal(c, k);  // these have been negated
      store(x + N * (column + c), part[c]);
      part[c] = -part[c];
    }
    const int below = column + kWidth;
    add_columns(A.block(below, column), size - below, part, x + N * below);
  });
}

/// x ← U⁻¹ x of the first `pivots` entries; the others are there already.
template <class X, class T>
void solve_upper(LowerView<const T> A, int size, int pivots, T* x) {
  constexpr int N = kVectors<X, T>;
  for_each_block<kColumns<T>>(size - pivots, [&](auto width, int at) {
    constexpr int kWidth = width();
    X part[kWidth];
    DELASSUS_UNROLL
    for (int c = 0; c < kWidth; ++c) part[c] = -load<X>(x + N * (pivots + at + c));
    add_columns(A.block(0, pivots + at), pivots, part, x);
  });
  for_each_block<kColumns<T>>(pivots, [&](auto width, int done) {
    constexpr int kWidth = width();
    const int column = pivots - done - kWidth;
    const LowerView<const T> diagonal = A.block(column, column);
    X part[kWidth];
    DELASSUS_UNROLL
    for (int c = kWidth - 1; c >= 0; --c) {
      part[c] = load<X>(x + N * (column + c));
      DELASSUS_UNROLL
      for (int k = c + 1; k < kWidth; ++k) part[c] += part[k] * diagonal(c, k);  // these have been negated
      part[c] = part[c] * diagonal(c, c);
      store(x + N * (column + c), part[c]);
      part[c] = -part[c];
    }
    add_columns(A.block(0, column), column, part, x);
  });
}

}  // namespace delassus
