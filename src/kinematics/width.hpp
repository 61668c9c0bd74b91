// Sweeps know of a joint only how many degrees of freedom it has: here that number becomes a constant.
#pragma once

#include <type_traits>

#include "delassus/math/scalar.hpp"

namespace delassus {

/// Calls f with nv as a compile-time constant. No joint kind has another width than these.
template <class F>
DELASSUS_INLINE decltype(auto) with_width(int nv, F&& f) {
  switch (nv) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 6:
      return f(std::integral_constant<int, 6>{});
    default:
      __builtin_unreachable();
  }
}

}  // namespace delassus
