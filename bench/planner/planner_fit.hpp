// The planner's table of costs, made anew from what was measured.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "operators/operator_cost.hpp"

namespace delassus::cli {

/// An algorithm on a scene: what there was to do, and how long it took.
struct CostSample {
  Algorithm algorithm;
  Amounts system;
  OperatorCount operations;
  OperatorTime times;
  double weight;  // one where it is the fastest for something, less where it never is near
};

/// src/operators/cost_table.hpp, by least squares of relative errors over costs that are not negative.
std::string cost_table(const std::vector<CostSample>& samples, const std::string& machine);

}  // namespace delassus::cli
