// How the scenes in the folder scenes/ were made. `make scenes` follows the recipes and writes the files; the library carries
// the files, and tests hold them to their recipes. Those that run the simulator are in simulation/settled_scenes.hpp.
#pragma once

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

/// Follows the recipe of that name, or makes a generated scene such as "stem:5x2" (constraints/generated_scenes.hpp). Where the
/// recipe runs the simulator, what came out is read from the file that the library carries. Throws an Error if there is neither.
Scene make_scene(std::string_view name);
/// What the file of that name holds, if this is its scene.
std::string write_as(std::string_view name, const Scene& scene);

/// Reads the file of that name that the library carries. Throws an Error if there is none.
Scene load_embedded_scene(std::string_view name);

}  // namespace delassus
