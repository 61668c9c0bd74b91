// Pack<T, W>: W numbers, one per SIMD lane, as one scalar of the contract in scalar.hpp. Lanes are environments that know
// nothing of each other, or limbs of one robot (`Limbs` below): the role of the lanes is part of the type.
//
// Built on the compilers' vector extension: no intrinsics, any instruction set. A pack wider than the machine's
// registers is split by the compiler.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>

#include "delassus/math/scalar.hpp"

namespace delassus {

/// The compiler's vector of W lanes and the integer vector of the same shape. One explicit specialisation for
/// each width: g++ 12 mishandles a vector_size that depends on a template parameter.
template <class T, int W>
struct VectorOf;

#define DELASSUS_VECTOR_OF(T, I, W)                             \
  template <>                                                   \
  struct VectorOf<T, W> {                                       \
    typedef T type __attribute__((vector_size(W * sizeof(T)))); \
    typedef I mask __attribute__((vector_size(W * sizeof(I)))); \
    using Integer = I;                                          \
  };
DELASSUS_VECTOR_OF(double, std::int64_t, 2)
DELASSUS_VECTOR_OF(double, std::int64_t, 4)
DELASSUS_VECTOR_OF(double, std::int64_t, 8)
DELASSUS_VECTOR_OF(float, std::int32_t, 2)
DELASSUS_VECTOR_OF(float, std::int32_t, 4)
DELASSUS_VECTOR_OF(float, std::int32_t, 8)
DELASSUS_VECTOR_OF(float, std::int32_t, 16)
#undef DELASSUS_VECTOR_OF

/// What lanes are: independent of each other.
struct Environments {};

/// Lane-wise truth: all bits set where a comparison holds.
template <class T, int W>
struct alignas(W * sizeof(T)) PackMask {
  typename VectorOf<T, W>::mask lanes;
};

/// Aligned to its size whatever instruction set the user's code is compiled for: the library's kernels, compiled for
/// another, count on it.
template <class T, int W, class Role = Environments>
struct alignas(W * sizeof(T)) Pack {
  using Vector = typename VectorOf<T, W>::type;
  static constexpr int kWidth = W;

  Vector lanes;

  Pack() = default;
  DELASSUS_INLINE Pack(Vector v) : lanes(v) {}
  // Minus zero is x itself, so nothing is computed; plus zero would turn -0 into 0, which takes an addition.
  DELASSUS_INLINE explicit Pack(double x) : lanes(static_cast<T>(x) - Vector{}) {}

  DELASSUS_INLINE T operator[](int lane) const { return lanes[lane]; }
  DELASSUS_INLINE void set(int lane, T x) { lanes[lane] = x; }

  DELASSUS_INLINE friend Pack operator+(Pack a, Pack b) { return {a.lanes + b.lanes}; }
  DELASSUS_INLINE friend Pack operator-(Pack a, Pack b) { return {a.lanes - b.lanes}; }
  DELASSUS_INLINE friend Pack operator*(Pack a, Pack b) { return {a.lanes * b.lanes}; }
  DELASSUS_INLINE friend Pack operator/(Pack a, Pack b) { return {a.lanes / b.lanes}; }
  DELASSUS_INLINE friend Pack operator*(T a, Pack b) { return {a * b.lanes}; }
  DELASSUS_INLINE friend Pack operator*(Pack a, T b) { return {a.lanes * b}; }
  DELASSUS_INLINE friend Pack operator-(Pack a) { return {-a.lanes}; }
  DELASSUS_INLINE Pack& operator+=(Pack b) { return lanes += b.lanes, *this; }
  DELASSUS_INLINE Pack& operator-=(Pack b) { return lanes -= b.lanes, *this; }
  DELASSUS_INLINE Pack& operator*=(Pack b) { return lanes *= b.lanes, *this; }
  DELASSUS_INLINE Pack& operator/=(Pack b) { return lanes /= b.lanes, *this; }
  DELASSUS_INLINE friend PackMask<T, W> operator<(Pack a, Pack b) { return {a.lanes < b.lanes}; }
};

template <class T, int W, class Role>
struct BaseOf<Pack<T, W, Role>> {
  using type = T;
};

template <class T, int W, class Role>
DELASSUS_INLINE Pack<T, W, Role> select(PackMask<T, W> mask, Pack<T, W, Role> a, Pack<T, W, Role> b) {
  return {mask.lanes ? a.lanes : b.lanes};
}

/// One test for all lanes: what is all ones lane by lane is so eight bytes at a time.
template <class T, int W>
DELASSUS_INLINE bool all_lanes(PackMask<T, W> mask) {
  constexpr int kWords = static_cast<int>(sizeof(mask.lanes) / sizeof(std::int64_t));
  std::int64_t words[kWords];
  __builtin_memcpy(words, &mask.lanes, sizeof(words));
  std::int64_t all = words[0];
  DELASSUS_UNROLL
  for (int i = 1; i < kWords; ++i) all &= words[i];
  return all == -1;
}

template <class T, int W, class Role>
DELASSUS_INLINE Pack<T, W, Role> sqrt(Pack<T, W, Role> x) {
  Pack<T, W, Role> y;
  for (int i = 0; i < W; ++i) y.lanes[i] = std::sqrt(x.lanes[i]);
  return y;
}

/// What lanes are: limbs of one robot, as kernels have them side by side.
struct LimbsOfOneRobot {};
inline constexpr int kLimbLanes = 4;
using Limbs = Pack<double, kLimbLanes, LimbsOfOneRobot>;

/// A bit for each lane.
using LaneSet = std::uint8_t;
inline constexpr LaneSet kAllLanes = (1 << kLimbLanes) - 1;

template <class T>
inline constexpr bool kFolded = std::same_as<T, Limbs>;

}  // namespace delassus
