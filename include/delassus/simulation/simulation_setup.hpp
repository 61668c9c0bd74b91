// All that a simulation is made from, before it is made.
#pragma once

#include <utility>
#include <vector>

#include "delassus/simulation/simulator.hpp"

namespace delassus {

struct SimulationSetup {
  /// At rest in the neutral configuration, with nothing else.
  explicit SimulationSetup(Model m);

  /// In the state of this setup; position actuators hold it. Throws an Error.
  Simulator make_simulator() const;

  Model model;
  std::vector<Constraint> constraints;
  std::vector<double> q, v;
  std::vector<double> forces;  // one per degree of freedom, that act all the time
  SimulationOptions options;
  std::vector<Actuator> actuators;
  double seconds = 2;  // to be simulated
};

/// Raises all that is on free joints, by the same height, until nothing reaches below a plane of the world. Returns the height in metres.
double lift_onto_ground(SimulationSetup& setup);

}  // namespace delassus
