// The kinematic tree as a drawing.
#pragma once

#include <string>

#include "delassus/io/scene.hpp"

namespace delassus::cli {

/// A self-contained SVG: bodies as boxes from left to right, joints as lines with their kind, constraints between bodies
/// as dashed arcs, constraints with the world as marks. The same scene gives the same text.
std::string tree_svg(const Scene& scene);

}  // namespace delassus::cli
