// How long every algorithm takes for the calls that a workload is made of.
#pragma once

#include <map>

#include "bench/measure/scene.hpp"
#include "bench/measure/timed_call.hpp"
#include "delassus/operators/operation_counts.hpp"

namespace delassus::cli {

/// Of those that could be measured, in microseconds. Calls take turns, and the least time of each
/// counts: other programs make calls longer and never shorter.
std::map<Algorithm, OperatorTime> measure_calls(const BenchScene& scene, const Effort& effort);

}  // namespace delassus::cli
