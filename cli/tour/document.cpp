#include "cli/tour/document.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "bench/measure/number.hpp"
#include "cli/commands/summary.hpp"
#include "cli/pages/matrix_cells.hpp"
#include "cli/pages/rounded.hpp"
#include "cli/shell/build_info.hpp"
#include "cli/tour/condensed_tree.hpp"
#include "cli/tour/drawing.hpp"
#include "cli/tour/operations.hpp"
#include "delassus/constraints/describe.hpp"

namespace delassus::cli {
namespace {

using nlohmann::json;

json rows_json(const Scene& scene) {
  json out = json::array();
  for (std::size_t k = 0; k < scene.constraints.size(); ++k) {
    const std::string name = constraint_label(scene.constraints[k], k);
    for (const RowLabel& label : row_labels(scene.model, scene.constraints[k])) {
      out.push_back(
          {{"constraint", name}, {"axis", label.axis}, {"unit", label.unit.empty() ? "" : label.unit + "/s"}});
    }
  }
  return out;
}

json constraints_json(const Scene& scene) {
  json out = json::array();
  int row = 0;
  for (std::size_t k = 0; k < scene.constraints.size(); ++k) {
    const Constraint& c = scene.constraints[k];
    out.push_back({{"name", constraint_label(c, k)}, {"kind", kind_of(c)}, {"first_row", row}, {"rows", row_count(c)}});
    row += row_count(c);
  }
  return out;
}

json calls_json(const std::optional<OperatorCount>& calls) {
  if (!calls) return nullptr;
  return {{"factor", calls->factor},   {"matrix", calls->matrix},       {"product", calls->product},
          {"damping", calls->damping}, {"redamping", calls->redamping}, {"solve", calls->solve}};
}

json times_json(const OperatorTimes& times, std::span<const Verb> verbs) {
  json out = json::object();
  for (const Verb verb : verbs) {
    const std::optional<double>& us = times.time_us[verb];
    out[name_of(verb)] = us ? json(rounded(*us)) : json(nullptr);
  }
  return out;
}

/// What the operator is, for headings.
std::string_view family_of(const BenchOperator& op) {
  if (!op.algorithm) return "published";
  const bool has_matrix = std::ranges::find(kExplicitAlgorithms, *op.algorithm) != kExplicitAlgorithms.end();
  return has_matrix ? "explicit" : "without a matrix";
}

/// Nothing if it was not measured. JSON has no infinity, which stands for what is no number.
json error_json(const std::optional<double>& error) {
  if (!error) return nullptr;
  return std::isfinite(*error) ? json(rounded(*error, 3)) : json(std::numeric_limits<double>::max());
}

json operator_json(const OperatorResult& result, const BenchOperator& op, std::int64_t placing) {
  json operations = json::object();
  for (const Verb verb : kVerbs) operations[name_of(verb)] = or_null(operations_of(result.calls, op, placing)[verb]);
  return {{"name", op.name},
          {"family", family_of(op)},
          {"solves", op.algorithm.has_value()},
          {"difference", error_json(result.difference)},
          {"residual", error_json(result.residual)},
          {"bytes", or_null(result.times.bytes)},
          {"calls", calls_json(result.calls)},
          {"operations", operations},
          {"time_us", times_json(result.times, kVerbs)},
          {"left_out", result.times.left_out}};
}

json plan_json(const TourWorkload& about, const OperatorPlan& plan) {
  json candidates = json::array();
  for (const OperatorPlan::Candidate& c : plan.candidates) {
    candidates.push_back(
        {{"name", name_of(c.algorithm)}, {"time_us", c.time_us}, {"operations", c.operations}, {"exact", c.exact}});
  }
  return {{"workload", about.name},
          {"title", about.title},
          {"choice", name_of(plan.choice)},
          {"reason", reason_of(plan)},
          {"candidates", candidates},
          {"products", about.workload.products},
          {"dampings", about.workload.all_dampings()},
          {"solves", about.workload.solves}};
}

/// Some lines of each finding; the command has more.
json health_json(const ConstraintReport& report) {
  constexpr std::size_t kMostLines = 5;
  json out{{"health", name_of(report.health)},
           {"dofs", report.dofs},
           {"rank", report.rank},
           {"mobility", report.mobility()},
           {"condition", rounded(report.condition)},
           {"rank_tolerance", report.rank_tolerance},
           {"eigenvalues", json::array()},
           {"findings", json::array()}};
  for (const double x : report.eigenvalues) out["eigenvalues"].push_back(rounded(x, 3));
  for (const ConstraintFinding& f : report.findings) {
    const std::size_t shown = std::min(f.details.size(), kMostLines);
    out["findings"].push_back({{"kind", name_of(f.kind)},
                               {"text", f.text},
                               {"details", std::vector(f.details.begin(), f.details.begin() + std::ptrdiff_t(shown))},
                               {"more", f.details.size() - shown},
                               {"advice", f.advice}});
  }
  return out;
}

json motion_json(const MotionResult& motion) {
  constexpr std::size_t kMostForces = 24;
  json out{{"forms", json::array()},
           {"weight", rounded(motion.weight)},
           {"unbalanced", motion.unbalanced},
           {"forces", json::array()},
           {"more_forces", motion.forces.size() - std::min(motion.forces.size(), kMostForces)}};
  for (const FormResult& form : motion.forms) {
    out["forms"].push_back({{"name", form.name},
                            {"time_us", rounded(form.time_us)},
                            {"iterations", form.iterations},
                            {"force_residual", rounded(form.forces)},
                            {"row_residual", rounded(form.rows)},
                            {"trouble", form.trouble}});
  }
  for (std::size_t k = 0; k < std::min(motion.forces.size(), kMostForces); ++k) {
    out["forces"].push_back({{"name", motion.forces[k].name}, {"newtons", rounded(motion.forces[k].newtons)}});
  }
  return out;
}

/// As many cells as a drawing can show.
json matrix_json(const SetResult& result) {
  constexpr int kMostCells = 144;
  MatrixCells cells = make_matrix_cells(result.matrix, result.rows, kMostCells);
  std::ranges::transform(cells.cells, cells.cells.begin(), [](double x) { return rounded(x); });
  return {{"block", cells.block}, {"size", cells.size}, {"cells", cells.cells}};
}

json set_json(const SetResult& result) {
  const Scene& scene = result.set.scene;
  json operators = json::array(), plans = json::array();
  for (std::size_t k = 0; k < result.operators.size(); ++k) {
    operators.push_back(operator_json(result.operators[k], all_operators()[k], result.placing));
  }
  for (std::size_t k = 0; k < result.plans.size(); ++k) plans.push_back(plan_json(kTourWorkloads[k], result.plans[k]));
  return {{"name", result.set.name},
          {"how", result.set.how},
          {"contacts", result.contacts},
          {"constraints", constraints_json(scene)},
          {"rows", rows_json(scene)},
          {"spectrum",
           {{"largest", rounded(result.spectrum.largest)},
            {"smallest", rounded(result.spectrum.smallest)},
            {"rank", result.spectrum.rank},
            {"condition", rounded(result.spectrum.condition)}}},
          {"health", health_json(result.health)},
          {"motion", motion_json(result.motion)},
          {"bounds", {{"difference", result.bounds.difference}, {"residual", result.bounds.residual}}},
          {"agrees", result.agrees()},
          {"matrix", matrix_json(result)},
          {"drawing", drawing_of(scene)},
          {"tree", condensed_tree_of(scene.model, scene.constraints)},
          {"placing", result.placing},
          {"operators", operators},
          {"plans", plans}};
}

json growth_json(const Growth& growth) {
  json points = json::array();
  for (const GrowthPoint& p : growth.points) {
    json operators = json::object();
    for (std::size_t k = 0; k < p.times.size(); ++k) {
      operators[std::string(p.times[k].name)] = {{"calls", calls_json(p.calls[k])},
                                                 {"time_us", times_json(p.times[k], kGrowthVerbs)}};
    }
    points.push_back({{"constraints", p.constraints}, {"rows", p.rows}, {"operators", operators}});
  }
  return {{"how", growth.how}, {"points", points}};
}

json model_json(const Scene& scene) {
  const Model& model = scene.model;
  return {{"name", model.name()},
          {"summary", one_line_summary(scene)},
          {"bodies", model.description().bodies.size()},
          {"links", model.num_links()},
          {"dofs", model.nv()},
          {"depth", model.depth()},
          {"mass", rounded(model.mass())}};
}

json conditions_json(const Effort& effort) {
  json out = as_json(build_info());
  out["date"] = fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
  out["timing"] = fmt::format(
      "One thread. A sample is as many calls as take about {:.1f} ms together, with inputs that change from call to "
      "call; "
      "operators take turns; the median of {} samples. From q: kinematics and the lowering of constraints are in it.",
      effort.sample_us / 1e3, effort.rounds);
  out["counting"] =
      "Operations are additions, multiplications, divisions and square roots in floating point, counted by running the "
      "same code on numbers that count. Refinement of damped solves depends on numbers and is in the times alone.";
  out["damping"] = kDampings[0];
  return out;
}

}  // namespace

json document_of(const TourResult& result) {
  json sets = json::array();
  for (const SetResult& set : result.sets) sets.push_back(set_json(set));
  return {{"format", "delassus-tour-1"},
          {"model", model_json(result.sets.front().set.scene)},
          {"agrees", result.agrees()},
          {"sets", sets},
          {"growth", growth_json(result.growth)},
          {"conditions", conditions_json(result.effort)}};
}

}  // namespace delassus::cli
