// Comparing vectors and matrices by one number.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "delassus/math/view.hpp"

namespace delassus::testing {

/// Largest difference over the largest entry of `want` (or over `floor`, if that is larger). NaN counts as infinite.
template <class A, class B>
double relative_difference(const A& got, const B& want, double floor = 1e-300) {
  if (got.size() != want.size()) return std::numeric_limits<double>::infinity();
  long double difference = 0, scale = floor;
  for (std::size_t i = 0; i < static_cast<std::size_t>(got.size()); ++i) {
    const long double d = std::abs(static_cast<long double>(got[i]) - static_cast<long double>(want[i]));
    if (std::isnan(d)) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, d);
    scale = std::max(scale, std::abs(static_cast<long double>(want[i])));
  }
  return static_cast<double>(difference / scale);
}

template <class To, class From>
std::vector<To> converted(const std::vector<From>& x) {
  std::vector<To> out;
  for (const From& e : x) out.push_back(static_cast<To>(e));
  return out;
}

}  // namespace delassus::testing
