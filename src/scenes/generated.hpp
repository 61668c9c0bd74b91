// The generated scenes by name, with parameters: "stem:5x2" is a stem of five links with two branches at either end.
#pragma once

#include <span>
#include <string_view>

#include "delassus/constraints/constrained_model.hpp"

namespace delassus {

/// One family of scenes.
struct GeneratedScene {
  std::string_view name;
  std::string_view parameters;   // what follows the colon, such as "STEMxBRANCHES"; empty: nothing may follow
  std::string_view defaults;     // what stands for it if nothing follows, such as "3x2"
  std::string_view description;  // one phrase
};

/// All of them, in the order of the papers that they come from.
std::span<const GeneratedScene> generated_scenes();

/// Whether the text before the colon, or all of it, is the name of a family.
bool is_generated_scene(std::string_view name);

/// Throws an Error that says what is wrong with the name or its parameters.
ConstrainedModel make_generated_scene(std::string_view name);

}  // namespace delassus
