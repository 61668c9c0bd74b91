// The scalar contract: what a type must offer to run through every kernel of the library.
//
//   + - * / and their assignments, unary minus, construction from double,
//   sqrt(x), sincos(x, s, c), comparison (a < b) that yields a mask, select(mask, a, b).
//
// Kernels never branch on a scalar's value. So float, double, long double, Counted (operation counts), Dual
// (derivatives) and Pack (one environment per SIMD lane) all run the same source.
#pragma once

#include <cmath>
#include <concepts>
#include <type_traits>

#include "delassus/math/unroll.hpp"

namespace delassus {

template <class T>
concept FloatingPoint = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, long double>;

template <FloatingPoint T>
DELASSUS_INLINE T select(bool mask, T a, T b) {
  return mask ? a : b;
}

template <FloatingPoint T>
DELASSUS_INLINE T sqrt(T x) {
  return std::sqrt(x);
}

/// Sine and cosine at once (sincos.hpp).
template <FloatingPoint T>
DELASSUS_INLINE void sincos(T x, T& s, T& c);

/// True if the mask holds in every lane; a plain bool is its own only lane.
DELASSUS_INLINE bool all_lanes(bool mask) { return mask; }

template <class T>
DELASSUS_INLINE T min(T a, T b) {
  return select(a < b, a, b);
}

template <class T>
DELASSUS_INLINE T max(T a, T b) {
  return select(a < b, b, a);
}

/// Mask of what is neither infinite nor NaN: only then does x - x equal zero.
template <class T>
DELASSUS_INLINE auto is_finite(T x) {
  return x - x < T(1);
}

/// The plain floating-point type behind a scalar; specialised where a scalar is made of another.
template <class T>
struct BaseOf {
  using type = T;
};
template <class T>
using Base = typename BaseOf<T>::type;

template <class T>
concept Scalar = requires(T a, T b, T& out) {
  T(1.0);
  { a + b } -> std::convertible_to<T>;
  { a - b } -> std::convertible_to<T>;
  { a* b } -> std::convertible_to<T>;
  { a / b } -> std::convertible_to<T>;
  { -a } -> std::convertible_to<T>;
  { sqrt(a) } -> std::convertible_to<T>;
  { select(a < b, a, b) } -> std::convertible_to<T>;
  sincos(a, out, out);
};

}  // namespace delassus
