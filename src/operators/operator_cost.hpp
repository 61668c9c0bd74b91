// How long calls of operators take: a sum over what there is of the system, with nanoseconds from a table that was measured.
#pragma once

#include <array>

#include "delassus/constraints/rows.hpp"
#include "delassus/operators/limb_delassus.hpp"
#include "delassus/operators/operation_counts.hpp"
#include "delassus/operators/planner.hpp"

namespace delassus {

/// What time is spent on: operations, and what comes with each call, link, row and so on, whatever is computed there.
enum class Amount : std::uint8_t {
  kCall,
  kLinks,
  kLive,  // links that feel a constraint
  kRows,
  kConstraints,
  kNodes,            // of the condensed tree
  kGroups,           // the same
  kRuns,             // rows side by side, once for each link that they pass on their way to the world
  kFarColumns,       // the same for single rows, those that the first cache does not hold
  kEntries,          // of a matrix of all rows
  kFarEntries,       // those that the first cache does not hold
  kFarthestEntries,  // nor the second
  kOperations,
};
inline constexpr std::size_t kAmounts = 13;
using Amounts = std::array<double, kAmounts>;

/// Of a system, and of the same with limbs in lanes, where links and nodes are those of the fold.
Amounts amounts_of(const Model& model, const RowStructure& rows, const Condensation& condensation);
Amounts in_lanes(const Amounts& system, const LimbDelassus<double>& limbs);
/// Of a call.
Amounts with_operations(const Amounts& system, std::int64_t operations);

/// For the calls that the workload has.
OperatorTime predict(Algorithm algorithm, const Workload& workload, const OperatorCount& count, const Amounts& system);

}  // namespace delassus
