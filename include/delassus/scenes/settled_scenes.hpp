// Scenes that come about by running the simulator: robots that stand and robots that fell, with loops and joint friction, and piles.
//
// `delassus scene NAME` runs one, `make scenes` all; the library carries what came out (scenes/, docs/scenes-by-running.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "delassus/io/scene.hpp"

namespace delassus {

/// What it took until nothing moved.
struct SettledRun {
  double time = 0;            // seconds of the simulation
  double kinetic_energy = 0;  // joules, at its end
  double penetration = 0;     // metres, there too
  std::int64_t steps = 0;
  std::int64_t inexact_steps = 0;  // see SimulationOptions::acceptable
  std::uint64_t seed = 0;          // of the push of a fall
  bool operator==(const SettledRun&) const = default;
};

/// Makes the scene of that name anew: runs the recipe if it is one that runs (SceneRecipe::runs), and is make_scene otherwise. Scenes
/// are at rest, and their contacts are those of the shapes that touch. Deterministic. Throws an Error if there is no such recipe, if a step
/// fails, or if something still moves after a minute.
Scene run_recipe(std::string_view name, SettledRun* run = nullptr);

/// What the file of that name holds.
std::string write_run_recipe(std::string_view name, SettledRun* run = nullptr);

}  // namespace delassus
