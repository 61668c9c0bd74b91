// Where the energy of a step came from and went to (StepEnergy).
#pragma once

#include <span>

#include "delassus/simulation/step_report.hpp"
#include "simulation/joint_laws.hpp"
#include "simulation/step_problem.hpp"

namespace delassus {

/// The joint velocities of a step, in the axes of its start.
struct StepVelocities {
  std::span<const double> before, after;
};

/// Adds the work of forces, motors that are no rows, and damping, over a step that began at q.
void add_joint_work(const JointLaws& laws, const JointInputs& in, std::span<const double> q, const StepVelocities& v,
                    StepEnergy& energy);

/// Adds the work of impulses λ of rows, after StepProblem::find_end.
void add_row_work(const StepConstraints& constraints, const StepProblem& problem, std::span<const double> lambda,
                  StepEnergy& energy);

}  // namespace delassus
