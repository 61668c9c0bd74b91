// What `delassus bench constrained` measures of every solver, in words and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/constrained/constrained_solver.hpp"
#include "bench/measure/timed_call.hpp"

namespace delassus::cli {

struct SolverTimes {
  struct Times {
    double median_us = 0, least_us = 0;
  };
  std::string_view name;
  std::array<std::optional<Times>, kConstrainedCalls.size()> calls;  // nothing for those that it does not have
  EquationResiduals residuals;
  int iterations = 0;
  std::string left_out;  // why nothing was measured; empty if it was
};

struct ConstrainedResult {
  const HeldSet& about;
  std::string name;
  int nv = 0, rows = 0;
  std::vector<SolverTimes> solvers;
};

/// Takes turns between the solvers, so that a disturbance meets all of them.
ConstrainedResult measure_constrained(const HeldSet& set, const Effort& effort);

/// What the columns are; before the first robot.
std::string constrained_head();
std::string as_text(const ConstrainedResult& result);
nlohmann::json as_json(const ConstrainedResult& result);

}  // namespace delassus::cli
