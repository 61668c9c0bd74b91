// One operator in several scalars gives one matrix.
#pragma once

#include <vector>

#include "support/compare.hpp"
#include "support/configured.hpp"
#include "support/random_system.hpp"

namespace delassus::testing {

/// The number itself, or that of the first lane.
template <class T>
double plain_number(const T& x) {
  if constexpr (requires { x.lanes; }) {
    return static_cast<double>(x.lanes[0]);
  } else {
    return x.value;
  }
}

/// Λ⁻¹ by Operator<T> is that by Operator<double>, on the random system of a seed.
template <template <class> class Operator, class T>
void expect_agrees_with_double(int seed, double bound) {
  const Model model = samples::random_model(seed);
  const samples::State state = samples::random_state(model, seed);
  const std::vector<Constraint> constraints = samples::random_constraints(model, seed, 5);
  const Configured<double> plain(model, constraints, state.q);
  const Configured<T> other(model, constraints, std::vector<T>(state.q.begin(), state.q.end()));
  std::vector<double> got;
  for (const T& x : other.template matrix<Operator<T>>()) got.push_back(plain_number(x));
  EXPECT_LT(relative_difference(got, plain.template matrix<Operator<double>>()), bound);
}

}  // namespace delassus::testing
