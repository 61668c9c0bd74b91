// Runs a check for many seeds and stops at the first that fails, which it names.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace delassus::testing {

#ifndef DELASSUS_TEST_SEEDS  // fewer with sanitizers
#define DELASSUS_TEST_SEEDS 200
#endif

/// Seeds of an ordinary run and of a long campaign (make test-long).
inline constexpr int kSeeds = DELASSUS_TEST_SEEDS;
inline constexpr int kLongSeeds = 2000;

template <class Check>
void for_each_seed(int first, int last, Check&& check) {
  for (int seed = first; seed < last; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(seed);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace delassus::testing
