// Sums in the order in which their terms are there. Sweeps along a tree wait for one joint after the other; a sum of six that begins with
// what comes last makes the next joint wait for five more.
#pragma once

#include "generate/program.hpp"

namespace delassus::generation {

/// The same program with other sums: results differ by roundings.
Program with_shorter_sums(const Program& program);

}  // namespace delassus::generation
