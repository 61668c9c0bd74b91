// Mat<T, R, C> and Sym<T, N>: the small dense matrices that kernels are written in.
//
// Plain values: row-major, no alignment demands (so their layout does not depend on compiler flags), every loop with
// constant bounds and unrolled. Vec<T, N> is a column.
#pragma once

#include "delassus/math/scalar.hpp"

namespace delassus {

template <class T, int R, int C>
struct Mat {
  static constexpr int kRows = R;
  static constexpr int kCols = C;

  T a[R * C];

  DELASSUS_INLINE T& operator()(int r, int c) { return a[r * C + c]; }
  DELASSUS_INLINE const T& operator()(int r, int c) const { return a[r * C + c]; }
  DELASSUS_INLINE T& operator[](int i) { return a[i]; }
  DELASSUS_INLINE const T& operator[](int i) const { return a[i]; }

  DELASSUS_INLINE static Mat zero() { return filled(T(0)); }
  DELASSUS_INLINE static Mat filled(T x) {
    Mat m;
    DELASSUS_UNROLL
    for (int i = 0; i < R * C; ++i) m.a[i] = x;
    return m;
  }
  DELASSUS_INLINE static Mat identity() requires(R == C) {
    Mat m = zero();
    DELASSUS_UNROLL
    for (int i = 0; i < R; ++i) m(i, i) = T(1);
    return m;
  }

  DELASSUS_INLINE Mat& operator+=(const Mat& b) {
    DELASSUS_UNROLL
    for (int i = 0; i < R * C; ++i) a[i] += b.a[i];
    return *this;
  }
  DELASSUS_INLINE Mat& operator-=(const Mat& b) {
    DELASSUS_UNROLL
    for (int i = 0; i < R * C; ++i) a[i] -= b.a[i];
    return *this;
  }
  DELASSUS_INLINE friend Mat operator+(Mat x, const Mat& y) { return x += y; }
  DELASSUS_INLINE friend Mat operator-(Mat x, const Mat& y) { return x -= y; }
  DELASSUS_INLINE friend Mat operator-(const Mat& x) {
    Mat m;
    DELASSUS_UNROLL
    for (int i = 0; i < R * C; ++i) m.a[i] = -x.a[i];
    return m;
  }
  bool operator==(const Mat&) const = default;
};

template <class T, int N>
using Vec = Mat<T, N, 1>;
template <class T>
using Vec3 = Vec<T, 3>;
template <class T>
using Mat3 = Mat<T, 3, 3>;

/// Scaling by the element type or by the scalar it is made of (a pack's lanes by one factor).
template <class S, class T, int R, int C>
requires requires(S s, T t) {
  { s* t } -> std::convertible_to<T>;
}
DELASSUS_INLINE Mat<T, R, C> operator*(S s, const Mat<T, R, C>& x) {
  Mat<T, R, C> m;
  DELASSUS_UNROLL
  for (int i = 0; i < R * C; ++i) m.a[i] = s * x.a[i];
  return m;
}

/// The factors may be of two scalars: one matrix for all lanes of a pack.
template <class S, class T, int R, int K, int C>
DELASSUS_INLINE auto operator*(const Mat<S, R, K>& x, const Mat<T, K, C>& y) {
  using P = decltype(x(0, 0) * y(0, 0));
  Mat<P, R, C> m;
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < C; ++c) {
      P sum = x(r, 0) * y(0, c);
      DELASSUS_UNROLL
      for (int k = 1; k < K; ++k) sum += x(r, k) * y(k, c);
      m(r, c) = sum;
    }
  }
  return m;
}

/// xᵀ y without forming the transpose.
template <class S, class T, int K, int R, int C>
DELASSUS_INLINE auto transposed_times(const Mat<S, K, R>& x, const Mat<T, K, C>& y) {
  using P = decltype(x(0, 0) * y(0, 0));
  Mat<P, R, C> m;
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < C; ++c) {
      P sum = x(0, r) * y(0, c);
      DELASSUS_UNROLL
      for (int k = 1; k < K; ++k) sum += x(k, r) * y(k, c);
      m(r, c) = sum;
    }
  }
  return m;
}

template <class T, int R, int C>
DELASSUS_INLINE Mat<T, C, R> transposed(const Mat<T, R, C>& x) {
  Mat<T, C, R> m;
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < C; ++c) m(c, r) = x(r, c);
  }
  return m;
}

