// Times of all operators on a scene.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench_operators.hpp"

namespace delassus::cli {

/// How much time the numbers are worth.
struct Effort {
  int rounds;         // of which the median is taken
  double sample_us;   // calls are bundled until they take this long together
  double verb_us;     // a verb of an operator that has taken this long gets no more rounds
  double longest_us;  // an operator of which one call takes longer is left out
};
inline constexpr Effort kQuickEffort{9, 1000, 2e5, 2.5e5};
inline constexpr Effort kFullEffort{21, 4000, 2e6, 2e6};
/// Rounds that every verb gets, so that a median is one.
inline constexpr int kFewestRounds = 3;

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
