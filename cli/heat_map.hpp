// A matrix as a picture in the terminal.
#pragma once

#include <string>
#include <vector>

#include "terminal.hpp"  // stdout_has_colour, by which callers choose `colour`

namespace delassus::cli {

struct HeatMapLabel {
  int first_row;
  std::string text;
};

/// Each entry is two cells wide; its size relative to the largest entry is shown by shade (and by the character, where
/// there is no colour), its sign by hue: red positive, blue negative. Labels stand beside their rows.
std::string heat_map(const std::vector<double>& entries, int rows, const std::vector<HeatMapLabel>& labels,
                     bool colour);

}  // namespace delassus::cli
