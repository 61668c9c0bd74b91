#include "delassus/simulation/simulation_setup.hpp"

#include <algorithm>

namespace delassus {

SimulationSetup::SimulationSetup(const Model& m) : model(m), q(model.neutral()) {
  v.resize(static_cast<std::size_t>(model.nv()));
  forces = v;
}

Simulator SimulationSetup::make_simulator() const {
  Simulator out(model, constraints, options);
  out.set_state(q, v);
  out.set_actuators(actuators);
  std::ranges::copy(forces, out.forces().begin());
  return out;
}

}  // namespace delassus
