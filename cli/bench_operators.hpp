// The operators that the benchmark compares, by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "contender.hpp"

namespace delassus::cli {

struct BenchOperator {
  std::string_view name;
  std::unique_ptr<Contender> (*make)(const BenchScene& scene);
  VerbOperations (*count)(const BenchScene& scene);
};

/// What others are compared with, in the paper as here.
inline constexpr std::string_view kBaseline = "ltl";

std::span<const BenchOperator> bench_operators();

/// Throws an Error with the closest name if there is none of this one.
const BenchOperator& find_bench_operator(const std::string& name);

}  // namespace delassus::cli
