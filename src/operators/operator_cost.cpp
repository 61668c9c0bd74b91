#include "operators/operator_cost.hpp"

#include <algorithm>
#include <numeric>

#include "dynamics/carrier_plan.hpp"
#include "model/limb_model.hpp"
#include "operators/condensed/plan.hpp"
#include "operators/cost_table.hpp"

namespace delassus {
namespace {

/// Numbers that the caches of a core hold, 32 KiB and 1 MiB; columns have six.
constexpr double kFirstCache = 4096, kSecondCache = 131072, kFirstColumns = kFirstCache / 6;

double beyond(double amount, double limit) { return std::max(0.0, amount - limit); }

/// Explicit algorithms differ in how they come to the matrix; what follows is the same for all.
const Amounts& cost_of(Algorithm algorithm, int call) {
  const auto at = static_cast<std::size_t>(algorithm);
  if (at >= kExplicitAlgorithms.size()) return kOtherCosts[at - kExplicitAlgorithms.size()][call];
  return call == 0 ? kFactorCosts[at] : kMatrixCosts[call - 1];
}

}  // namespace

Amounts amounts_of(const Model& model, const RowStructure& rows, const Condensation& condensation) {
  double runs = 0, columns = 0;
  const CarrierPlan plan = make_carrier_plan(model, rows, Meeting::kNeverEnds);
  for (const CarrierPlan::Segment& s : plan.segments) {
    runs += s.steps * s.runs;
    for (int r = s.first_run; r < s.first_run + s.runs; ++r) columns += s.steps * plan.runs[r].count;
  }
  const double entries = static_cast<double>(rows.num_rows()) * rows.num_rows();
  Amounts out{};
  const auto set = [&](Amount amount, double value) { out[static_cast<std::size_t>(amount)] = value; };
  set(Amount::kCall, 1);
  set(Amount::kLinks, model.num_links());
  set(Amount::kLive, condensation.live);
  set(Amount::kRows, rows.num_rows());
  set(Amount::kConstraints, static_cast<double>(rows.spans.size()));
  set(Amount::kNodes, condensation.nodes);
  set(Amount::kGroups, condensation.groups);
  set(Amount::kRuns, runs);
  set(Amount::kFarColumns, beyond(columns, kFirstColumns));
  set(Amount::kEntries, entries);
  set(Amount::kFarEntries, beyond(entries, kFirstCache));
  set(Amount::kFarthestEntries, beyond(entries, kSecondCache));
  return out;
}

Amounts in_lanes(const Amounts& system, const LimbDelassus<double>& limbs) {
  Amounts out = system;
  out[static_cast<std::size_t>(Amount::kLive)] = limbs.limbs()->shape.num_links();
  out[static_cast<std::size_t>(Amount::kNodes)] = static_cast<double>(limbs.plan().nodes.size());
  out[static_cast<std::size_t>(Amount::kGroups)] = static_cast<double>(limbs.plan().groups.list.size());
  return out;
}

Amounts with_operations(const Amounts& system, std::int64_t operations) {
  Amounts out = system;
  out[static_cast<std::size_t>(Amount::kOperations)] = static_cast<double>(operations);
  return out;
}

OperatorTime predict(Algorithm algorithm, const Workload& workload, const OperatorCount& count, const Amounts& system) {
  OperatorTime out;
  for (int call = 0; call < kCalls; ++call) {
    if (!calls_of(workload)[call]) continue;
    const Amounts amounts = with_operations(system, count.*OperatorCount::all()[call]);
    const Amounts& costs = cost_of(algorithm, call);
    out.*OperatorTime::all()[call] = 1e-3 * std::inner_product(amounts.begin(), amounts.end(), costs.begin(), 0.0);
  }
  return out;
}

}  // namespace delassus
