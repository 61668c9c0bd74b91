// Whether a step ends as its constraints were stated, whatever the solve believes.
#pragma once

#include <span>

#include "simulation/step_problem.hpp"

namespace delassus {

/// How far velocities at the end of a step lie outside of what the constraints allow: loops that open, limits that are passed, bodies that approach. By
/// the Jacobian itself, without the operator and without the compliance that the solve gives to loops.
struct StatedResidual {
  double velocity = 0;  // m/s or rad/s, the largest
  int constraint = -1;  // that has it; none: -1
};

/// After StepProblem::find_end.
StatedResidual judge_end(const ContactProblem& posed, const StepProblem& problem, std::span<const double> lambda);

/// Of the constraints whose force only pushes, contacts and limits, the one that pushes hardest; none: -1.
int hardest_push(const ContactProblem& posed, std::span<const double> lambda);

}  // namespace delassus
