// What `delassus simulate` and `delassus serve` are told, and the simulation that follows from it.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/step_capture.hpp"
#include "cli/shell/model_options.hpp"
#include "cli/shell/output_options.hpp"
#include "cli/viewer/page_options.hpp"
#include "delassus/simulation/simulation_setup.hpp"

namespace delassus::cli {

/// What is simulated, and how.
struct SetupOptions {
  ModelOptions scene;
  // Numbers as they were given; empty: the scene's own, or the library's default.
  std::string seconds, dt, tolerance, max_step_time, restitution, acceptable, start_penetration;
  std::string solver, algorithm = "condensed";
  std::string hold;   // "KP,KD"
  std::string start;  // name of a keyframe
  int capacity = 0;   // 0: the default
  int max_iterations = 0;
  bool no_ground = false, quiet = false;

  /// `seconds_text` describes --seconds.
  void add_to(Command& app, std::string seconds_text);
};

struct SimulateOptions {
  SetupOptions setup;
  std::string csv;
  int every = 10;
  PageOptions page;
  CaptureOptions capture;
  OutputOptions output;

  void add_to(Command& app);
};

/// The scene in the state and with the options that were asked for. A robot, which has no place of its own, is put on the ground. Throws
/// an Error that names the option. `warnings` gets what else the user should know of the scene.
SimulationSetup make_setup(const SetupOptions& options, std::vector<std::string>& warnings);

/// One line about it: "nv 35, steps of 0.001 s, contacts rigid, operator condensed".
std::string describe(const SimulationSetup& setup);

}  // namespace delassus::cli
