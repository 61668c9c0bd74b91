// Times of all operators on a scene.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure/operators.hpp"
#include "bench/measure/timed_call.hpp"

namespace delassus::cli {

struct OperatorTimes {
  std::string_view name;
  ByVerb<std::optional<double>> time_us;  // nothing for verbs that it does not have
  std::optional<std::size_t> bytes;
  std::string left_out;  // why nothing was measured; empty if it was
};

/// Operators that are not made, with the reason.
using LeftOut = std::map<std::string_view, std::string>;

/// Who takes part, and in what.
struct Field {
  std::span<const BenchOperator> operators = bench_operators();
  std::span<const Verb> verbs = kPaperVerbs;
};

/// Operators in the order of the field. Takes turns between the operators, so that a disturbance meets all of them.
std::vector<OperatorTimes> measure(const BenchScene& scene, const Effort& effort, const LeftOut& left_out = {},
                                   const Field& field = {});

}  // namespace delassus::cli
