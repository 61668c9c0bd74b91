// Whether the command can draw on this machine.
#pragma once

#include <cstdlib>

namespace delassus::testing {

inline bool has_matplotlib() {
  return std::system(
             "/usr/bin/python3 -c 'import matplotlib' 2>/dev/null || python3 -c 'import matplotlib' 2>/dev/null") == 0;
}

}  // namespace delassus::testing
