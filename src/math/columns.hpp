// Products with matrices whose columns are contiguous, of a vector or of several at once.
//
// X says which: the scalar itself for a vector; for several a pack, one lane for each, and their numbers stand row by row.
// A vector runs down the columns several rows at a time, several vectors go together from row to row.
#pragma once

#include "delassus/math/view.hpp"
#include "math/chunks.hpp"

namespace delassus {

/// How many columns kernels take at once, so that they share what is read and written of x and y. Scalars that are no plain
/// numbers go one by one, so that operation counts are those of the formulas.
template <class T>
constexpr int kColumns = FloatingPoint<T> ? 4 : 1;

/// Numbers in each row of x.
template <class X, class T>
constexpr int kVectors = static_cast<int>(sizeof(X) / sizeof(T));

/// In pairs. Only what is a pack of the scalar T has lanes; a pack that is the scalar itself has none.
template <class T, class X>
DELASSUS_INLINE T sum_lanes(const X& x) {
  if constexpr (std::same_as<X, T>) {
    return x;
  } else if constexpr (X::kWidth == 2) {
    return x[0] + x[1];
  } else {
    const T* lanes = reinterpret_cast<const T*>(&x.lanes);
    using Half = Pack<T, X::kWidth / 2>;
    return sum_lanes<T>(load<Half>(lanes) + load<Half>(lanes + Half::kWidth));
  }
}

/// y ← y + A x for the first kWidth columns of A.
template <class X, int kWidth, class T>
DELASSUS_INLINE void add_columns(const LowerView<const T>& A, int rows, const X (&x)[kWidth], T* y) {
  if constexpr (std::same_as<X, T>) {
    for_each_chunk<T>(rows, [&]<class Y>(std::type_identity<Y>, int r) {
      Y sum = load<Y>(y + r);
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) sum += load<Y>(A.at(r, c)) * x[c];
      store(y + r, sum);
    });
  } else {
    for (int r = 0; r < rows; ++r, y += X::kWidth) {
      X sum = load<X>(y);
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) sum += x[c] * A(r, c);
      store(y, sum);
    }
  }
}

/// x ← x - Aᵀ y for the first kWidth columns of A.
template <class X, int kWidth, class T>
DELASSUS_INLINE void subtract_transposed(const LowerView<const T>& A, int rows, const T* y, X (&x)[kWidth]) {
  if constexpr (std::same_as<X, T> && FloatingPoint<T>) {
    using Wide = Pack<T, kChunk<T>>;
    Wide sum[kWidth];
    DELASSUS_UNROLL
    for (int c = 0; c < kWidth; ++c) sum[c] = Wide(0);
    for_each_chunk<T>(rows, [&]<class Y>(std::type_identity<Y>, int r) {
      const Y y_r = load<Y>(y + r);
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) {
        const Y product = load<Y>(A.at(r, c)) * y_r;
        if constexpr (std::same_as<Y, Wide>) {
          sum[c] += product;
        } else {
          x[c] -= sum_lanes<T>(product);
        }
      }
    });
    DELASSUS_UNROLL
    for (int c = 0; c < kWidth; ++c) x[c] -= sum_lanes<T>(sum[c]);
  } else {
    for (int r = 0; r < rows; ++r, y += kVectors<X, T>) {
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) x[c] -= load<X>(y) * A(r, c);
    }
  }
}

/// y = A x for so many packs of rows, with sums that stay in registers.
template <class Y, int kPacks, class T>
DELASSUS_INLINE void multiply_packs(const LowerView<const T>& A, int columns, const T* x, T* y) {
  constexpr int kWidth = kVectors<Y, T>;
  Y sum[kPacks];
  DELASSUS_UNROLL
  for (int k = 0; k < kPacks; ++k) sum[k] = Y(0);
  for (int c = 0; c < columns; ++c) {
    DELASSUS_UNROLL
    for (int k = 0; k < kPacks; ++k) sum[k] += load<Y>(A.at(k * kWidth, c)) * x[c];
  }
  DELASSUS_UNROLL
  for (int k = 0; k < kPacks; ++k) store(y + k * kWidth, sum[k]);
}

template <class T>
void multiply_in_registers(LowerView<const T> A, int rows, const T* x, T* y) {
  using Wide = Pack<T, kChunk<T>>;
  const int whole = rows / kChunk<T>, rest = whole * kChunk<T>;
  for_each_block<4, 3, 2>(whole, [&](auto packs, int at) {
    multiply_packs<Wide, packs()>(A.block(at * kChunk<T>, 0), rows, x, y + at * kChunk<T>);
  });
  for_each_chunk<T>(rows - rest, [&]<class Y>(std::type_identity<Y>, int at) {
    multiply_packs<Y, 1>(A.block(rest + at, 0), rows, x, y + rest + at);
  });
}

/// Rows up to which a matrix of doubles lies in the nearest cache, where strides cost nothing.
inline constexpr int kNearRows = 64;

/// y = A x, A square.
template <class X, class T>
void multiply_columns(LowerView<const T> A, int rows, const T* x, T* y) {
  if constexpr (std::same_as<X, T> && FloatingPoint<T>) {
    if (rows <= kNearRows) return multiply_in_registers(A, rows, x, y);
  }
  constexpr int N = kVectors<X, T>;
  for (int r = 0; r < N * rows; ++r) y[r] = T(0);
  for_each_block<kColumns<T>>(rows, [&](auto width, int c) {
    constexpr int kWidth = width();
    X some[kWidth];
    DELASSUS_UNROLL
    for (int k = 0; k < kWidth; ++k) some[k] = load<X>(x + N * (c + k));
    add_columns(A.block(0, c), rows, some, y);
  });
}

}  // namespace delassus
