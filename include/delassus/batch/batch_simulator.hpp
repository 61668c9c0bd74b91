// Many simulations of one setup, stepped together (docs/learning.md): for learning, for statistics.
//
// An environment is a state, parameters and where its solves begin: a few kilobytes. Workspaces belong to threads. Environments run side by side in the lanes
// of SIMD vectors where their contacts are candidate points on planes (docs/learning.md); a step that needs more (bodies that touch each other, a solve
// that does not arrive) is made by itself with the full collision and all solvers, and a batch whose mechanism needs more (loops, height fields: lanes_refused())
// always is. Which it was, StepSummary says.
//
// What an environment does depends on its own state, parameters and inputs alone: the same bits for any number of environments and of threads, and whatever the others do.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "delassus/batch/batch_view.hpp"
#include "delassus/simulation/simulation_setup.hpp"

namespace delassus {

/// What stands between a command and a motor, for each actuator.
struct MotorModel {
  double delay = 0;  // s: commands act so much later, in whole steps
  double lag = 0;    // s: time constant of a first-order lag; zero: none
  /// The torque-speed curve: the whole effort limit up to the first speed, and none from the second on, rad/s or m/s.
  double knee_speed = std::numeric_limits<double>::infinity();
  double no_load_speed = std::numeric_limits<double>::infinity();
  bool operator==(const MotorModel&) const = default;
};

struct BatchSimulatorOptions {
  int threads = 0;                   // that steps run on, the caller's among them; 0: as many as there are cores
  bool lanes = true;                 // environments side by side where that is possible
  std::vector<MotorModel> motors{};  // one for each actuator; empty: commands act at once
};

/// How the last step of an environment went.
struct StepSummary {
  StepStatus status;
  double residual = 0;    // m/s by which contact forces miss their law (ContactCertificate::velocity)
  int iterations = 0;     // of all solvers
  bool in_lanes = false;  // beside others; else by itself with the full collision
  bool inexact = false;   // the solve did not converge, but is acceptable
};

/// Other parameters for some environments: (B, n), rows of those that are not asked for are not read. What is not given stays as it is.
struct BatchParameters {
  using Rows = std::optional<BatchView<const double>>;
  Rows friction = {};       // (B, 1): the coefficient of all sliding contacts
  Rows mass_scale = {};     // (B, bodies): of mass and rotational inertia
  Rows com_offset = {};     // (B, 3 bodies): m, in the body's axes
  Rows inertia_scale = {};  // (B, bodies): of rotational inertia about the centre of mass, beside mass_scale
  Rows kp = {}, kd = {}, effort_limit = {};  // (B, actuators)
  Rows latency = {};                         // (B, 1): s, instead of MotorModel::delay
  Rows gravity = {};                         // (B, 3): m/s²
};

/// All that the future of one environment depends on, but for its parameters. Plain values.
struct EnvironmentState {
  SimulationState simulation;
  // Where solves in lanes begin, and commands on their way.
  std::vector<std::int32_t> slots;
  std::vector<double> slot_impulses, joint_impulses, efforts, commands, lagged;
  bool operator==(const EnvironmentState&) const = default;
};

class BatchSimulator {
 public:
  /// `size` environments in the state of the setup; position actuators hold it. Throws an Error where SimulationSetup::make_simulator does, or if an option makes no
  /// sense.
  BatchSimulator(const SimulationSetup& setup, int size, const BatchSimulatorOptions& options = {});
  BatchSimulator(BatchSimulator&&) noexcept;
  BatchSimulator& operator=(BatchSimulator&&) noexcept;
  ~BatchSimulator();

  const Model& model() const;
  const SimulationOptions& options() const;
  std::span<const Actuator> actuators() const;
  int size() const;
  int threads() const;
  /// Environments in one vector; 1 if none run in lanes.
  int lanes() const;
  /// Why this batch never runs in lanes, in words; empty if it does.
  const std::string& lanes_refused() const;
  /// Memory of all environments; workspaces belong to threads.
  std::size_t bytes() const;

  // ------------------------------------------------------------ views of the batch's own memory, one row per environment

  BatchView<const double> q() const;
  BatchView<const double> v() const;
  /// What acts during the next steps, to be written to: a control for each actuator, the velocity for position actuators, and forces along joints beside.
  BatchView<double> control();
  BatchView<double> target_velocity();
  BatchView<double> forces();
  /// Of the last step: force of each actuator; sum of contact forces on each body, (B, 3 bodies), newtons, world axes; 1 where a body has one.
  BatchView<const double> efforts() const;
  BatchView<const double> contact_force() const;
  BatchView<const double> in_contact() const;
  std::vector<double> times() const;
  std::span<const StepSummary> summaries() const;
  std::int64_t inexact_steps(int environment) const;
  /// The status of an environment's last step in words; empty if it is ok.
  const std::string& message(int environment) const;

  // ----------------------------------------------------------------------------------------------------------- verbs

  /// Environments with a flag begin anew from their rows of q and v, as new ones would: impulses and commands of before are forgotten, controls hold the posture, forces are
  /// those of the setup. Throws an Error that names the first environment whose state makes no sense, and changes none. No flags: all of them.
  void reset(std::span<const std::uint8_t> flags, BatchView<const double> q, BatchView<const double> v,
             double time = 0);
  /// In the state of the setup.
  void reset(std::span<const std::uint8_t> flags = {}, double time = 0);

  /// Throws an Error that names the parameter and the environment where a number makes no sense, and changes nothing then.
  void set_parameters(std::span<const std::uint8_t> flags, const BatchParameters& parameters);

  /// `count` steps of every environment, each as far as it goes well. Returns how many did not go all the way; the state of those is
  /// the last good one.
  int step(int count = 1);
  /// The same; after every so many steps `look` is called on this thread, and may read.
  int step(int count, int every, const std::function<void()>& look);

  /// Bit for bit: what is restored goes on as it would have.
  EnvironmentState save(int environment) const;
  void restore(int environment, const EnvironmentState& state);

  // --------------------------------------------------------------------------------------------------------- sensors

  /// Poses of frames, (B, 7 frames): position, quaternion x y z w, world axes. Velocities, (B, 6 frames): linear, of the origin, and angular.
  void frame_poses(std::span<const int> frames, BatchView<double> out) const;
  void frame_velocities(std::span<const int> frames, BatchView<double> out) const;
  /// An inertial sensor at a frame, (B, 6): angular velocity, and acceleration less gravity over the last call of step, both in the frame's axes. The first call says which
  /// frame is watched: until a step after it, accelerations are those of rest.
  void watch_acceleration(int frame);
  void imu(BatchView<double> out) const;
  /// Height of planes and height fields under points around a frame, (B, points), world z: points are x, y pairs in axes that are turned with the frame about z alone.
  void height_scan(int frame, std::span<const double> points, BatchView<double> out) const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace delassus
