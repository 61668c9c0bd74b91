// One call of one verb, for tools that count what a call does.
#pragma once

#include "bench/measure/operators.hpp"

namespace delassus::cli {

/// Makes the call inside a function called delassus_measured_call, which callgrind can be told to watch. Before it, the same
/// call once for each configuration, and then 64 MiB of other memory: a simulated cache of 32 MiB holds nothing of the
/// operator any more, and every line that the call touches misses once.
void call_once(const BenchOperator& op, const BenchScene& scene, Verb verb);

}  // namespace delassus::cli
