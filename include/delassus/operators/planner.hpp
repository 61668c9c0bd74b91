// Which operator to take for a workload, and why.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/constraints/rows.hpp"
#include "delassus/operators/algorithm.hpp"
#include "delassus/operators/operation_counts.hpp"

namespace delassus {

struct CondensedPlan;  // src/operators/condensed/plan.hpp

/// What the condensed tree makes of a set of constraints, for people: what is carried, what stays joint by joint, and why.
struct Condensation {
  /// Why a chain is not carried.
  enum class Reason : std::uint8_t {
    kBranches,       // several of its branches have constraints
    kMeeting,        // constraints act on it and further out
    kJointRows,      // rows act on its joint
    kManyRows,       // more than six rows at the tip
    kRedundantRows,  // more rows at the tip than degrees of freedom in the chain
    kSharedTip,      // a loop and other constraints share the tip
    kWide,           // a constraint there acts on too many links, or on links and joints at once
  };
  /// Links one after the other that stay nodes, up to where the next reason begins.
  struct Chain {
    Reason reason;
    std::string joint;  // the outermost
    int links, dofs;
    int rows;  // on its outermost link
  };

  int links = 0;  // all of the mechanism
  int live = 0;   // those that feel a constraint: they are nodes or carried
  int nodes = 0, carried = 0;
  int groups = 0;  // rows that are carried together
  int rows = 0, carried_rows = 0;
  int multipliers = 0;  // unknowns of constraints that are not stiffness
  int lone_rows = 0;    // each alone on a degree of freedom
  std::vector<Chain> jointwise;

  /// Some lines.
  std::string text() const;
};

Condensation make_condensation(const Model& model, const RowStructure& rows, const CondensedPlan& plan);
/// The same with a plan as CondensedDelassus makes it by default.
Condensation make_condensation(const Model& model, const RowStructure& rows);

/// The time that each operator takes for a workload on a set of constraints, as predicted, and the one that takes least.
struct OperatorPlan {
  struct Candidate {
    Algorithm algorithm;
    double time_us;           // for the whole workload, from q on
    std::int64_t operations;  // the same
    bool exact;               // counted; otherwise both are bounds from below, which were enough to rule it out
    OperatorCount calls;      // operations of single calls
    OperatorTime times;       // and what they take
  };

  Algorithm choice = Algorithm::kCondensed;
  Workload workload;
  std::vector<Candidate> candidates;  // fastest first
  int dofs = 0, rows = 0, depth = 0;
  std::size_t constraints = 0;
  int meetings = 0;  // links where constraints meet
  Condensation condensation;

  /// The choice in words and numbers: a line, time and operations of every candidate, and what the condensed tree makes of the
  /// constraints. Throws an Error if there are no candidates.
  std::string explain() const;
};

/// Plans for what follows from the structure alone: which links the constraints act on, and with how many rows. Nothing is measured:
/// each operator runs the workload once on numbers that count, and a table that was measured once (`delassus bench planner`) has what
/// its operations, links and rows take. So a plan is the same on every machine, though another might be the faster one there. No kernel
/// branches on a number, so counts are exact for every configuration; refinements of damped solves, which depend on numbers, are in
/// the table. An operator of which a lower bound is already four times the best time is not run.
OperatorPlan plan_operator(const Model& model, std::span<const Constraint> constraints, const Workload& workload,
                           std::span<const Algorithm> among = kDirectAlgorithms);

}  // namespace delassus
