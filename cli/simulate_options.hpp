// What `delassus simulate` is told, and the simulation that follows from it.
#pragma once

#include <string>

#include "command.hpp"
#include "delassus/simulation/simulation_setup.hpp"
#include "output_options.hpp"

namespace delassus::cli {

struct SimulateOptions {
  ModelOptions scene;
  // Numbers as they were given; empty: the scene's own, or the library's default.
  std::string seconds, dt, restitution, acceptable, start_penetration;
  std::string solver, algorithm = "condensed";
  std::string hold;   // "KP,KD"
  std::string start;  // name of a keyframe
  std::string csv;
  int every = 10;
  int capacity = 0;  // 0: the default
  bool no_ground = false, quiet = false;
  OutputOptions output;

  void add_to(Command& app);
};

/// The scene in the state and with the options that were asked for. A robot, which has no place of its own, is put on the ground. Throws
/// an Error that names the option.
SimulationSetup make_setup(const SimulateOptions& options);

}  // namespace delassus::cli
