// Scenes whose motion is known from mechanics, by name and with parameters: "incline:35" is a box on a slope of 35 degrees.
// docs/simulation.md compares what is simulated with what is known.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "delassus/simulation/simulation_setup.hpp"

namespace delassus {

/// A number that may follow the name of a scene.
struct ClassicParameter {
  std::string_view name;  // with its unit; empty: there is none
  double standard, least, most;
};

/// One family of scenes. Several parameters have an x between them: "sliding-block:2x0.3".
struct ClassicScene {
  std::string_view name;
  ClassicParameter parameters[2];
  std::string_view description;  // one phrase
  std::string_view theory;       // what has to come out
};

std::span<const ClassicScene> classic_scenes();

/// "DEGREESxMU", and "20x0.5" for the numbers that stand for them if nothing follows the name; empty without parameters.
std::string parameter_names(const ClassicScene& scene);
std::string parameter_defaults(const ClassicScene& scene);

/// Whether the text before the colon, or all of it, is the name of a family.
bool is_classic_scene(std::string_view name);

/// Throws an Error that says what is wrong with the name or its parameters.
SimulationSetup make_classic_scene(std::string_view name);

/// A quantity of the motion, in SI units: as mechanics has it at that time, and as it is in a state.
struct Observation {
  std::string_view what, unit;
  double theory, measured;
};

/// None where theory has no formula.
std::vector<Observation> observe_classic_scene(std::string_view name, double time, VectorView<const double> q,
                                               VectorView<const double> v);

}  // namespace delassus
