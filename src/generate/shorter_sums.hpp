// Sums in the order in which their terms are there. Sweeps along a tree wait for one joint after the other; a sum of six that begins with
// what comes last makes the next joint wait for five more.
//
// For processors that do several operations at once. Small cores do one after the other, and only have more to keep meanwhile: on a Cortex-M4F the code
// of Go2 in float would be 7 to 9 % longer.
#pragma once

#include "generate/program.hpp"

namespace delassus::generation {

/// The same program with other sums: results differ by roundings.
Program with_shorter_sums(const Program& program);

}  // namespace delassus::generation
