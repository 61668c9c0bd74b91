// What is wrong with constraints, and what to do.
#include "delassus/solvers/doctor.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "constraints.hpp"

namespace delassus::python {

template <>
struct EnumNames<Health> {
  static std::span<const std::string_view> names() { return names_by_function<Health, 4>(); }
};
template <>
struct EnumNames<ConstraintFinding::Kind> {
  static std::span<const std::string_view> names() { return names_by_function<ConstraintFinding::Kind, 8>(); }
};

namespace {

void bind_diagnoses(py::module_& m) {
  ValueClass<RowDiagnosis>(
      m, "RowDiagnosis", "What diagnose() knows of one row.",
      {field("name", &RowDiagnosis::name, "Constraint and axis: \"contact 'FL_foot' normal\"."),
       field("unit", &RowDiagnosis::unit, "Of the position, m or rad; empty if that is the user's affair."),
       field("position", &RowDiagnosis::position, "How far it is from where it should be."),
       field("velocity", &RowDiagnosis::velocity, "Its entry of J v."),
       field("drift", &RowDiagnosis::drift, "Its acceleration while joints do not accelerate."),
       field("strength", &RowDiagnosis::strength,
             "How well joints move it here, relative to what they could if nothing cancelled: 0 if none does."),
       field("position_remainder", &RowDiagnosis::position_remainder,
             "What is left of the position after the best small motion of the joints."),
       field("acceleration_remainder", &RowDiagnosis::acceleration_remainder,
             "What is missing from its acceleration in the best motion.")});
  ValueClass<RowDependency>(m, "RowDependency", "Rows of which a weighted sum is zero, and of no fewer of them.",
                            {field("rows", &RowDependency::rows, "Indices; the first can be left out."),
                             field("weights", &RowDependency::weights, "One for each, the first is 1: array (k,)."),
                             field("distance", &RowDependency::distance,
                                   "Sine of the angle between the first row and the span of the others."),
                             field("exact", &RowDependency::exact, "Whether it is zero to rounding; else nearly.")});
  ValueClass<ConstraintDiagnosis>(
      m, "ConstraintDiagnosis", "How far a constraint is from where it should be.",
      {field("name", &ConstraintDiagnosis::name, "Kind and name: \"loop 'rod'\"."),
       field("first_row", &ConstraintDiagnosis::first_row, "Index."),
       field("rows", &ConstraintDiagnosis::rows, "How many."),
       field("linear", &ConstraintDiagnosis::linear, "Metres; of contacts the gap, with its sign."),
       field("angular", &ConstraintDiagnosis::angular, "Radians; of limits the room that is left, with its sign."),
       field("other", &ConstraintDiagnosis::other, "In the units of rows of the user's own."),
       field("violated", &ConstraintDiagnosis::violated, "Whether that is too far.")});
  ValueClass<ConstraintFinding>(
      m, "ConstraintFinding", "One thing that a person should know.",
      {field("kind", &ConstraintFinding::kind,
             "contradiction, position, velocity, nearly_dependent, nearly_stuck, stuck or dependent."),
       field("rows", &ConstraintFinding::rows, "Indices of the rows that it is about."),
       field("text", &ConstraintFinding::text, "What was found."),
       field("details", &ConstraintFinding::details, "A tuple of lines."),
       field("advice", &ConstraintFinding::advice, "What to do.")});
}

void bind_constraint_report(py::module_& m) {
  ValueClass<ConstraintReport> c(
      m, "ConstraintReport", "What diagnose() found. str() gives the text that `delassus doctor` prints.",
      {field("health", &ConstraintReport::health, "healthy, redundant or unhealthy."),
       field("dofs", &ConstraintReport::dofs, "Degrees of freedom."),
       field("rank", &ConstraintReport::rank, "Of the rows."),
       field("rank_is_certain", &ConstraintReport::rank_is_certain,
             "False where constraints are off by enough to hide that rows depend on each other."),
       field("eigenvalues", &ConstraintReport::eigenvalues,
             "Of the Delassus matrix with its diagonal scaled to one, largest first: array (rows,)."),
       field("condition", &ConstraintReport::condition, "Of that matrix, on its range."),
       field("rank_tolerance", &ConstraintReport::rank_tolerance, "Relative eigenvalues below it count as none."),
       field("position_tolerance", &ConstraintReport::position_tolerance, "What counts as in place: m, rad."),
       field("velocity_tolerance", &ConstraintReport::velocity_tolerance, "What counts as at rest: per second."),
       field("damping", &ConstraintReport::damping, "That suffices to solve with all rows."),
       field("rows", &ConstraintReport::rows, "A tuple of RowDiagnosis."),
       field("independent", &ConstraintReport::independent, "Indices of as many independent rows as the rank."),
       field("dependencies", &ConstraintReport::dependencies, "A tuple of RowDependency."),
       field("constraints", &ConstraintReport::constraints, "A tuple of ConstraintDiagnosis."),
       field("findings", &ConstraintReport::findings, "A tuple of ConstraintFinding, most important first.")});
  c.bound.def_property_readonly("mobility", &ConstraintReport::mobility,
                                "Degrees of freedom that are left: dofs - rank.");
  c.bound.def_property_readonly(
      "text", [](const ConstraintReport& self) { return Convert<std::string>::to(to_text(self)); },
      "What `delassus doctor` prints.");
  c.bound.def("__str__", [](const ConstraintReport& self) { return Convert<std::string>::to(to_text(self)); });
}

ConstraintReport diagnosis(const Model& model, const py::object& constraints, const py::object& q, const py::object& v,
                           double tolerance) {
  if (!(tolerance >= 0)) throw Error("'tolerance' is negative or no number; give what errors may be, such as 1e-3");
  const auto list = Convert<std::vector<Constraint>>::from(constraints, "constraints");
  const auto at = vector_in(q, "q", model.nq());
  const std::vector<double> rest(static_cast<std::size_t>(model.nv()), 0);
  const VectorView<const double> velocity =
      v.is_none() ? VectorView<const double>(rest) : vector_in(v, "v", model.nv());
  DoctorOptions options;
  options.position_tolerance = options.velocity_tolerance = options.acceleration_tolerance = tolerance;
  const py::gil_scoped_release release;
  ConstraintReport report = diagnose(model, list, at, velocity, options);
  require_ok(report.status, model, list);
  return report;
}

}  // namespace

void bind_doctor(py::module_& m) {
  bind_diagnoses(m);
  bind_constraint_report(m);
  m.def(
      "diagnose", diagnosis, py::arg("model"), py::arg("constraints"), py::arg("q"), py::arg("v") = py::none(),
      py::arg("tolerance") = DoctorOptions{}.position_tolerance,
      "What is wrong with constraints in the state q (nq,), v (nv,), at rest unless given, and what to do: rank and\n"
      "mobility, which rows depend on which, rows that no joint moves, errors of positions and velocities,\n"
      "contradictions. A ConstraintReport; print it. Every row counts as held, those of contacts and limits included.\n"
      "Errors up to the tolerance are let pass: of positions (m, rad), velocities (per s), accelerations (per s²).\n"
      "Raises NumericalError where nothing can be said: numbers that are none, a joint without inertia.");
}

}  // namespace delassus::python
