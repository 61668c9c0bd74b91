// What the condensed tree makes of a set of constraints, for people: what is carried, what stays joint by joint, and why.
#pragma once

#include <string>
#include <vector>

#include "delassus/constraints/rows.hpp"
#include "delassus/operators/condensed_plan.hpp"

namespace delassus {

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

}  // namespace delassus
