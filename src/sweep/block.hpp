// Cases of a sweep, simulated side by side.
#pragma once

#include <functional>

#include "sweep/specification.hpp"

namespace delassus {

SweepRows run_cases(const ParameterSweep::Parts& sweep, SweepRange range, const std::function<bool()>& stop);

}  // namespace delassus
