// The mechanism that a step is solved for: laws at joints, the inertia that they add, and the rows and the solver that go with it. Which of two depends on
// what motors with limited force are in it.
#pragma once

#include <span>
#include <vector>

#include "simulation/joint_laws.hpp"
#include "simulation/step_constraints.hpp"
#include "simulation/step_solver.hpp"

namespace delassus {

struct StepMechanism {
  /// Throws an Error that names the joint or constraint which makes no sense.
  StepMechanism(const Model& model, std::span<const Constraint> scene, const std::vector<Actuator>& actuators,
                const SimulationOptions& options, LimitedMotors limited)
      : laws(model, actuators, options.dt, limited),
        effective(laws.make_effective_model()),
        constraints(model, scene, laws, {options.joint_limits, options.joint_friction, options.collision.capacity}),
        solver(effective, options, constraints.capacity(), constraints.rows()) {}

  // In the order in which they are made from each other.
  JointLaws laws;
  Model effective;
  StepConstraints constraints;
  StepSolver solver;
};

}  // namespace delassus
