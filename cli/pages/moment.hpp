// What there is to see at one moment of a motion.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/simulation/simulator.hpp"

namespace delassus::cli {

/// A point where two shapes touch, as it was in the step that led to the moment.
struct TouchingPoint {
  int shape_a = -1, shape_b = -1;
  Vec3<double> position{}, normal{}, force{};  // world axes; the normal from b to a, the force on a
  std::optional<double> mu = {};               // none: held, not by friction
  double gap = 0;
  int constraint = -1;  // of the moment; -1: none
};

struct Moment {
  double time = 0;
  std::span<const double> q, v;
  double kinetic = 0, potential = 0;                        // joules
  std::optional<double> velocity_residual, force_residual;  // of the step that led to it
  int iterations = 0;
  double penetration = 0;
  std::span<const Constraint> constraints;
  std::vector<std::string> names;  // of the constraints
  std::vector<TouchingPoint> contacts;
};

/// The state of a simulation after a step that went well, and what acted in that step. Views last until the next step.
Moment moment_after_step(Simulator& simulation);
/// The state alone: before the first step, or after one that failed.
Moment moment_without_step(Simulator& simulation);

}  // namespace delassus::cli
