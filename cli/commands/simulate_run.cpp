#include "cli/commands/simulate_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "cli/commands/motion_file.hpp"
#include "cli/commands/simulate_recording.hpp"
#include "cli/shell/interruption.hpp"
#include "cli/shell/progress.hpp"

namespace delassus::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point a, Clock::time_point b) {
  return std::chrono::duration<double>(b - a).count();
}

/// Says now and then how far a run is.
class RunProgress {
 public:
  RunProgress(int steps, double dt, bool quiet)
      : progress_(Progress::Elsewhere::kLines),
        steps_(steps),
        dt_(dt),
        quiet_(quiet),
        period_(progress_.on_terminal() && !quiet ? 0.1 : 5) {}

  void update(const RunRecord& run, Clock::time_point now) {
    if (quiet_ || seconds_between(last_, now) < period_) return;
    last_ = now;
    const double share = static_cast<double>(run.steps) / steps_;
    const double left = seconds_between(start_, now) * (1 - share) / share;
    progress_.show(share, fmt::format("t {:.2f} of {:.2f} s, {:.2g} times real time, {} contacts, {:.0f} s left",
                                      run.steps * dt_, steps_ * dt_, run.real_time_factor(), run.last_contacts, left));
  }

 private:
  Progress progress_;
  int steps_;
  double dt_;
  bool quiet_;
  double period_;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

void note_step(const StepReport& report, RunRecord& run) {
  ++run.steps;
  run.inexact_steps += report.inexact;
  run.last_contacts = report.contacts;
  run.contacts.add(report.contacts);
  run.iterations.add(report.certificate.iterations);
  run.penetration.add(report.penetration);
  run.velocity_residual.add(report.certificate.worst());
  run.force_residual.add(report.certificate.force);
  run.energy.add(report.energy);
  run.most_kinetic = std::max(run.most_kinetic, report.energy.kinetic);
  if (run.gained() > run.most_gained) {
    run.most_gained = run.gained();
    run.most_gained_at = run.time;
  }
  run.solve_gain.add(std::max(0.0, report.energy.solve));
}

Energy energy_of(Simulator& simulation) { return {simulation.kinetic_energy(), simulation.potential_energy()}; }

/// One step that is measured; whether it went well.
bool take_step(Simulator& simulation, RunRecord& run) {
  const Clock::time_point before = Clock::now();
  const StepStatus status = simulation.step();
  const double taken = seconds_between(before, Clock::now());
  if (!status.ok()) {
    run.failure = simulation.describe(status);
    return false;
  }
  run.step_time += taken;
  run.step_times.push_back(static_cast<float>(taken));
  run.time = simulation.time();
  note_step(simulation.report(), run);
  return true;
}

}  // namespace

RunRecord run_simulation(const SimulationSetup& setup, const RunOptions& options) {
  Simulator simulation = setup.make_simulator();
  const double wanted = std::ceil(setup.seconds / setup.options.dt - 1e-6);
  if (!(wanted < 1e9)) throw Error("--seconds and --dt make more than a thousand million steps; take fewer");
  const int steps = static_cast<int>(wanted);
  RunRecord run;
  run.before = energy_of(simulation);
  run.energy.kinetic = run.before.kinetic;
  run.energy.potential = run.before.potential;
  MotionFile file(options.csv, setup.model);
  file.add(simulation);
  std::optional<SimulationRecorder> recorder;
  if (!options.recorded_as.empty()) recorder.emplace(options.recorded_as, setup, simulation, options.fps);
  std::optional<StepCapture> capture;
  if (!options.capture.folder.empty()) capture.emplace(options.capture, options.scene, simulation);
  const Interruption interruption;
  RunProgress progress(steps, setup.options.dt, options.quiet);
  const auto take = [&] {
    const bool taken = take_step(simulation, run);
    if (capture) capture->note_step(run.steps + (taken ? 0 : 1));
    return taken;
  };
  while (run.steps < steps && !run.interrupted && take()) {
    if (run.steps % options.every == 0) file.add(simulation);
    if (recorder) recorder->note_step(simulation);
    progress.update(run, Clock::now());
    run.interrupted = interruption.asked();
  }
  file.keep();
  if (recorder) {
    recorder->end(simulation, run.failure, run.interrupted);
    run.recording = recorder->recording().document();
  }
  if (capture) run.captured = {options.capture.folder, capture->hard_steps(), capture->files()};
  run.after = energy_of(simulation);
  run.q = simulation.q();
  run.v = simulation.v();
  return run;
}

}  // namespace delassus::cli
