// Sine and cosine for the scalars of the contract, branch-free inside the range that robots use.
//
// Cody-Waite reduction to |r| <= pi/4 with pi/2 split in three parts whose leading parts have trailing zeros, then
// minimax polynomials. Measured error against long double: at most 3e-16 for |x| <= kReductionLimit in double.
// Beyond it (and for infinities and NaN) the C library answers, lane by lane.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "delassus/math/dual.hpp"
#include "delassus/math/pack.hpp"
#include "delassus/math/scalar.hpp"

namespace delassus {

/// Sine and cosine at once.
template <FloatingPoint T>
DELASSUS_INLINE void sincos(T x, T& s, T& c);

/// Constants of the reduction and of the two polynomials, per base type.
template <class T>
struct SinCosConstants;

template <>
struct SinCosConstants<double> {
  static constexpr double kReductionLimit = 1e6;
  static constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
  static constexpr double kTwoOverPi = 0.63661977236758134308;
  static constexpr double kHalfPi[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
  static constexpr double kSin[6] = {-1.66666666666666324348e-01, 8.33333333332248946124e-03,
                                     -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                                     -2.50507602534068634195e-08, 1.58969099521155010221e-10};
  static constexpr double kCos[6] = {4.16666666666666019037e-02, -1.38888888888741095749e-03,
                                     2.48015872894767294178e-05, -2.75573143513906633035e-07,
                                     2.08757232129817482790e-09, -1.13596475577881948265e-11};
};

template <>
struct SinCosConstants<float> {
  static constexpr float kReductionLimit = 1e3f;
  static constexpr float kRound = 12582912.0f;  // 1.5 * 2^23
  static constexpr float kTwoOverPi = 0.636619772f;
  static constexpr float kHalfPi[3] = {1.5703125f, 4.837512969970703125e-4f, 7.54978995489188216e-8f};
  static constexpr float kSin[3] = {-1.6666654611e-1f, 8.3321608736e-3f, -1.9515295891e-4f};
  static constexpr float kCos[3] = {4.166664568298827e-2f, -1.388731625493765e-3f, 2.443315711809948e-5f};
};

/// Bits of the integer that a rounded scalar holds, as masks: bit 0 swaps sine and cosine, bit 1 changes the sign.
template <FloatingPoint T>
DELASSUS_INLINE bool quadrant_bit(T rounded, int add, int bit) {
  using Integer = std::conditional_t<std::same_as<T, float>, std::int32_t, std::int64_t>;
  return ((std::bit_cast<Integer>(rounded) + add) & bit) != 0;
}

template <class T, int W, class Role>
DELASSUS_INLINE PackMask<T, W> quadrant_bit(Pack<T, W, Role> rounded, int add, int bit) {
  using Mask = typename VectorOf<T, W>::mask;
  using Integer = typename VectorOf<T, W>::Integer;
  const Mask bits = std::bit_cast<Mask>(rounded.lanes) + static_cast<Integer>(add);
  return {(bits & static_cast<Integer>(bit)) != 0};
}

template <class T>
DELASSUS_INLINE T polynomial(const Base<T>* c, int degree, T x) {
  T y(c[degree]);
  for (int k = degree - 1; k >= 0; --k) y = y * x + T(c[k]);
  return y;
}

/// Sine and cosine for |x| <= kReductionLimit.
template <class T>
DELASSUS_INLINE void sincos_reduced(T x, T& s, T& c) {
  using C = SinCosConstants<Base<T>>;
  constexpr int degree = static_cast<int>(std::size(C::kSin)) - 1;
  const T rounded = x * T(C::kTwoOverPi) + T(C::kRound);
  const T n = rounded - T(C::kRound);
  const T r = ((x - n * T(C::kHalfPi[0])) - n * T(C::kHalfPi[1])) - n * T(C::kHalfPi[2]);
  const T z = r * r;
  const T sin_r = r + r * z * polynomial<T>(C::kSin, degree, z);
  const T cos_r = T(1) - (T(0.5) * z - z * z * polynomial<T>(C::kCos, degree, z));
  const auto odd = quadrant_bit(rounded, 0, 1);
  s = select(odd, cos_r, sin_r);
  c = select(odd, sin_r, cos_r);
  s = select(quadrant_bit(rounded, 0, 2), -s, s);
  c = select(quadrant_bit(rounded, 1, 2), -c, c);
}

template <FloatingPoint T>
DELASSUS_INLINE void sincos(T x, T& s, T& c) {
  if constexpr (!std::same_as<T, long double>) {
    if (std::abs(x) <= SinCosConstants<T>::kReductionLimit) return sincos_reduced(x, s, c);
  }
  s = std::sin(x);
  c = std::cos(x);
}

/// Lanes that are too large for the reduction take the C library's, and change nothing for the others.
template <class T, int W, class Role>
DELASSUS_INLINE void sincos(Pack<T, W, Role> x, Pack<T, W, Role>& s, Pack<T, W, Role>& c) {
  const Pack<T, W, Role> limit(SinCosConstants<T>::kReductionLimit);
  sincos_reduced(x, s, c);
  if (all_lanes(max(x, -x) < limit)) return;
  for (int i = 0; i < W; ++i) {
    if (x[i] < limit[i] && -x[i] < limit[i]) continue;
    s.set(i, std::sin(x[i]));
    c.set(i, std::cos(x[i]));
  }
}

template <class T>
DELASSUS_INLINE void sincos(Dual<T> x, Dual<T>& s, Dual<T>& c) {
  T sin_x, cos_x;
  sincos(x.value, sin_x, cos_x);
  s = {sin_x, cos_x * x.derivative};
  c = {cos_x, -(sin_x * x.derivative)};
}

/// The whole contract of scalar.hpp.
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
