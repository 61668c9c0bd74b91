// A simulation that runs as fast as a clock, and can be told to pause, to go on and to begin again.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/pages/frame_writer.hpp"
#include "cli/pages/recording.hpp"
#include "cli/viewer/live_log.hpp"
#include "delassus/simulation/simulation_setup.hpp"

namespace delassus::cli {

struct LiveOptions {
  double speed = 1;               // simulated seconds per second
  int fps = 60;                   // frames per second
  std::optional<double> seconds;  // when it ends; none: it does not
};

class LiveSimulation {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr double kLeastSpeed = 0.01, kMostSpeed = 100;

  /// The setup has to live as long as this. Throws an Error as Simulator does.
  LiveSimulation(const SimulationSetup& setup, const LiveOptions& options);

  /// Makes the steps that are due, but for no longer than a frame takes: what cannot be made in time is not made up for.
  void advance();
  /// How long until there is something to do.
  std::chrono::milliseconds wait() const;

  void pause();
  void resume();
  /// One step, if it is paused.
  void step();
  void restart();
  void set_speed(double speed);

  const LiveLog& log() const { return log_; }
  const Simulator& simulator() const { return simulation_; }

 private:
  bool is(std::string_view status) const { return log_.status() == status; }
  bool is_over() const { return is("ended") || is("failed"); }
  bool take_step();
  void set_status(std::string status, std::string message = "");
  void set_clock();
  double due_time(Clock::time_point now) const;

  const SimulationSetup& setup_;
  LiveOptions options_;
  Simulator simulation_;
  FrameWriter writer_;
  LiveLog log_;
  // The time of the simulation at a time of the clock, and the frames from there on.
  Clock::time_point clock_start_;
  double start_ = 0;
  FrameClock frames_{1};
};

}  // namespace delassus::cli
