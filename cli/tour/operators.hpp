// Every operator on one contact set: how far from the oracle, how many operations, how long, how many bytes.
#pragma once

#include <optional>
#include <vector>

#include "bench/measure/measure.hpp"
#include "delassus/operators/oracle.hpp"

namespace delassus::cli {

/// What is agreement. That of `delassus check` and what operators promise of solves; more where M is so badly
/// conditioned that rounding its factor in double costs more digits.
struct Bounds {
  double difference = 1e-9;  // of Λ⁻¹ from the oracle, relative to the largest entry
  double residual = 1e-7;    // of a damped solve (Λ⁻¹ + R⁻¹) z = b, relative to the sizes of both sides
};

struct OperatorResult {
  OperatorTimes times;
  std::optional<OperatorCount> calls;  // of single calls, without what all operators share
  std::optional<double> difference, residual;

  /// Whether what was compared is within the bounds.
  bool agrees(const Bounds& bounds) const {
    return difference.value_or(0) <= bounds.difference && residual.value_or(0) <= bounds.residual;
  }
};

Bounds bounds_of(const Scene& scene);

/// In long double. Throws an Error if the set is so large that it would take minutes, or if nothing in it moves.
oracle::Matrix<long double> exact_matrix(const Scene& scene);

/// In the order of all_operators.
std::vector<OperatorResult> run_operators(const BenchScene& scene, const oracle::Matrix<long double>& exact,
                                          const Effort& effort);

/// Operations call by call, in the order of all_operators; those of operators that the planner rules out are counted
/// where there are few rows only, as counting takes long.
std::vector<std::optional<OperatorCount>> count_operators(const BenchScene& scene);

/// Kinematics and the lowering of constraints.
std::int64_t count_placing(const BenchScene& scene);

}  // namespace delassus::cli
