// What generated code needs to compute with vectors of four numbers, as GCC and clang have them.
#pragma once

#include <string>

#include "generate/stage_text.hpp"

namespace delassus::generation {

/// Types and functions; the scalar function for sine and cosine stands before it, if `angles`.
std::string lanes_text(const Dialect& dialect, bool angles);

}  // namespace delassus::generation
