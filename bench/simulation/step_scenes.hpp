// Where the runs of `delassus bench simulation` begin.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "delassus/simulation/simulation_setup.hpp"

namespace delassus::cli {

enum class StepSceneKind : std::uint8_t { kRobotFalls, kRobotStands, kPileRests, kPileFalls };

struct StepScene {
  std::string name;
  StepSceneKind kind;
  SimulationSetup setup;
  double settle = 0;  // seconds that are simulated before anything is measured
  int runs = 1;       // but for the first, each begins with a push of its own
};

/// Those that need no file.
std::vector<std::string> step_scenes();
/// The same, and MuJoCo's humanoid where the environment variable DELASSUS_ROBOTS names a folder that has it.
std::vector<std::string> step_scenes_here();

/// One of them, or a robot from a file, which falls. Throws an Error with the closest name.
StepScene make_step_scene(const std::string& name);

/// Velocities at the start of a run: as the scene has them, and from the second on with a turn of its own for every tree.
std::vector<double> push(const StepScene& scene, int run);

}  // namespace delassus::cli
