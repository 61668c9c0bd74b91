// The scalar contract: what a type must offer to run through every kernel of the library.
//
//   + - * / and their assignments, unary minus, construction from double,
//   sqrt(x), sincos(x, s, c) (src/math/sincos.hpp), comparison (a < b) that yields a mask, select(mask, a, b).
//
// Kernels never branch on a scalar's value. So float, double, long double, Counted (operation counts), Dual
// (derivatives) and Pack (one environment per SIMD lane) all run the same source.
#pragma once

// The library is written in C++20, and says so before a compiler that was told of an older standard says it a thousand times.
#if __cplusplus < 202002L
// A file that cannot be included ends the compilation at once; after #error it would go on.
#define DELASSUS_OLDER_STANDARD "delassus needs C++20: compile with -std=c++20 or later"
#include DELASSUS_OLDER_STANDARD
#endif

#include <cmath>
#include <concepts>
#include <type_traits>

// How kernels are compiled: forced inlining, and full unrolling of loops with constant bounds.
//
// Neither g++ nor clang unrolls nested or triangular loops over packed storage at -O3; their indices then become data
// that is loaded at run time, and small matrices stay in memory. Every loop over a compile-time bound in a kernel is
// therefore unrolled by force.
//
// Kernels that are recorded (src/math/traced.hpp) run once: they are compiled as they come, in a third of the time.
#if defined(DELASSUS_RECORDING)
#define DELASSUS_INLINE inline
#define DELASSUS_UNROLL
#else
#define DELASSUS_INLINE [[gnu::always_inline]] inline
#if defined(__clang__)
#define DELASSUS_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define DELASSUS_UNROLL _Pragma("GCC unroll 64")
#else
#define DELASSUS_UNROLL
#endif
#endif

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

}  // namespace delassus
