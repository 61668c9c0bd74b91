// The operators that the benchmark compares, by name.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bench/measure/contender.hpp"
#include "delassus/operators/algorithm.hpp"

namespace delassus::cli {

struct BenchOperator {
  std::string_view name;
  std::optional<Algorithm> algorithm;  // nothing for the published forms, which the planner does not choose from
  std::unique_ptr<Contender> (*make)(const BenchScene& scene);
  VerbOperations (*count)(const BenchScene& scene);
  std::vector<double> (*matrix)(const BenchScene& scene);
  std::optional<std::vector<double>> (*solution)(const BenchScene& scene);
  OperatorCount (*calls)(const BenchScene& scene);  // null where there is an algorithm: the planner counts those
};

/// What others are compared with, in the paper as here.
inline constexpr std::string_view kBaseline = "ltl";

/// All of the library: its own, those that compute the matrix, and the forms as published.
std::span<const BenchOperator> all_operators();
/// Those of them that the paper's tables are about.
std::span<const BenchOperator> bench_operators();

/// Throws an Error with the closest name if there is none of this one.
const BenchOperator& find_bench_operator(const std::string& name);

}  // namespace delassus::cli
