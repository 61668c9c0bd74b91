// How a batch is made.
#pragma once

#include "delassus/operators/condensed_plan.hpp"
#include "delassus/solvers/proximal_method.hpp"

namespace delassus {

struct BatchOptions {
  int threads = 0;               // that verbs run on, the caller's among them; 0: as many as there are cores
  CondensedOptions condensed{};  // of the operators; a capacity is not needed and not read
  ProximalOptions proximal{};    // of constrained_dynamics
};

}  // namespace delassus
