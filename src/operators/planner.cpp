#include "delassus/operators/planner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "delassus/constraints/lower.hpp"
#include "delassus/operators/limb_delassus.hpp"
#include "dynamics/carrier_plan.hpp"
#include "model/limb_model.hpp"
#include "operators/condensed/plan.hpp"
#include "operators/operation_bounds.hpp"
#include "operators/operator_cost.hpp"

namespace delassus {
namespace {

using Candidate = OperatorPlan::Candidate;

/// An operator that takes at least so many times as long as the best is not run.
constexpr double kRuledOut = 4;

/// Configurations that no joint kind finds singular: angles in general position.
std::vector<double> general_configuration(const Model& model, int attempt) {
  std::vector<double> q = model.neutral();
  for (int k = 0; k < model.nq(); ++k) q[k] += 0.3 * std::sin(1.7 * (k + 1) + 2.9 * attempt);
  return q;
}

OperatorCount count(Algorithm algorithm, const Model& model, std::span<const Constraint> constraints,
                    const Workload& workload) {
  constexpr int kAttempts = 3;
  for (int attempt = 0;; ++attempt) {
    try {
      return count_operator(algorithm, model, constraints, general_configuration(model, attempt), workload);
    } catch (const Error&) {
      if (attempt + 1 == kAttempts) throw;
    }
  }
}

/// Lanes do one operation for all limbs: of what the robot takes, as many as the fold has links, and nodes and groups. The matrix
/// goes by columns, and gains nothing.
void count_in_lanes(const Model& model, const RowStructure& rows, const LimbDelassus<double>& limbs,
                    OperatorCount& calls) {
  const auto steps = [](const CondensedPlan& plan) {
    return static_cast<double>(plan.nodes.size() + plan.groups.list.size());
  };
  const double nodes = steps(limbs.plan()) / std::max(1.0, steps(CondensedDelassus<double>(model, rows).plan()));
  const double links = static_cast<double>(limbs.limbs()->shape.num_links()) / model.num_links();
  const auto scale = [](std::int64_t& count, double by) { count = std::llround(static_cast<double>(count) * by); };
  scale(calls.factor, links);
  for (std::int64_t* count : {&calls.product, &calls.damping, &calls.redamping, &calls.solve}) scale(*count, nodes);
}

/// A candidate with its bounds for counts.
Candidate make_candidate(Algorithm algorithm, const Workload& workload, const OperatorCount& calls,
                         const Amounts& system) {
  const OperatorTime times = predict(algorithm, workload, calls, system);
  return {algorithm, times.total(workload), calls.total(workload), false, calls, times};
}

}  // namespace

OperatorPlan plan_operator(const Model& model, std::span<const Constraint> constraints, const Workload& workload,
                           std::span<const Algorithm> among) {
  if (among.empty()) throw Error("argument 'among' has no operator to choose");
  if (std::ranges::find(among, Algorithm::kGenerated) != among.end())
    throw Error("argument 'among' has generated code, of which nothing is known before it is compiled; leave it out");
  ConstraintRows<double> rows;
  lower_structure<double>(model, constraints, rows);
  const OperationBounds bounds(model, rows);
  OperatorPlan plan;
  plan.workload = workload;
  plan.dofs = model.nv();
  plan.rows = rows.num_rows();
  plan.depth = bounds.deepest();
  plan.constraints = constraints.size();
  plan.meetings = static_cast<int>(make_carrier_plan(model, rows, Meeting::kAlwaysEnds).nodes.size());
  plan.condensation = make_condensation(model, rows);
  const Amounts system = amounts_of(model, rows, plan.condensation);
  // The one whose cost grows least first: it rules out most.
  double best = std::numeric_limits<double>::infinity();
  for (auto at = among.rbegin(); at != among.rend(); ++at) {
    std::optional<LimbDelassus<double>> limbs;
    if (*at == Algorithm::kLimbs) limbs.emplace(model, rows);
    if (limbs && !limbs->in_lanes() && among.size() > 1) continue;  // it would be the condensed tree
    const bool lanes = limbs && limbs->in_lanes();
    const Amounts amounts = lanes ? in_lanes(system, *limbs) : system;
    Candidate c = make_candidate(*at, workload, bounds(*at, workload), amounts);
    if (c.time_us < kRuledOut * best) {
      OperatorCount calls = count(*at, model, constraints, workload);
      if (lanes) count_in_lanes(model, rows, *limbs, calls);
      c = make_candidate(*at, workload, calls, amounts);
      c.exact = true;
      best = std::min(best, c.time_us);
    }
    plan.candidates.push_back(c);
  }
  std::stable_sort(plan.candidates.begin(), plan.candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.time_us < b.time_us; });
  plan.choice = plan.candidates.front().algorithm;
  return plan;
}

}  // namespace delassus
