// Which explicit algorithm to take, and why.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/delassus/algorithm.hpp"

namespace delassus {

/// The operations that each algorithm needs for a set of constraints, and the one that needs fewest.
struct ExplicitPlan {
  struct Candidate {
    Algorithm algorithm;
    std::int64_t operations;
    bool exact;  // counted; otherwise an estimate, which was enough to rule it out
  };

  Algorithm choice = Algorithm::kPvOsimr;
  std::vector<Candidate> candidates;  // cheapest first
  int dofs = 0, rows = 0, depth = 0;
  std::size_t constraints = 0;
  int meetings = 0;  // links where constraints meet

  /// The choice in words and numbers.
  std::string explain() const;
};

/// Plans for what follows from the structure alone: which links the constraints act on, and with how many rows. Each
/// algorithm's plan is run once on numbers that count; no kernel branches on a number, so the count is exact for every
/// configuration. An algorithm of which an estimate is already four times the best count is not run. Fewest operations is not
/// always fastest: panels of rows run in lanes, single rows do not.
ExplicitPlan plan_explicit(const Model& model, std::span<const Constraint> constraints);

}  // namespace delassus
