// Sym<T, N>: a symmetric matrix that stores its lower triangle only, by rows: (0,0) (1,0) (1,1) (2,0) ...
#pragma once

#include "delassus/math/mat.hpp"

namespace delassus {

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
