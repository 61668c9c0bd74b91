// Which operator to take for a workload, and why.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/operators/algorithm.hpp"
#include "delassus/operators/condensation.hpp"
#include "delassus/operators/operation_counts.hpp"

namespace delassus {

/// The operations that each operator needs for a workload on a set of constraints, and the one that needs fewest.
struct OperatorPlan {
  struct Candidate {
    Algorithm algorithm;
    std::int64_t operations;  // for the whole workload
    bool exact;               // counted; otherwise an estimate, which was enough to rule it out
    OperatorCount calls;      // if it was counted
  };

  Algorithm choice = Algorithm::kCondensed;
  Workload workload;
  std::vector<Candidate> candidates;  // cheapest first
  int dofs = 0, rows = 0, depth = 0;
  std::size_t constraints = 0;
  int meetings = 0;  // links where constraints meet
  Condensation condensation;

  /// The choice in words and numbers: a line, the operations of every candidate, and what the condensed tree makes of the
  /// constraints. Throws an Error if there are no candidates.
  std::string explain() const;
};

/// Plans for what follows from the structure alone: which links the constraints act on, and with how many rows. Each operator
/// runs the workload once on numbers that count; no kernel branches on a number, so the count is exact for every configuration.
/// An operator of which a lower bound is already four times the best count is not run. Refinements of damped solves, which
/// depend on numbers, are not in it. Fewest operations is not always fastest: panels of rows run in lanes, single rows do not.
OperatorPlan plan_operator(const Model& model, std::span<const Constraint> constraints, const Workload& workload,
                           std::span<const Algorithm> among = kDirectAlgorithms);

}  // namespace delassus
