// Numbers of the report with as many digits as a drawing or a tooltip shows, which keeps it small.
#pragma once

#include <fmt/format.h>

#include <cstdlib>

namespace delassus::cli {

inline double rounded(double x, int digits = 5) {
  return std::strtod(fmt::format("{:.{}g}", x, digits).c_str(), nullptr);
}

}  // namespace delassus::cli
