#include "simulator_object.hpp"

#include <algorithm>

#include "coordinates.hpp"
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

SimulatorObject::SimulatorObject(std::shared_ptr<Model> m, const SimulationSetup& setup)
    : model(std::move(m)),
      constraints(setup.constraints),
      simulation(setup.make_simulator()),
      kin_(*model),
      vel_(*model) {
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

/// All pushes, where the simulation is, on top of the forces that the user has written.
void SimulatorObject::push(std::span<const BodyPush> pushes) {
  std::ranges::copy(forces, simulation.forces().begin());
  update_kinematics<double>(*model, simulation.q(), kin_);
  for (const BodyPush& p : pushes) add_push(*model, kin_, p, simulation.forces(), jacobian_);
}

StepStatus SimulatorObject::advance_one_by_one(int count, std::span<const BodyPush> pushes) {
  StepStatus status;
  for (int k = 0; k < count && status.ok(); ++k) {
    if (!pushes.empty()) push(pushes);
    status = simulation.step();
    for (const auto& watcher : recordings_) {
      const std::shared_ptr<RecordingObject> recording = watcher.lock();
      if (recording && status.ok()) recording->note_step(simulation);
      if (recording && !status.ok()) recording->note_failure(simulation.describe(status));
    }
  }
  // After an exception take_in does so: nothing is read of the simulation's forces before it.
  std::ranges::copy(forces, simulation.forces().begin());
  return status;
}

void SimulatorObject::advance(int count, std::span<const BodyPush> pushes) {
  take_in();
  std::erase_if(recordings_, [](const auto& watcher) { return watcher.expired(); });
  const bool alone = pushes.empty() && recordings_.empty();
  const StepStatus status = alone ? simulation.advance(count) : advance_one_by_one(count, pushes);
  put_out();
  if (status.ok()) return;
  const std::string text = "model '" + model->name() + "': " + simulation.describe(status);
  if (is_bad_argument(status.code)) throw Error(text);
  throw OutcomeError(text, name_of(status.code).data(), status.index);
}

std::shared_ptr<RecordingObject> SimulatorObject::record(int fps) {
  take_in();
  auto out = std::make_shared<RecordingObject>(model->name(), simulation, fps);
  recordings_.push_back(out);
  return out;
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

/// Where the vectors say that everything is, which is more recent than the simulation.
void SimulatorObject::place() {
  require_coordinates(*model, q);
  require_finite(*model, v);
  update_kinematics<double>(*model, q, kin_);
  update_velocities<double>(*model, kin_, v, vel_);
}

Pose<double> SimulatorObject::body_pose(int body) {
  place();
  return frame_pose(*model, kin_, model->body_frame(body));
}

Motion<double> SimulatorObject::body_velocity(int body) {
  place();
  return frame_velocity(*model, kin_, vel_, model->body_frame(body));
}

BodyContact SimulatorObject::body_contact(int body) const {
  BodyContact out;
  const auto add = [&](int at, const Vec3<double>& force) {
    if (at != body || dot(force, force) == 0) return;
    out.touches = true;
    out.force += force;
  };
  for (const ContactState& contact : simulation.contacts()) {
    add(contact.body_a, contact.force);
    add(contact.body_b, -contact.force);
  }
  return out;
}

}  // namespace delassus::python
