// Room for so many entries in each of some lists.
#pragma once

#include <cstddef>

namespace delassus::condensed {

/// Rows of a constraint that is not a multiplier in several pieces.
inline constexpr int kMostRows = 6;

template <class... V>
void reserve_all(int size, V&... lists) {
  (lists.reserve(static_cast<std::size_t>(size)), ...);
}

}  // namespace delassus::condensed
