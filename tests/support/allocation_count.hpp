// Counts heap allocations of this program. The counting operators new are in allocation_count.cpp.
#pragma once

#include <cstdint>

namespace delassus::testing {

std::int64_t allocation_count();
/// All that was ever asked for; freeing does not count.
std::int64_t allocated_bytes();

/// How many allocations `work` makes.
template <class Work>
std::int64_t allocations_of(Work&& work) {
  const std::int64_t before = allocation_count();
  work();
  return allocation_count() - before;
}

}  // namespace delassus::testing
