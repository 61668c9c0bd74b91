// A simulation as it is recorded for the viewer.
#pragma once

#include <string>

#include "cli/pages/recording.hpp"
#include "delassus/simulation/simulation_setup.hpp"

namespace delassus::cli {

/// What a recording of the scene is called: its name, or that of its file without the folder.
std::string title_of(const std::string& scene);

/// The head of its recording; `title` as above.
nlohmann::json recording_head(const std::string& title, const SimulationSetup& setup, const Simulator& simulation,
                              int fps);

/// Frames of a simulation from its start to its end. It looks, and changes nothing.
class SimulationRecorder {
 public:
  /// Begins with the state that the simulation is in. The setup has to live as long as this.
  SimulationRecorder(const std::string& title, const SimulationSetup& setup, Simulator& simulation, int fps);

  /// After a step that went well.
  void note_step(Simulator& simulation);
  /// At the end: the last state is a frame too. `failure` is empty if no step failed.
  void end(Simulator& simulation, const std::string& failure, bool interrupted);

  const Recording& recording() const { return recording_; }

 private:
  Recording recording_;
  FrameClock clock_;
  double dt_;
};

}  // namespace delassus::cli
