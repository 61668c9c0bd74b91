#include "cli/commands/simulate_recording.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/commands/simulate_options.hpp"

namespace delassus::cli {

std::string title_of(const std::string& scene) { return std::filesystem::path(scene).filename().string(); }

nlohmann::json recording_head(const std::string& title, const SimulationSetup& setup, const Simulator& simulation,
                              int fps) {
  return make_recording_head({title, describe(setup), setup.options.dt, fps}, setup.model,
                             simulation.collision().shapes());
}

SimulationRecorder::SimulationRecorder(const std::string& title, const SimulationSetup& setup, Simulator& simulation,
                                       int fps)
    : recording_(recording_head(title, setup, simulation, fps), setup.model),
      clock_(fps, simulation.time()),
      dt_(setup.options.dt) {
  if (clock_.due(simulation.time(), dt_)) recording_.add(moment_without_step(simulation));
}

void SimulationRecorder::note_step(Simulator& simulation) {
  if (clock_.due(simulation.time(), dt_)) recording_.add(moment_after_step(simulation));
}

void SimulationRecorder::end(Simulator& simulation, const std::string& failure, bool interrupted) {
  using Status = Recording::Status;
  if (recording_.is_full()) {
    recording_.end(Status::kFull,
                   fmt::format("The page is full: nothing is recorded after {:g} s", recording_.last_time()));
    return;
  }
  if (simulation.time() > recording_.last_time()) {
    recording_.add(failure.empty() ? moment_after_step(simulation) : moment_without_step(simulation));
  }
  if (!failure.empty()) return recording_.end(Status::kFailed, failure);
  recording_.end(interrupted ? Status::kInterrupted : Status::kEnded, interrupted ? "interrupted" : "");
}

}  // namespace delassus::cli
