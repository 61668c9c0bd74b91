#include "delassus/delassus/planner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "delassus/constraints/lower.hpp"
#include "delassus/delassus/operation_counts.hpp"
#include "delassus/dynamics/carrier_plan.hpp"

namespace delassus {
namespace {

using Candidate = ExplicitPlan::Candidate;

/// Numbers of the structure on which costs depend.
struct Structure {
  Structure(const Model& model, std::span<const Constraint> constraints) : nv(model.nv()) {
    ConstraintRows<double> rows;
    lower_structure<double>(model, constraints, rows);
    m = rows.num_rows();
    const CarrierPlan plan = make_carrier_plan(model, rows, Meeting::kNeverEnds);
    std::vector<double> depth(model.num_links());
    for (int i = 0; i < model.num_links(); ++i) {
      const Link& link = model.link(i);
      depth[i] = link.nv + (link.parent == kWorld ? 0 : depth[link.parent]);
      path_squares += link.nv * depth[i] * depth[i];
      deepest = std::max(deepest, static_cast<int>(depth[i]));
    }
    for (const CarrierPlan::Step& step : plan.steps) {
      const CarrierPlan::Segment& segment = plan.segments[step.segment];
      double live = 0;
      for (int r = segment.first_run; r < segment.first_run + segment.runs; ++r) live += plan.runs[r].count;
      carried += live * model.link(step.link).nv;
      carried_depth += live * model.link(step.link).nv * depth[step.link];
      carried_pairs += live * live * model.link(step.link).nv;
    }
    std::vector<bool> acted_on(model.num_links(), false);
    for (const RowBlock& block : rows.blocks) acted_on[block.link] = true;
    sites = static_cast<double>(std::count(acted_on.begin(), acted_on.end(), true));
    for (int i = 0; i < model.num_links(); ++i) way += acted_on[i] ? depth[i] / std::max(sites, 1.0) : 0.0;
    meetings = static_cast<int>(make_carrier_plan(model, rows, Meeting::kAlwaysEnds).nodes.size());
  }

  /// Operations to leading order: good for ruling an algorithm out, not for choosing one.
  double estimate(Algorithm algorithm) const {
    switch (algorithm) {
      case Algorithm::kDense:
        return nv * nv * nv / 3 + nv * nv * m + nv * m * m;
      case Algorithm::kLtl:
        return path_squares / 3 + 2 * carried_depth + carried_pairs;
      case Algorithm::kPvOsim:
        return 23 * carried + carried_pairs;
      case Algorithm::kEfpa:
        return 46 * carried;
      case Algorithm::kKjr:  // six columns from where two links meet to both; half of the way, on average
        return 6 * 23 * sites * sites / 2 * way / 2;
      case Algorithm::kChangKhatib:
        return 6 * 23 * sites * way / 2;
      case Algorithm::kPvOsimr:
        return m * m;
    }
    return 0;
  }

  double nv;
  double m = 0;
  double path_squares = 0;                                   // over degrees of freedom, depth squared
  double carried = 0, carried_depth = 0, carried_pairs = 0;  // over degrees of freedom, with the rows that pass them
  double sites = 0, way = 0;  // links that are acted on, and how far from the world they are on average
  int deepest = 0, meetings = 0;
};

/// Configurations that no joint kind finds singular: angles in general position.
std::vector<double> general_configuration(const Model& model, int attempt) {
  std::vector<double> q = model.neutral();
  for (int k = 0; k < model.nq(); ++k) q[k] += 0.3 * std::sin(1.7 * (k + 1) + 2.9 * attempt);
  return q;
}

std::int64_t count(Algorithm algorithm, const Model& model, std::span<const Constraint> constraints) {
  constexpr int kAttempts = 3;
  for (int attempt = 0;; ++attempt) {
    try {
      const std::vector<double> q = general_configuration(model, attempt);
      return count_algorithm(algorithm, CountedFrames::kWorldAxes, model, constraints, q).total.total();
    } catch (const Error&) {
      if (attempt + 1 == kAttempts) throw;
    }
  }
}

std::string number(std::int64_t x) {
  std::string digits = std::to_string(x);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string_view reason(Algorithm algorithm, int meetings) {
  const bool carries = algorithm == Algorithm::kPvOsim || algorithm == Algorithm::kPvOsimr;
  if (carries && meetings == 0) return "the constraints do not meet, so each costs what its own way to the world costs";
  switch (algorithm) {
    case Algorithm::kDense:
      return "the mechanism is so small that structure does not pay";
    case Algorithm::kLtl:
      return "the tree is shallow, so solving with its sparse factor is cheaper than articulating it";
    case Algorithm::kKjr:
    case Algorithm::kChangKhatib:
      return "few links are constrained, and with many rows each";
    case Algorithm::kEfpa:
      return "nearly every link is constrained, so a node at each would carry more than the rows themselves";
    case Algorithm::kPvOsim:
      return "few rows travel together, or not far, so carrying them costs less than nodes where they meet";
    case Algorithm::kPvOsimr:
      return "where constraints meet, six unit wrenches in place of their rows are cheaper to carry and to multiply";
  }
  return "";
}

}  // namespace

ExplicitPlan plan_explicit(const Model& model, std::span<const Constraint> constraints) {
  const Structure structure(model, constraints);
  ExplicitPlan plan;
  plan.dofs = model.nv();
  plan.rows = static_cast<int>(structure.m);
  plan.depth = structure.deepest;
  plan.constraints = constraints.size();
  plan.meetings = structure.meetings;
  // The one whose cost grows least first: it rules out most.
  auto best = static_cast<double>(std::numeric_limits<std::int64_t>::max());
  for (auto at = kAlgorithms.rbegin(); at != kAlgorithms.rend(); ++at) {
    const double bound = structure.estimate(*at);
    const bool exact = bound < 4 * best;
    const std::int64_t operations = exact ? count(*at, model, constraints) : static_cast<std::int64_t>(bound);
    if (exact) best = std::min(best, static_cast<double>(operations));
    plan.candidates.push_back({*at, operations, exact});
  }
  std::stable_sort(plan.candidates.begin(), plan.candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.operations < b.operations; });
  plan.choice = plan.candidates.front().algorithm;
  return plan;
}

std::string ExplicitPlan::explain() const {
  std::string text = std::string(name_of(choice)) + ": " + number(candidates.front().operations) + " operations for " +
                     std::to_string(rows) + " rows of " + std::to_string(constraints) + " constraints on " +
                     std::to_string(dofs) + " degrees of freedom, " + std::to_string(depth) + " deep, meeting at " +
                     std::to_string(meetings) + (meetings == 1 ? " link" : " links") + "; " +
                     std::string(reason(choice, meetings)) + ".\n";
  for (const Candidate& c : candidates) {
    const double fewest = std::max(1.0, static_cast<double>(candidates.front().operations));
    const double percent = 100.0 * static_cast<double>(c.operations) / fewest;
    text += "  " + std::string(name_of(c.algorithm)) + std::string(14 - name_of(c.algorithm).size(), ' ') +
            (c.exact ? "" : "about ") + number(c.operations) + "  (" + std::to_string(std::lround(percent)) + " %)\n";
  }
  return text;
}

}  // namespace delassus
