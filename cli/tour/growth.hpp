// How operators grow with the number of contacts on the same mechanism.
#pragma once

#include <functional>
#include <string>

#include "cli/tour/operators.hpp"

namespace delassus::cli {

struct GrowthPoint {
  int constraints = 0;  // that vary; the others are there throughout
  int rows = 0;         // of all
  std::vector<OperatorTimes> times;
  std::vector<std::optional<OperatorCount>> calls;
};

struct Growth {
  std::string how;  // how the sets were made: a sentence
  std::vector<GrowthPoint> points;
};

inline constexpr std::array kGrowthVerbs{Verb::kMatrixFromQ, Verb::kProductFromQ, Verb::kSolveFromQ};

/// One, two, four and so on of the scene's contacts (of all constraints, if none is a contact), all of them, and twice
/// and more as many, at other points of the same links; up to about `most_rows`.
Growth measure_growth(const Scene& scene, const Effort& effort, int most_rows,
                      const std::function<void(std::size_t at, std::size_t of)>& on_point);

}  // namespace delassus::cli
