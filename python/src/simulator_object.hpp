// SimulatorObject: what Python calls a Simulator, without any Python in it.
#pragma once

#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "delassus/simulation/simulation_setup.hpp"

namespace delassus::python {

/// "not_converged": the word for how a step ended.
const char* step_word(StepStatus::Code code);

/// A simulation with vectors of its own for what Python reads and writes: they stay where they are, whatever the steps do.
class SimulatorObject {
 public:
  SimulatorObject(std::shared_ptr<Model> model, const SimulationSetup& setup);

  /// `count` steps with what stands in the vectors. Coordinates or velocities that were written to begin the simulation anew from there.
  /// Throws an Error for vectors that make no sense, and an OutcomeError for a step that failed; then the vectors are as after the
  /// step before it.
  void advance(int count);
  void set_state(VectorView<const double> q_new, VectorView<const double> v_new, double time);
  SimulationState save();
  void restore(const SimulationState& state);
  /// From what stands in the vectors.
  double kinetic_energy();
  double potential_energy();

  const std::shared_ptr<Model> model;
  const std::vector<Constraint> constraints;
  std::mutex mutex;
  Simulator simulation;
  std::vector<double> q, v, control, target_velocity, forces;  // their sizes never change: Python holds views of them

 private:
  void take_in();
  void put_out();
};

}  // namespace delassus::python
