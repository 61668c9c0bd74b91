// Steps of one environment by itself, with the full collision and all solvers: a Simulator that takes one after the other.
#pragma once

#include <string>

#include "batch/environments.hpp"

namespace delassus {

/// Workspace of one thread.
class FullStepper {
 public:
  explicit FullStepper(const SimulationSetup& setup);

  /// Takes an environment. Allocates where it has more contacts than any before it.
  void begin(int environment, const BatchEnvironments& all);
  /// One step of it with the controls that it has now. Writes everything if it goes well, else its summary and `message` alone.
  bool step(BatchEnvironments& all, std::string& message);

  /// Whether an environment may begin so: throws the Error of Simulator::set_state.
  void check(std::span<const double> q, std::span<const double> v, double time);
  /// Quaternions of the last check, normalised.
  const std::vector<double>& checked_q() const { return simulator_.q(); }
  std::span<const double> held_control() const { return held_; }

 private:
  void take_values(const OwnValues& own);
  void write(BatchEnvironments& all);

  Simulator simulator_;
  const std::vector<double> held_;  // controls of the setup
  int environment_ = 0;
  SimulationState state_;
  std::vector<RigidInertia<double>> inertias_;
};

}  // namespace delassus
