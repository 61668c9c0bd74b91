// How long every algorithm takes for the calls that a workload is made of.
#pragma once

#include <map>

#include "bench_scene.hpp"
#include "delassus/operators/operation_counts.hpp"
#include "timed_call.hpp"

namespace delassus::cli {

/// Of those that could be measured, in microseconds. Calls take turns, and the least time of each
/// counts: other programs make calls longer and never shorter.
std::map<Algorithm, OperatorTime> measure_calls(const BenchScene& scene, const Effort& effort);

}  // namespace delassus::cli
