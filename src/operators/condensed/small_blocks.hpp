// Small pieces that all parts of the condensed tree use.
#pragma once

#include <type_traits>

#include "math/chunks.hpp"
#include "operators/condensed/factor.hpp"

namespace delassus {

/// Calls f with a number of rows from 1 to 6 as a compile-time constant.
template <class F>
DELASSUS_INLINE decltype(auto) with_rows(int rows, F&& f) {
  switch (rows) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 5:
      return f(std::integral_constant<int, 5>{});
    case 6:
      return f(std::integral_constant<int, 6>{});
    default:
      __builtin_unreachable();
  }
}

/// Calls f with the number of directions at a point as a constant.
template <class F>
DELASSUS_INLINE void with_directions(int rows, F&& f) {
  if (rows == 3) return f(std::integral_constant<int, 3>{});
  if (rows == 2) return f(std::integral_constant<int, 2>{});
  f(std::integral_constant<int, 1>{});
}

/// A symmetric 6 × 6 matrix times a wrench: how a free link gives way.
template <class T, class X>
DELASSUS_INLINE Motion<X> yielding(const Sym<T, 6>& W, const Force<X>& f) {
  Motion<X> a;
  DELASSUS_UNROLL
  for (int r = 0; r < 3; ++r) {
    X angular = W(r, 0) * f.moment[0], linear = W(r + 3, 0) * f.moment[0];
    DELASSUS_UNROLL
    for (int k = 1; k < 3; ++k) {
      angular += W(r, k) * f.moment[k];
      linear += W(r + 3, k) * f.moment[k];
    }
    DELASSUS_UNROLL
    for (int k = 0; k < 3; ++k) {
      angular += W(r, k + 3) * f.force[k];
      linear += W(r + 3, k + 3) * f.force[k];
    }
    a.angular[r] = angular;
    a.linear[r] = linear;
  }
  return a;
}

/// Six components in a row.
template <class X>
DELASSUS_INLINE Force<X> force_at(const X* from) {
  return {{{from[0], from[1], from[2]}}, {{from[3], from[4], from[5]}}};
}
/// The same as a column of an inertia: for scalars that have lanes, as two loads within the six.
template <class T>
DELASSUS_INLINE typename ArticulatedInertia<T>::Column column_at(const T* from) {
  if constexpr (Laned<T>) {
    using P = Pack<T, 4>;
    const P last = load<P>(from + 2);
    return {Lane3<T>(load<P>(from).lanes), Lane3<T>(__builtin_shufflevector(last.lanes, last.lanes, 1, 2, 3, 3))};
  } else {
    return force_at(from);
  }
}
template <class X>
DELASSUS_INLINE Motion<X> motion_at(const X* from) {
  return {{{from[0], from[1], from[2]}}, {{from[3], from[4], from[5]}}};
}
template <class X>
DELASSUS_INLINE void store_six(X* to, const Vec3<X>& first, const Vec3<X>& second) {
  DELASSUS_UNROLL
  for (int c = 0; c < 3; ++c) {
    to[c] = first[c];
    to[c + 3] = second[c];
  }
}
template <class T>
DELASSUS_INLINE T entry_of(const Force<T>& f, int e) {
  return e < 3 ? f.moment[e] : f.force[e - 3];
}

/// The 6 × 6 matrix as its lower triangle.
template <class T>
DELASSUS_INLINE Sym<T, 6> packed(const ArticulatedInertia<T>& H) {
  Sym<T, 6> out;
  DELASSUS_UNROLL
  for (int r = 0; r < 3; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < r + 1; ++c) {
      out(r, c) = H.A(r, c);
      out(r + 3, c + 3) = H.M(r, c);
    }
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) out(c + 3, r) = H.B(r, c);
  }
  return out;
}

template <int N, class T>
DELASSUS_INLINE Ldlt<T, N> ldlt_at(const T* packed) {
  Ldlt<T, N> D;
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, N>::kSize; ++k) D.factor.a[k] = packed[k];
  return D;
}

}  // namespace delassus
