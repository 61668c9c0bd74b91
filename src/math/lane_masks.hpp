// Lane-wise truth, joined: and, or, not, whether it holds anywhere, and as bits.
#pragma once

#include <cstdint>

#include "delassus/math/pack.hpp"

namespace delassus {

template <class T, int W>
DELASSUS_INLINE PackMask<T, W> operator&(PackMask<T, W> a, PackMask<T, W> b) {
  return {a.lanes & b.lanes};
}

template <class T, int W>
DELASSUS_INLINE PackMask<T, W> operator|(PackMask<T, W> a, PackMask<T, W> b) {
  return {a.lanes | b.lanes};
}

template <class T, int W>
DELASSUS_INLINE PackMask<T, W> operator!(PackMask<T, W> a) {
  return {~a.lanes};
}

template <class T, int W>
DELASSUS_INLINE bool any_lane(PackMask<T, W> mask) {
  return !all_lanes(!mask);
}

/// A bit for each lane.
using LaneBits = std::uint32_t;

template <class T, int W>
DELASSUS_INLINE LaneBits bits_of(PackMask<T, W> mask) {
  typename VectorOf<T, W>::Integer lanes[W];
  __builtin_memcpy(lanes, &mask.lanes, sizeof(lanes));
  LaneBits out = 0;
  for (int i = 0; i < W; ++i) out |= (lanes[i] != 0 ? LaneBits(1) : LaneBits(0)) << i;
  return out;
}

template <class P>
DELASSUS_INLINE auto mask_of_bits(LaneBits bits) {
  P flags;
  for (int i = 0; i < P::kWidth; ++i) flags.set(i, (bits >> i & 1) != 0 ? 1 : 0);
  return P(0.5) < flags;
}

inline bool has_lane(LaneBits bits, int lane) { return (bits >> lane & 1) != 0; }

/// The mask that holds in all lanes or in none.
template <class P>
DELASSUS_INLINE auto mask_of(bool value) {
  return value ? P(0.0) < P(1.0) : P(1.0) < P(0.0);
}

template <class P>
using MaskOf = decltype(P(0.0) < P(0.0));

}  // namespace delassus
