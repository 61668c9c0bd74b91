// Steps of one environment by itself, with the full collision and all solvers: a Simulator that takes one after the other.
#pragma once

#include <string>

#include "batch/environments.hpp"

namespace delassus {

/// Workspace of one thread. It begins with room for a few contacts, and is made anew with more when a step needs it, up to the capacity of the
/// setup: most robots never touch in so many points, and the limit may be high.
class FullStepper {
 public:
  explicit FullStepper(SimulationSetup setup);

  /// Takes an environment. Allocates where it has more contacts than any before it.
  void begin(int environment, const BatchEnvironments& all);
  /// One step of it with the controls that it has now. Writes everything if it goes well, else its summary and `message` alone.
  bool step(BatchEnvironments& all, std::string& message);

  /// Whether an environment may begin so: throws the Error of Simulator::set_state.
  void check(std::span<const double> q, std::span<const double> v, double time);
  /// Quaternions of the last check, normalised.
  const std::vector<double>& checked_q() const { return simulator_.q(); }

 private:
  /// Room for twice as many contacts, or for `least`. False at the limit. What the simulator held is gone.
  bool grow(std::size_t least = 0);
  void take_values(const OwnValues& own);
  void write(BatchEnvironments& all);

  const SimulationSetup setup_;
  int room_;  // contacts
  Simulator simulator_;
  int environment_ = 0;
  SimulationState state_;
  std::vector<RigidInertia<double>> inertias_;
};

}  // namespace delassus
