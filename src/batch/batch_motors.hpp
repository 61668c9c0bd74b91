// What stands between the commands of a batch and its motors: delay, first-order lag, torque-speed curve.
#pragma once

#include <span>
#include <vector>

#include "batch/environments.hpp"

namespace delassus {

class BatchMotors {
 public:
  /// Throws an Error that names the actuator whose model makes no sense.
  BatchMotors(std::span<const Actuator> actuators, std::vector<MotorModel> models, double dt, int size);

  /// What users write to: (B, actuators).
  RowsOf<double> commands;

  /// From now on an environment's commands come so much later, in seconds, than they are given.
  void set_latency(int environment, double seconds);
  /// Whether the delay is one that can be had; an Error says so if not.
  static void require_latency(int environment, double seconds, double dt);
  /// Nothing is on its way: all are as the commands at hand.
  void begin(int environment);
  /// The controls of the next step, and with a curve the limits.
  void act(int environment, BatchEnvironments& all) const;
  /// That step went well: its commands are of the past.
  void move_on(int environment, const BatchEnvironments& all);

  /// With torque-speed curves limits differ in each step.
  bool has_curves() const { return has_curves_; }
  void set_limits(int environment, std::span<const double> limits);

  std::size_t bytes() const;

  std::vector<double> save_commands(int environment) const;
  std::vector<double> save_lagged(int environment) const;
  /// False if they are of another batch.
  bool restore(int environment, std::span<const double> commands, std::span<const double> lagged);

 private:
  int width() const { return commands.width(); }
  int delay_of(int environment, std::size_t actuator) const;
  int longest_delay(int environment) const;
  /// A command that was given so many steps before the newest.
  double* past(int environment, int age);
  const double* past(int environment, int age) const;
  int place(int environment, int age) const;
  void remember(int environment, int count);
  void find_limits(int environment, BatchEnvironments& all) const;
  void make_room(int depth);

  double dt_;
  std::vector<MotorModel> models_;  // one for each actuator, or none
  bool has_curves_ = false, has_lags_ = false;
  int longest_ = 0;      // delay of the models, steps
  int depth_ = 1;        // commands that there is room for
  RowsOf<double> past_;  // (B, depth · actuators), the newest at `newest_`
  std::vector<int> newest_;
  std::vector<int>
      known_;  // commands that an environment remembers, by its own delays: what others remember is not for it
  std::vector<int> latency_;  // steps; -1: as the models say
  RowsOf<double> lagged_;
  RowsOf<double> limits_;  // without curves
};

}  // namespace delassus
