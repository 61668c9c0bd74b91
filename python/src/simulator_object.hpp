// SimulatorObject: what Python calls a Simulator, without any Python in it.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "delassus/kinematics/frames.hpp"
#include "delassus/simulation/simulation_setup.hpp"
#include "recording_object.hpp"
#include "simulation/body_push.hpp"

namespace delassus::python {

/// What acts on a body at its contacts.
struct BodyContact {
  Vec3<double> force{};  // sum over the points, newtons, world axes
  bool touches = false;
};

/// A simulation with vectors of its own for what Python reads and writes: they stay where they are, whatever the steps do.
class SimulatorObject {
 public:
  SimulatorObject(std::shared_ptr<Model> model, const SimulationSetup& setup);

  /// `count` steps with what stands in the vectors, and with `pushes`, which act in these steps alone. Coordinates or velocities that were written to begin the simulation anew from there.
  /// Throws an Error for vectors that make no sense, and an OutcomeError for a step that failed; then the vectors are as after the
  /// step before it.
  void advance(int count, std::span<const BodyPush> pushes = {});
  void set_state(VectorView<const double> q_new, VectorView<const double> v_new, double time);
  SimulationState save();
  void restore(const SimulationState& state);
  /// From what stands in the vectors.
  double kinetic_energy();
  double potential_energy();
  /// Of the body's frame in the world; the velocity is that of its origin, world axes.
  Pose<double> body_pose(int body);
  Motion<double> body_velocity(int body);
  /// In the last step, at the shapes of this body alone: a foot that is fixed to a shank has contacts of its own, as in a batch.
  BodyContact body_contact(int body) const;
  /// Steps add frames to it as long as somebody keeps it.
  std::shared_ptr<RecordingObject> record(int fps);

  const std::shared_ptr<Model> model;
  const std::vector<Constraint> constraints;
  std::mutex mutex;
  Simulator simulation;
  std::vector<double> q, v, control, target_velocity, forces;  // their sizes never change: Python holds views of them

 private:
  void take_in();
  void put_out();
  StepStatus advance_one_by_one(int count, std::span<const BodyPush> pushes);
  void push(std::span<const BodyPush> pushes);
  void place();

  Kinematics<double> kin_;
  Velocities<double> vel_;
  std::vector<double> jacobian_;  // of the frame of a body
  std::vector<std::weak_ptr<RecordingObject>> recordings_;
};

}  // namespace delassus::python