template <class S, class T, int N>
DELASSUS_INLINE auto dot(const Vec<S, N>& x, const Vec<T, N>& y) {
  auto sum = x[0] * y[0];
  DELASSUS_UNROLL
  for (int i = 1; i < N; ++i) sum += x[i] * y[i];
  return sum;
}

template <class S, class T>
DELASSUS_INLINE auto cross(const Vec3<S>& x, const Vec3<T>& y) {
  using P = decltype(x[0] * y[0]);
  return Vec3<P>{{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]}};
}

template <class T, int R, int C>
DELASSUS_INLINE Vec<T, R> column(const Mat<T, R, C>& x, int c) {
  Vec<T, R> v;
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) v[r] = x(r, c);
  return v;
}

template <class T, int R, int C>
DELASSUS_INLINE Mat<T, R, C> cast(const Mat<double, R, C>& x) {
  Mat<T, R, C> m;
  DELASSUS_UNROLL
  for (int i = 0; i < R * C; ++i) m.a[i] = T(x.a[i]);
  return m;
}

/// A symmetric matrix that stores its lower triangle only, by rows: (0,0) (1,0) (1,1) (2,0) ...
template <class T, int N>
struct Sym {
  static constexpr int kSize = N * (N + 1) / 2;

  T a[kSize];

  DELASSUS_INLINE static constexpr int index(int r, int c) {
    return r >= c ? r * (r + 1) / 2 + c : c * (c + 1) / 2 + r;
  }
  DELASSUS_INLINE T& operator()(int r, int c) { return a[index(r, c)]; }
  DELASSUS_INLINE const T& operator()(int r, int c) const { return a[index(r, c)]; }

  DELASSUS_INLINE static Sym zero() { return filled(T(0)); }
  DELASSUS_INLINE static Sym filled(T x) {
    Sym s;
    DELASSUS_UNROLL
    for (int i = 0; i < kSize; ++i) s.a[i] = x;
    return s;
  }
  DELASSUS_INLINE static Sym diagonal(T x) {
    Sym s = zero();
    DELASSUS_UNROLL
    for (int i = 0; i < N; ++i) s(i, i) = x;
    return s;
  }
  DELASSUS_INLINE Sym& operator+=(const Sym& b) {
    DELASSUS_UNROLL
    for (int i = 0; i < kSize; ++i) a[i] += b.a[i];
    return *this;
  }
  DELASSUS_INLINE friend Sym operator+(Sym x, const Sym& y) { return x += y; }
  bool operator==(const Sym&) const = default;
};

template <class T>
using Sym3 = Sym<T, 3>;

template <class T, int N, int C>
DELASSUS_INLINE Mat<T, N, C> operator*(const Sym<T, N>& s, const Mat<T, N, C>& x) {
  Mat<T, N, C> m;
  DELASSUS_UNROLL
  for (int r = 0; r < N; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < C; ++c) {
      T sum = s(r, 0) * x(0, c);
      DELASSUS_UNROLL
      for (int k = 1; k < N; ++k) sum += s(r, k) * x(k, c);
      m(r, c) = sum;
    }
  }
  return m;
}

/// R S Rᵀ for a 3×3 rotation (or any matrix) R.
template <class T>
DELASSUS_INLINE Sym3<T> congruence(const Mat3<T>& R, const Sym3<T>& S) {
  const Mat3<T> SRt = S * transposed(R);
  Sym3<T> out;
  DELASSUS_UNROLL
  for (int r = 0; r < 3; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < r + 1; ++c) out(r, c) = SRt(0, r) * R(c, 0) + SRt(1, r) * R(c, 1) + SRt(2, r) * R(c, 2);
  }
  return out;
}

template <class T, int N>
DELASSUS_INLINE Sym<T, N> cast(const Sym<double, N>& x) {
  Sym<T, N> s;
  DELASSUS_UNROLL
  for (int i = 0; i < Sym<T, N>::kSize; ++i) s.a[i] = T(x.a[i]);
  return s;
}

template <class T, int N>
DELASSUS_INLINE Mat<T, N, N> full(const Sym<T, N>& s) {
  Mat<T, N, N> m;
  DELASSUS_UNROLL
  for (int r = 0; r < N; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < N; ++c) m(r, c) = s(r, c);
  }
  return m;
}

}  // namespace delassus
