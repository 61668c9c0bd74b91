// How the scenes in the folder scenes/ were made. `make scenes` follows the recipes and writes the files; the library carries
// the files, and tests hold them to their recipes.
//
// Some come about by running the simulator: robots that stand and robots that fell, with loops and joint friction, and piles
// (docs/scenes-by-running.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "delassus/io/scene.hpp"

namespace delassus {

struct SceneRecipe {
  std::string_view name;         // also of the file, without .json
  std::string_view robot;        // the robot that the file refers to; empty: the file holds the model in full
  std::string_view description;  // one phrase
  bool runs = false;             // the simulator
};

/// All of them, robots first.
std::span<const SceneRecipe> scene_recipes();

/// Follows the recipe of that name, or makes a generated scene such as "stem:5x2" (generated.hpp). Where the
/// recipe runs the simulator, what came out is read from the file that the library carries. Throws an Error if there is neither.
Scene make_scene(std::string_view name);
/// What the file of that name holds, if this is its scene.
std::string write_as(std::string_view name, const Scene& scene);

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
