#include "simulator_object.hpp"

#include <algorithm>

#include "errors.hpp"

namespace delassus::python {
namespace {

/// Whether what it was given makes no sense.
bool is_bad_argument(StepStatus::Code code) {
  using Code = StepStatus::Code;
  return code == Code::kBadControl || code == Code::kBadForce || code == Code::kInterpenetrating ||
         code == Code::kOpenLoop || code == Code::kBeyondLimit;
}

}  // namespace

const char* step_word(StepStatus::Code code) {
  switch (code) {
    case StepStatus::Code::kOk:
      return "ok";
    case StepStatus::Code::kBadControl:
      return "bad_control";
    case StepStatus::Code::kBadForce:
      return "bad_force";
    case StepStatus::Code::kInterpenetrating:
      return "interpenetrating";
    case StepStatus::Code::kCrowded:
      return "crowded";
    case StepStatus::Code::kSingularJoint:
      return "singular_joint";
    case StepStatus::Code::kDegenerate:
      return "degenerate";
    case StepStatus::Code::kOpenLoop:
      return "open_loop";
    case StepStatus::Code::kBeyondLimit:
      return "beyond_limit";
    case StepStatus::Code::kContradiction:
      return "contradiction";
    case StepStatus::Code::kSolveGain:
      return "solve_gain";
    case StepStatus::Code::kEnergyGain:
      return "energy_gain";
    case StepStatus::Code::kNotConverged:
      return "not_converged";
    case StepStatus::Code::kDiverged:
      return "diverged";
  }
  return "unknown";
}

SimulatorObject::SimulatorObject(std::shared_ptr<Model> m, const SimulationSetup& setup)
    : model(std::move(m)), constraints(setup.constraints), simulation(setup.make_simulator()) {
  q = simulation.q();
  v = simulation.v();
  control.assign(simulation.control().begin(), simulation.control().end());
  target_velocity.assign(simulation.target_velocity().begin(), simulation.target_velocity().end());
  forces.assign(simulation.forces().begin(), simulation.forces().end());
}

/// Numbers that are none differ from all others, and set_state names them.
void SimulatorObject::take_in() {
  if (q != simulation.q() || v != simulation.v()) simulation.set_state(q, v, simulation.time());
  std::ranges::copy(control, simulation.control().begin());
  std::ranges::copy(target_velocity, simulation.target_velocity().begin());
  std::ranges::copy(forces, simulation.forces().begin());
}

void SimulatorObject::put_out() {
  std::ranges::copy(simulation.q(), q.begin());
  std::ranges::copy(simulation.v(), v.begin());
}

void SimulatorObject::advance(int count) {
  take_in();
  const StepStatus status = simulation.advance(count);
  put_out();
  if (status.ok()) return;
  const std::string text = "model '" + model->name() + "': " + simulation.describe(status);
  if (is_bad_argument(status.code)) throw Error(text);
  throw OutcomeError(text, step_word(status.code), status.index);
}

void SimulatorObject::set_state(VectorView<const double> q_new, VectorView<const double> v_new, double time) {
  simulation.set_state(q_new, v_new, time);
  put_out();
}

SimulationState SimulatorObject::save() {
  take_in();
  return simulation.save();
}

void SimulatorObject::restore(const SimulationState& state) {
  simulation.restore(state);
  put_out();
  std::ranges::copy(simulation.control(), control.begin());
  std::ranges::copy(simulation.target_velocity(), target_velocity.begin());
  std::ranges::copy(simulation.forces(), forces.begin());
}

double SimulatorObject::kinetic_energy() {
  take_in();
  return simulation.kinetic_energy();
}

double SimulatorObject::potential_energy() {
  take_in();
  return simulation.potential_energy();
}

}  // namespace delassus::python
