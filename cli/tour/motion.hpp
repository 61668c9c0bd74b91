// Constrained dynamics of a contact set, every row held: how fast each form finds the motion of the limp robot, and which forces
// hold it still where it has motors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/measure/timed_call.hpp"
#include "delassus/io/scene.hpp"

namespace delassus::cli {

/// One way to solve M ν̇ + h = Jᵀ λ and J ν̇ = -J̇ν. Residuals are relative to the largest of their terms.
struct FormResult {
  std::string_view name;
  double time_us = 0;  // from q
  int iterations = 0;
  double forces = 0, rows = 0;
  std::string trouble;  // what the status says, if it is not ok
};

/// The force of one constraint, over its rows of one unit.
struct HeldForce {
  std::string name;
  double newtons = 0;
};

struct MotionResult {
  std::vector<FormResult> forms;
  double weight = 0;              // newtons
  std::vector<HeldForce> forces;  // the least that hold the robot still, largest first
  std::string unbalanced;         // why nothing can hold it still; empty if something can
};

MotionResult run_motion(const Scene& scene, const Effort& effort);

}  // namespace delassus::cli
