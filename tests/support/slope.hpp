// Derivatives by difference quotients, along random directions.
#pragma once

#include <vector>

#include "support/random_system.hpp"

namespace delassus::testing {

/// Between -1 and 1.
inline std::vector<double> random_vector(int size, int seed, int stream) {
  samples::Random random(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(stream));
  std::vector<double> x(static_cast<std::size_t>(size));
  for (double& e : x) e = random.uniform(-1, 1);
  return x;
}

/// A x for a row-major matrix.
inline std::vector<double> product(const std::vector<double>& A, const std::vector<double>& x) {
  std::vector<double> y(A.size() / x.size(), 0.0);
  for (std::size_t r = 0; r < y.size(); ++r) {
    for (std::size_t c = 0; c < x.size(); ++c) y[r] += A[r * x.size() + c] * x[c];
  }
  return y;
}

/// The derivative at zero of a function of one number, by four values: the error is of fourth order in the step.
template <class F>
auto slope(double step, F&& f) {
  auto out = f(step);
  const auto before = f(-step), far = f(2 * step), far_before = f(-2 * step);
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k] = (8 * (out[k] - before[k]) - (far[k] - far_before[k])) / (12 * step);
  }
  return out;
}

}  // namespace delassus::testing
