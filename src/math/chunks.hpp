// Running along an array several entries at a time: the lanes of a pack where the scalar is a plain number, one by one
// where it is not. No entry beyond the end is touched.
#pragma once

#include <type_traits>

#include "delassus/math/pack.hpp"

namespace delassus {

template <class X, class T>
DELASSUS_INLINE X load(const T* from) {
  if constexpr (std::same_as<X, T>) {
    return *from;
  } else {
    X x;
    __builtin_memcpy(&x.lanes, from, sizeof(x.lanes));
    return x;
  }
}

template <class X, class T>
DELASSUS_INLINE void store(T* to, const X& x) {
  if constexpr (std::same_as<X, T>) {
    *to = x;
  } else {
    __builtin_memcpy(to, &x.lanes, sizeof(x.lanes));
  }
}

/// How many numbers of a type go into one chunk: at most eight, and none that are wider than a register, of which g++ keeps
/// only the parts it needs next and spills the rest.
#ifdef __AVX512F__
template <class T>
constexpr int kChunk = FloatingPoint<T> ? 8 : 1;
#else
template <class T>
constexpr int kChunk = FloatingPoint<T> ? (sizeof(T) == sizeof(float) ? 8 : 4) : 1;
#endif

/// Calls f(std::type_identity<X>{}, offset) with X a pack of kChunk, then of 4 or 2 entries or a single one, until `count`
/// entries are done.
template <class T, class F>
DELASSUS_INLINE void for_each_chunk(int count, F&& f) {
  int at = 0;
  if constexpr (FloatingPoint<T>) {
    for (; at + kChunk<T> <= count; at += kChunk<T>) f(std::type_identity<Pack<T, kChunk<T>>>{}, at);
    if (count - at >= 4) {
      f(std::type_identity<Pack<T, 4>>{}, at);
      at += 4;
    }
    if (count - at >= 2) {
      f(std::type_identity<Pack<T, 2>>{}, at);
      at += 2;
    }
    if (at < count) f(std::type_identity<T>{}, at);
  } else {
    for (; at < count; ++at) f(std::type_identity<T>{}, at);
  }
}

/// Calls f(std::integral_constant<int, N>{}, offset) for blocks of N entries, the widths in the order given, and of one for
/// what is left.
template <int... kWidths, class F>
DELASSUS_INLINE void for_each_block(int count, F&& f) {
  int at = 0;
  const auto take = [&](auto width) {
    for (; at + width() <= count; at += width()) f(width, at);
  };
  (take(std::integral_constant<int, kWidths>{}), ...);
  take(std::integral_constant<int, 1>{});
}

}  // namespace delassus
