// What CondensedDelassus keeps beside model and rows: plan, numbers, and the vectors that its calls work in.
#pragma once

#include "dynamics/sweeps.hpp"
#include "operators/condensed/dual_elimination.hpp"
#include "operators/condensed/sweeps.hpp"
#include "operators/explicit_fallback.hpp"

namespace delassus {

template <class T>
struct CondensedDelassus<T>::Work {
  /// Right-hand sides that go through the sweeps at once.
  static constexpr int kPanel = FloatingPoint<T> ? 8 : 1;
  using Lanes = std::conditional_t<FloatingPoint<T>, Pack<T, 8>, T>;
  /// In float, solves that stay above the tolerance are common, and a matrix is no more exact.
  static constexpr bool kFallsBack = std::same_as<T, double>;
  /// Plain numbers alone take unsymmetric damping.
  static constexpr bool kUnsymmetric = FloatingPoint<T>;
  struct None {
    std::size_t bytes() const { return 0; }
  };

  explicit Work(const ModelOf<T>& model) : planner(model), configuration(model), response(model) {}

  std::size_t bytes() const {
    return heap_bytes(planner, plan, configuration, damping, sweep, panel_sweep, response, remainder, step, right,
                      solution, damped_part, panel_in, panel_out, jointed, free, felt, quiet, fallback, dual);
  }

  CondensedPlanner planner;
  CondensedPlan plan;
  CondensedConfiguration<T> configuration;
  CondensedDamping<T> damping;
  NodeSweep<T> sweep;
  NodeSweep<Lanes> panel_sweep;
  Sweep<T> response;
  std::vector<T> remainder, step, right, solution, damped_part;
  std::vector<Lanes> panel_in, panel_out;
  std::vector<std::int32_t> jointed, free;  // links but for free joints on the world, and those
  std::vector<std::int32_t> felt, quiet;    // of the former, those that feel a constraint, and the others
  std::conditional_t<kFallsBack, ExplicitFallback<T>, None> fallback;
  std::conditional_t<kUnsymmetric, DualElimination<T>, None> dual;
};

}  // namespace delassus
