// The kernels of one robot. Included by the sources that the build writes, one for each robot.
#pragma once

#include "gpu/emulated.hpp"
#include "gpu/emulated_lanes.hpp"
#include "gpu/kernel/verbs.hpp"

namespace delassus::gpu {

template <class S, class T, Verb kVerb>
void run_all(const Arguments<T>& arguments) {
  Exchanges::made.clear();
  for (int e = 0; e < arguments.size; ++e) {
    Exchanges::made.push_back(1);
    run<S, EmulatedLanes<S, T>, kVerb>(EmulatedLanes<S, T>{arguments.numbers, arguments.indices, e},
                                       of_environment(arguments, e));
  }
}

template <class S, class T>
void run_emulated(Verb verb, const Arguments<T>& arguments) {
  switch (verb) {
    case Verb::kInverseDynamics:
      return run_all<S, T, Verb::kInverseDynamics>(arguments);
    case Verb::kForwardDynamics:
      return run_all<S, T, Verb::kForwardDynamics>(arguments);
    case Verb::kApply:
      return run_all<S, T, Verb::kApply>(arguments);
    case Verb::kSolve:
      return run_all<S, T, Verb::kSolve>(arguments);
    case Verb::kContacts:
      return run_all<S, T, Verb::kContacts>(arguments);
  }
}

}  // namespace delassus::gpu
