// Sine and cosine of generated code: the same reduction and polynomials as the library's (src/math/sincos.hpp), so that results agree to
// the last digits.
#pragma once

#include <string>

#include "generate/stage_text.hpp"

namespace delassus::generation {

/// Of one number.
std::string sincos_text(const Dialect& dialect);
/// Of four, after the types of lanes_text.hpp.
std::string sincos_in_lanes_text(const Dialect& dialect);

}  // namespace delassus::generation
