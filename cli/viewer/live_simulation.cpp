#include "cli/viewer/live_simulation.hpp"

#include <algorithm>
#include <cmath>

namespace delassus::cli {

LiveSimulation::LiveSimulation(const SimulationSetup& setup, const LiveOptions& options)
    : setup_(setup),
      options_(options),
      simulation_(setup.make_simulator()),
      writer_(setup.model, LiveLog::kMostFrames),
      log_(writer_.structures()) {
  log_.add(writer_.write(moment_without_step(simulation_)));
  set_status("running");
}

void LiveSimulation::set_status(std::string status, std::string message) {
  log_.set_status(std::move(status), std::move(message), options_.speed);
  set_clock();
}

/// Slow motion has as many frames per second of the clock as any.
void LiveSimulation::set_clock() {
  clock_start_ = Clock::now();
  start_ = simulation_.time();
  frames_ = FrameClock(options_.fps / options_.speed, start_);
  frames_.due(start_, 0);  // that frame is there already
}

double LiveSimulation::due_time(Clock::time_point now) const {
  return start_ + options_.speed * std::chrono::duration<double>(now - clock_start_).count();
}

bool LiveSimulation::take_step() {
  const StepStatus status = simulation_.step();
  if (!status.ok()) {
    const std::string words = simulation_.describe(status);
    log_.add(writer_.write(moment_without_step(simulation_)));
    set_status("failed", words);
    return false;
  }
  const double dt = setup_.options.dt;
  const bool ends = options_.seconds && simulation_.time() > *options_.seconds - dt / 2;
  if (frames_.due(simulation_.time(), dt) || ends || is("paused"))
    log_.add(writer_.write(moment_after_step(simulation_)));
  if (ends) set_status("ended");
  return !ends;
}

void LiveSimulation::advance() {
  if (!is("running")) return;
  const Clock::time_point begin = Clock::now();
  const double due = due_time(begin);
  const std::chrono::duration<double> most(1.0 / options_.fps);
  while (simulation_.time() + setup_.options.dt <= due) {
    if (!take_step()) return;
    if (Clock::now() - begin < most) continue;
    clock_start_ = Clock::now();
    start_ = simulation_.time();
    return;
  }
}

/// Half a frame, or until the next step: a thousand wake-ups a second would show no more.
std::chrono::milliseconds LiveSimulation::wait() const {
  constexpr double kLongest = 0.1;
  if (!is("running")) return std::chrono::milliseconds(static_cast<int>(1e3 * kLongest));
  const double until_step = (simulation_.time() + setup_.options.dt - due_time(Clock::now())) / options_.speed;
  const double wait = std::min(kLongest, std::max(0.5 / options_.fps, until_step));
  return std::chrono::milliseconds(static_cast<int>(1e3 * wait));
}

void LiveSimulation::pause() {
  if (is("running")) set_status("paused");
}

void LiveSimulation::resume() {
  if (is("paused")) set_status("running");
}

void LiveSimulation::step() {
  if (is("paused")) take_step();
}

void LiveSimulation::restart() {
  simulation_ = setup_.make_simulator();
  log_.restart();
  log_.add(writer_.write(moment_without_step(simulation_)));
  set_status(is("paused") ? "paused" : "running");
}

void LiveSimulation::set_speed(double speed) {
  options_.speed = speed;
  set_status(log_.status());
}

}  // namespace delassus::cli
