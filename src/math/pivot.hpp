// When a pivot of a factorization is rounding and not a number.
#pragma once

#include <limits>

#include "delassus/math/scalar.hpp"

namespace delassus {

/// A pivot below this fraction of the size of the numbers it is a difference of is rounding.
template <class T>
inline constexpr double kPivotTolerance = 16 * static_cast<double>(std::numeric_limits<Base<T>>::epsilon());

}  // namespace delassus
