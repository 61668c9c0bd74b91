// How long the operational-space inertia takes.
#pragma once

#include "bench/measure/timed_call.hpp"
#include "cli/demo/box_setup.hpp"

namespace delassus::cli {

/// Median time of Λ of both palms (12 × 12) from q, at postures from the first to the last: kinematics, rows, Λ⁻¹ by PV-OSIMr, and its
/// inverse by Cholesky.
double measure_inertia_us(const BoxSetup& setup, const std::vector<double>& end_posture, const Effort& effort);

}  // namespace delassus::cli
