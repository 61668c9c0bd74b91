// What a BatchSimulator holds.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "batch/batch_motors.hpp"
#include "batch/environments.hpp"
#include "batch/full_stepper.hpp"
#include "batch/lane_stepper.hpp"
#include "batch/shapes.hpp"
#include "batch/threads.hpp"

namespace delassus {

class BatchSimulator::Parts {
 public:
  Parts(const SimulationSetup& setup, int size, const BatchSimulatorOptions& options);

  int size() const { return all.size; }
  const Model& model() const { return setup.model; }
  int num_bodies() const { return static_cast<int>(model().description().bodies.size()); }
  int width() const { return width_; }
  int num_actuators() const { return static_cast<int>(setup.actuators.size()); }

  /// Environments with a flag; no flags: all. Throws an Error if there is another number of them.
  std::vector<int> chosen(std::span<const std::uint8_t> flags) const;
  void reset(std::span<const int> environments, const BatchView<const double>& q, const BatchView<const double>& v,
             double time);
  void set_parameters(std::span<const int> environments, const BatchParameters& parameters);
  int step(int count, int every, const std::function<void()>& look);
  std::size_t bytes() const;

  const SimulationSetup setup;
  BatchThreads threads;
  CollisionWorld world;
  LanePlan plan;
  BatchEnvironments all;
  BatchMotors motors;
  std::vector<std::string> messages;
  RowsOf<double> mass_scale, inertia_scale, com_offset;  // as they were given

  // The frame whose acceleration is watched: -1, none. Velocity of its origin before the last call of step, and acceleration over it, world axes.
  int watched = -1;
  RowsOf<double> watched_velocity, watched_acceleration;

  void watch(int thread, int e, double seconds);
  /// Kinematics of one environment, in the workspace of a thread.
  struct Place {
    explicit Place(const Model& model) : kin(model), vel(model) {}
    Kinematics<double> kin;
    Velocities<double> vel;
  };
  Place& place(int thread, int e);

 private:
  FullStepper& full(int thread);
  void step_all(int count);
  void step_block(int thread, int block, int count);
  void step_alone(int thread, int e, int count);
  void check_parameters(std::span<const int> environments, const BatchParameters& parameters) const;
  void take_inertias(int e);

  int width_ = 1;                                       // of blocks
  std::vector<std::unique_ptr<LaneStepper>> steppers_;  // one for each thread; none without lanes
  std::vector<std::unique_ptr<FullStepper>> full_;      // likewise, made when first needed
  std::vector<std::unique_ptr<Place>> places_;
};

}  // namespace delassus
