// The square root of all lanes at once. The contract's sqrt goes lane by lane where the compiler does not vectorise; both are rounded correctly, so bits agree.
#pragma once

#include "delassus/math/pack.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace delassus {

template <class T, int W, class Role>
DELASSUS_INLINE Pack<T, W, Role> lane_sqrt(Pack<T, W, Role> x) {
#if defined(__AVX512F__)
  if constexpr (std::same_as<T, double> && W == 8)
    return {_mm512_maskz_sqrt_pd(0xff, x.lanes)};  // g++ 12 warns inside the plain one
#endif
#if defined(__AVX__)
  if constexpr (std::same_as<T, double> && W == 4) return {_mm256_sqrt_pd(x.lanes)};
#endif
#if defined(__SSE2__)
  if constexpr (std::same_as<T, double> && W == 2) return {_mm_sqrt_pd(x.lanes)};
#endif
  return sqrt(x);
}

}  // namespace delassus
