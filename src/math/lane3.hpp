// Lane3<T>: three numbers side by side in one register of four, for float and double. The fourth lane holds anything.
//
// What a kernel does with rows of 3 × 3 blocks it does with a quarter of the instructions. Other scalars do it number by
// number (Vec3): the functions are the same.
#pragma once

#include "delassus/math/mat.hpp"
#include "delassus/math/pack.hpp"

namespace delassus {

template <class T>
concept Laned = std::same_as<T, float> || std::same_as<T, double>;

/// Aligned to its size whatever instruction set the user's code is compiled for, as packs are.
template <Laned T>
struct alignas(4 * sizeof(T)) Lane3 {
  using Vector = typename VectorOf<T, 4>::type;
  Vector v;

  Lane3() = default;
  DELASSUS_INLINE explicit Lane3(Vector lanes) : v(lanes) {}
  DELASSUS_INLINE Lane3(T x, T y, T z) : v(Vector{x, y, z, T(0)}) {}
  DELASSUS_INLINE explicit Lane3(const Vec3<T>& x) : Lane3(x[0], x[1], x[2]) {}

  DELASSUS_INLINE T operator[](int i) const { return v[i]; }
  DELASSUS_INLINE operator Vec3<T>() const { return {{v[0], v[1], v[2]}}; }  // NOLINT: the same three numbers

  DELASSUS_INLINE Lane3& operator+=(Lane3 b) { return v += b.v, *this; }
  DELASSUS_INLINE Lane3& operator-=(Lane3 b) { return v -= b.v, *this; }
  DELASSUS_INLINE friend Lane3 operator+(Lane3 a, Lane3 b) { return a += b; }
  DELASSUS_INLINE friend Lane3 operator-(Lane3 a, Lane3 b) { return a -= b; }
  DELASSUS_INLINE friend Lane3 operator-(Lane3 a) { return Lane3(-a.v); }
  DELASSUS_INLINE friend Lane3 operator*(T s, Lane3 a) { return Lane3(s * a.v); }
  DELASSUS_INLINE friend Lane3 operator*(Lane3 a, Lane3 b) { return Lane3(a.v * b.v); }  // lane by lane
};

static_assert(alignof(Lane3<double>) == 4 * sizeof(double) && alignof(Lane3<float>) == 4 * sizeof(float));

/// Lane i in all lanes.
template <int I, Laned T>
DELASSUS_INLINE Lane3<T> spread(Lane3<T> a) {
  return Lane3<T>(__builtin_shufflevector(a.v, a.v, I, I, I, I));
}

template <Laned T>
DELASSUS_INLINE Lane3<T> cross(Lane3<T> a, Lane3<T> b) {
  const auto turned = [](Lane3<T> x) { return Lane3<T>(__builtin_shufflevector(x.v, x.v, 1, 2, 0, 3)); };
  return turned(a * turned(b) - b * turned(a));
}

template <Laned T>
DELASSUS_INLINE T dot(const Vec3<T>& a, Lane3<T> b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Three rows become columns.
template <Laned T>
DELASSUS_INLINE void transpose(Lane3<T> (&rows)[3]) {
  const auto low = __builtin_shufflevector(rows[0].v, rows[1].v, 0, 4, 2, 6);
  const auto high = __builtin_shufflevector(rows[0].v, rows[1].v, 1, 5, 3, 7);
  const auto last = rows[2].v;
  rows[0].v = __builtin_shufflevector(low, last, 0, 1, 4, 4);
  rows[1].v = __builtin_shufflevector(high, last, 0, 1, 5, 5);
  rows[2].v = __builtin_shufflevector(low, last, 2, 3, 6, 6);
}

}  // namespace delassus
