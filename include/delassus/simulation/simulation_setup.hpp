// All that a simulation is made from, before it is made.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "delassus/simulation/simulator.hpp"

namespace delassus {

struct SimulationSetup {
  /// At rest in the neutral configuration, with nothing else.
  explicit SimulationSetup(const Model& m);

  /// In the state of this setup; position actuators hold it. Throws an Error.
  Simulator make_simulator() const;

  /// Where joints are beyond their limits or loops open by more than options.start_violation: moves q to a posture nearby in which neither is, and v along the
  /// loops. Returns the names of joints that moved. Throws an Error that names the constraint or the limit which stays violated; then nothing has changed.
  std::vector<std::string> assemble();

  Model model;
  std::vector<Constraint> constraints;
  std::vector<double> q, v;
  std::vector<double> forces;  // one per degree of freedom, that act all the time
  SimulationOptions options;
  std::vector<Actuator> actuators;
  double seconds = 2;  // to be simulated
};

/// Raises all that floats, by the same height, until none of it reaches below a plane of the world. What loops tie to the world, or to what is bolted to it, does
/// not float. Returns the height in metres.
double lift_onto_ground(SimulationSetup& setup);

/// Leaves out the floor that is there by default where the setup starts deeper below it than options.start_penetration: a mechanism that hangs from the world. Returns
/// whether it did.
bool leave_out_ground_above(SimulationSetup& setup);

}  // namespace delassus
