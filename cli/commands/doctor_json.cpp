#include "cli/commands/doctor_json.hpp"

namespace delassus::cli {
namespace {

using nlohmann::json;

json as_json(const RowDiagnosis& row) {
  return {{"name", row.name},
          {"unit", row.unit},
          {"position", row.position},
          {"velocity", row.velocity},
          {"drift", row.drift},
          {"strength", row.strength},
          {"position_remainder", row.position_remainder},
          {"acceleration_remainder", row.acceleration_remainder}};
}

json as_json(const RowDependency& d) {
  return {{"rows", d.rows}, {"weights", d.weights}, {"distance", d.distance}, {"exact", d.exact}};
}

json as_json(const ConstraintDiagnosis& c) {
  return {{"name", c.name},       {"first_row", c.first_row}, {"rows", c.rows},        {"linear", c.linear},
          {"angular", c.angular}, {"other", c.other},         {"violated", c.violated}};
}

json as_json(const ConstraintFinding& f) {
  return {{"kind", name_of(f.kind)}, {"text", f.text}, {"details", f.details}, {"advice", f.advice}, {"rows", f.rows}};
}

template <class T>
json list_of(const std::vector<T>& values) {
  json out = json::array();
  for (const T& value : values) out.push_back(as_json(value));
  return out;
}

}  // namespace

json as_json(const ConstraintReport& report) {
  const auto known = [&](auto value) { return report.status.ok() ? json(value) : json(); };
  return {{"health", name_of(report.health)},
          {"dofs", known(report.dofs)},
          {"rank", known(report.rank)},
          {"rank_is_certain", known(report.rank_is_certain)},
          {"mobility", known(report.mobility())},
          {"condition", known(report.condition)},
          {"eigenvalues", report.eigenvalues},
          {"rank_tolerance", known(report.rank_tolerance)},
          {"position_tolerance", known(report.position_tolerance)},
          {"velocity_tolerance", known(report.velocity_tolerance)},
          {"damping", known(report.damping)},
          {"rows", list_of(report.rows)},
          {"independent", report.independent},
          {"dependencies", list_of(report.dependencies)},
          {"constraints", list_of(report.constraints)},
          {"findings", list_of(report.findings)}};
}

}  // namespace delassus::cli
