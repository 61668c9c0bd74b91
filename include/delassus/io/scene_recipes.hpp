// How the scenes in the folder scenes/ were made. `make scenes` runs the recipes and writes the files; the library carries
// the files, and a test holds them to their recipes.
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
};

/// All of them, robots first.
std::span<const SceneRecipe> scene_recipes();

/// Runs the recipe of that name, or makes a generated scene such as "stem:5x2" (constraints/generated_scenes.hpp). Throws
/// an Error if there is neither.
Scene make_scene(std::string_view name);
/// What the file of that name holds.
std::string write_made_scene(std::string_view name);

/// Reads the file of that name that the library carries. Throws an Error if there is none.
Scene load_embedded_scene(std::string_view name);

}  // namespace delassus
