// Figures 5 and 6 of the paper, of our robot: the motion as a row of stills, and the box along its cubic.
#pragma once

#include <string>

#include "cli/demo/box_result.hpp"

namespace delassus::cli {

/// Draws the first run with matplotlib, both figures in one file (python_plot.hpp).
void plot(const BoxResult& result, const std::string& path);

}  // namespace delassus::cli
