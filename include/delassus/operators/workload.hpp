// What is wanted of an operator at one configuration.
#pragma once

#include <algorithm>

#include "delassus/math/cpp20.hpp"

namespace delassus {

struct Workload {
  int products = 0;
  int dampings = 0;  // one number for all rows; the first of a configuration counts, too
  int solves = 0;    // damped, so there is at least one damping with them
  bool matrix = false;

  constexpr int all_dampings() const { return std::max(dampings, solves > 0 ? 1 : 0); }
};

inline constexpr Workload kMatrixAlone{.matrix = true};
inline constexpr Workload kOneProduct{.products = 1};
inline constexpr Workload kHundredProducts{.products = 100};
/// Of ADMM: one damped solve each, with a damping to begin with and three others on the way.
inline constexpr Workload kThirtyIterations{.dampings = 4, .solves = 30};

}  // namespace delassus
