// Configurations, velocities and forces that agree with constraints.
#include "delassus/solvers/assembly.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "coordinates.hpp"
#include "delassus/solvers/constrained_inverse_dynamics.hpp"
#include "outcomes.hpp"

namespace delassus::python {
namespace {

struct Assembly : Outcome {
  std::vector<double> q;
  double linear_before = 0, angular_before = 0, linear_after = 0, angular_after = 0;
};

struct ConstrainedForces : Outcome {
  std::vector<double> tau, force;
};

std::vector<double> copy_of(VectorView<const double> x) { return {x.data(), x.data() + x.size()}; }

Assembly assemble(const Model& model, const py::object& constraints, const py::object& q, const py::object& tolerance,
                  const py::object& iterations) {
  const auto list = Convert<std::vector<Constraint>>::from(constraints, "constraints");
  const auto from = vector_in(q, "q", model.nq());
  AssemblyOptions options;
  options.tolerance = Convert<double>::from(tolerance, "tolerance");
  options.iterations = static_cast<int>(integer_from(iterations, "iterations", 1, 1'000'000));
  const py::gil_scoped_release release;
  require_coordinates(model, from);
  Assembler<double> assembler(model, list, options);
  Assembly out;
  out.q = copy_of(from);
  const Status status = assembler.assemble(out.q);
  const AssemblyReport<double>& report = assembler.report();
  const double residual = std::max(report.after.linear, report.after.angular);
  State<double> state(model, list);
  const std::vector<double> rest(static_cast<std::size_t>(model.nv()));
  std::vector<double> positions(static_cast<std::size_t>(state.num_rows()));
  require_ok(state.update(out.q, rest), model, list);
  state.position(positions);
  static_cast<Outcome&>(out) = outcome_of(status, model, list, {report.iterations, residual, 0}, positions);
  out.linear_before = report.before.linear;
  out.angular_before = report.before.angular;
  out.linear_after = report.after.linear;
  out.angular_after = report.after.angular;
  return out;
}

py::object project_velocity(const Model& model, const py::object& constraints, const py::object& q, const py::object& v,
                            const py::object& out) {
  const auto list = Convert<std::vector<Constraint>>::from(constraints, "constraints");
  const auto at = vector_in(q, "q", model.nq()), from = vector_in(v, "v", model.nv());
  py::object result = vector_or_new(out, model.nv());
  const auto to = vector_out(result, "out", model.nv());
  require_apart(v, "v", result, Sharing::kSame);
  const py::gil_scoped_release release;
  require_coordinates(model, at);
  require_finite(model, from);
  Assembler<double> assembler(model, list);
  std::copy_n(from.data(), from.size(), to.data());
  require_ok(assembler.project_velocity(at, to), model, list);
  return result;
}

ConstrainedForces constrained_inverse_dynamics(const Model& model, const py::object& constraints, const py::object& q,
                                               const py::object& v, const py::object& acceleration,
                                               const py::object& motors, const py::object& start,
                                               const py::object& options) {
  const auto list = Convert<std::vector<Constraint>>::from(constraints, "constraints");
  const auto at = vector_in(q, "q", model.nq()), velocity = vector_in(v, "v", model.nv());
  const auto qdd = vector_in(acceleration, "acceleration", model.nv());
  const Actuation actuation =
      motors.is_none() ? Actuation(model) : Actuation(model, Convert<std::vector<std::string>>::from(motors, "motors"));
  State<double> state(model, list);
  ConstrainedForces out;
  out.tau.resize(static_cast<std::size_t>(model.nv()));
  out.force.resize(static_cast<std::size_t>(state.num_rows()));
  if (!start.is_none()) out.force = copy_of(vector_in(start, "start", state.num_rows()));
  ConstrainedInverseDynamics<double> solver(model, actuation, proximal_from(options));
  const py::gil_scoped_release release;
  require_coordinates(model, at);
  require_finite(model, velocity);
  require_ok(state.update(at, velocity), model, list);
  const Status status = solver.solve(state, qdd, out.tau, out.force);
  static_cast<Outcome&>(out) = outcome_of(status, model, list, solver.report(), solver.remainder());
  return out;
}

void bind_results(py::module_& m) {
  bind_outcome<Assembly>(m, "Assembly", "What assemble found.",
                         {field("q", &Assembly::q, "The configuration: shape (nq,)."),
                          field("linear_before", &Assembly::linear_before, "Largest distance of a row, metres."),
                          field("angular_before", &Assembly::angular_before, "Largest angle of a row, radians."),
                          field("linear_after", &Assembly::linear_after, "The same at the new configuration."),
                          field("angular_after", &Assembly::angular_after, "The same at the new configuration.")},
                         "Positions of the rows at the new configuration: shape (rows,).");
  bind_outcome<ConstrainedForces>(
      m, "ConstrainedForces", "What constrained_inverse_dynamics found.",
      {field("tau", &ConstrainedForces::tau, "Of the motors, zero where there is none: shape (nv,)."),
       field("force", &ConstrainedForces::force, "Of the constraints: shape (rows,).")},
      "The forces that are missing at degrees of freedom without a motor, in their order.");
}

}  // namespace

void bind_assembly(py::module_& m) {
  bind_results(m);
  m.def(
      "equalities",
      [](const py::object& constraints) {
        return Convert<std::vector<Constraint>>::to(
            make_equalities(Convert<std::vector<Constraint>>::from(constraints, "constraints")));
      },
      py::arg("constraints"), "Those of the constraints that are equalities, a tuple: what assemble takes.");
  m.def("assemble", assemble, py::arg("model"), py::arg("constraints"), py::arg("q"), py::kw_only(),
        py::arg("tolerance") = 0.0, py::arg("iterations") = 1000,
        "The configuration nearest to q (nq,) that closes the constraints, which have to be equalities: an Assembly.\n"
        "tolerance: largest position of a row that counts as none, metres or radians; 0: what suits float64. Status\n"
        "\"infeasible\": no small motion comes closer; \"not_converged\": the iterations ran out. q is never farther "
        "off\n"
        "than before.");
  m.def("project_velocity", project_velocity, py::arg("model"), py::arg("constraints"), py::arg("q"), py::arg("v"),
        py::arg("out") = py::none(),
        "The velocity nearest to v (nv,), in kinetic energy, that the equality constraints allow at q (nq,).\n"
        "`out` may be v itself.");
  m.def(
      "constrained_inverse_dynamics", constrained_inverse_dynamics, py::arg("model"), py::arg("constraints"),
      py::arg("q"), py::arg("v"), py::arg("acceleration"), py::kw_only(), py::arg("motors") = py::none(),
      py::arg("start") = py::none(), py::arg("options") = py::none(),
      "Motor torques and constraint forces that make the acceleration (nv,), a ConstrainedForces: M a + h = tau +\n"
      "J^T force with the force nearest to `start` (rows,), or the least. motors: names of joints that have one;\n"
      "without it all but free joints. Status \"unbalanced\": no constraint force can move what has no motor so; tau\n"
      "and force miss least then. options: ProximalOptions.");
}

}  // namespace delassus::python
