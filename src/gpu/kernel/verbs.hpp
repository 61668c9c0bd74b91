// What a kernel does with one environment. S are the tables of the robot, C its lanes.
#pragma once

#include "gpu/kernel/contact_solve.hpp"
#include "gpu/kernel/dynamics.hpp"
#include "gpu/kernel/through_rows.hpp"

namespace delassus::gpu {

template <class S, class C, Verb kVerb>
DELASSUS_LANE_INLINE void run(const C& lanes, const Arguments<typename C::Real>& arguments) {
  if constexpr (kVerb == Verb::kInverseDynamics) inverse_dynamics<S>(lanes, arguments);
  if constexpr (kVerb == Verb::kForwardDynamics) forward_dynamics<S>(lanes, arguments);
  if constexpr (kVerb == Verb::kApply) ThroughRows<S, C, false>(lanes, arguments).run();
  if constexpr (kVerb == Verb::kSolve) ThroughRows<S, C, true>(lanes, arguments).run();
  if constexpr (kVerb == Verb::kContacts) ContactSolve<S, C>(lanes, arguments).run();
}

}  // namespace delassus::gpu
