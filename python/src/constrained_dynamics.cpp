// ConstrainedDynamics: accelerations and forces under constraints, and impacts.
#include "arrays.hpp"
#include "bindings.hpp"
#include "lock.hpp"
#include "outcomes.hpp"

namespace delassus::python {

template <>
struct EnumNames<ConstrainedForm> {
  static constexpr std::array<std::string_view, 3> kNames{"condensed", "kkt", "aba"};
  static std::span<const std::string_view> names() { return kNames; }
};

namespace {

using OptionalVector = std::optional<VectorView<const double>>;

OptionalVector optional_vector(const py::object& array, const char* argument, int size) {
  return array.is_none() ? OptionalVector() : vector_in(array, argument, size);
}

ConstrainedMotion solve_constrained(ConstrainedObject& self, const py::object& q, const py::object& v,
                                    const py::object& tau, const py::object& target, const py::object& start,
                                    const py::object& baumgarte) {
  const int nv = self.model().nv(), rows = self.num_rows();
  const auto coordinates = vector_in(q, "q", self.model().nq()), velocities = vector_in(v, "v", nv);
  const auto forces = vector_in(tau, "tau", nv);
  const OptionalVector wanted = optional_vector(target, "target", rows), first = optional_vector(start, "start", rows);
  const Baumgarte pull = baumgarte_from(baumgarte);
  if (wanted && !baumgarte.is_none()) {
    throw Error("argument 'baumgarte' makes a target of its own; leave it out where 'target' is given");
  }
  const Working working(self.mutex);
  return self.solve(coordinates, velocities, forces, wanted, pull, first);
}

Impact impact(ConstrainedObject& self, const py::object& q, const py::object& v, const py::object& restitution,
              const py::object& start) {
  const int rows = self.num_rows();
  const auto coordinates = vector_in(q, "q", self.model().nq()), velocities = vector_in(v, "v", self.model().nv());
  std::vector<double> coefficients;
  if (py::isinstance<py::array>(restitution)) {
    const auto each = vector_in(restitution, "restitution", rows);
    coefficients.assign(each.data(), each.data() + rows);
  } else {
    coefficients.assign(static_cast<std::size_t>(rows), Convert<double>::from(restitution, "restitution"));
  }
  const OptionalVector first = optional_vector(start, "start", rows);
  const Working working(self.mutex);
  return self.impact(coordinates, velocities, coefficients, first);
}

py::object derivatives(ConstrainedObject& self, const py::object& q, const py::object& v, const py::object& tau,
                       const py::object& baumgarte) {
  const int nv = self.model().nv(), rows = self.num_rows();
  const auto coordinates = vector_in(q, "q", self.model().nq()), velocities = vector_in(v, "v", nv);
  const auto forces = vector_in(tau, "tau", nv);
  const Baumgarte pull = baumgarte_from(baumgarte);
  std::array<py::object, 6> out;
  std::vector<MatrixView<double>> views;
  for (int k = 0; k < 6; ++k) {
    const int height = k < 3 ? nv : rows;
    out[k] = new_matrix(height, nv);
    views.push_back(matrix_out(out[k], "derivatives", height, nv));
  }
  {
    const Working working(self.mutex);
    self.differentiate(coordinates, velocities, forces, pull,
                       {views[0], views[1], views[2], views[3], views[4], views[5]});
  }
  return py::module_::import("delassus._derivatives")
      .attr("ConstrainedDerivatives")(out[0], out[1], out[2], out[3], out[4], out[5]);
}

std::unique_ptr<ConstrainedObject> make_constrained(std::shared_ptr<Model> model, const py::object& constraints,
                                                    const py::object& method, const py::object& options) {
  return std::make_unique<ConstrainedObject>(std::move(model),
                                             Convert<std::vector<Constraint>>::from(constraints, "constraints"),
                                             Convert<ConstrainedForm>::from(method, "method"), proximal_from(options));
}

py::tuple state_of_constrained(const ConstrainedObject& self) {
  return py::make_tuple(self.model_object(), Convert<std::vector<Constraint>>::to(self.constraints()),
                        Convert<ConstrainedForm>::to(self.form()), py::cast(self.options()));
}

void bind_values(py::module_& m) {
  ValueClass<ProximalOptions>(
      m, "ProximalOptions", "Options of solves whose rows may be redundant. Zero: what suits float64.",
      {field("damping", &ProximalOptions::damping,
             "Relative to J M^-1 J^T: directions that yield less than this count as rigid."),
       field("narrow_damping", &ProximalOptions::narrow_damping, "The same where rows nearly contradict each other."),
       field("tolerance", &ProximalOptions::tolerance, "Residual that counts as none, relative to row accelerations."),
       field("iterations", &ProximalOptions::iterations, "At most.")});
  ValueClass<Baumgarte>(
      m, "Baumgarte", "A pull of the rows back to where they should be: -damping Jv - stiffness phi.",
      {field("stiffness", &Baumgarte::stiffness, "1/s^2"), field("damping", &Baumgarte::damping, "1/s")});
  bind_outcome<ConstrainedMotion>(
      m, "ConstrainedMotion", "What ConstrainedDynamics.solve found.",
      {field("acceleration", &ConstrainedMotion::acceleration, "Of the joints: shape (nv,)."),
       field("force", &ConstrainedMotion::force, "Of the constraints, Nm and N: shape (rows,).")},
      "The row accelerations that are missing: shape (rows,).");
  bind_outcome<Impact>(m, "Impact", "What ConstrainedDynamics.solve_impact found.",
                       {field("velocity", &Impact::velocity, "Of the joints afterwards: shape (nv,)."),
                        field("impulse", &Impact::impulse, "Of the constraints, Nms and Ns: shape (rows,).")},
                       "The row velocities that are missing: shape (rows,).");
}

}  // namespace

void bind_constrained_dynamics(py::module_& m) {
  bind_values(m);
  py::class_<ConstrainedObject> c(
      m, "ConstrainedDynamics",
      "Forward dynamics under equality constraints: M a + h = tau + J^T force and J a = target, whatever the rank of "
      "J.\n\n"
      "Every constraint holds as an equality, whatever its set. Rows stand in the order of the constraints. Calls run\n"
      "without the GIL. Threads may share an object; their calls wait for each other.");
  c.def(py::init(&make_constrained), py::arg("model"), py::arg("constraints"), py::arg("method") = "condensed",
        py::kw_only(), py::arg("options") = py::none(),
        "method: \"condensed\", by the operator of this name; \"kkt\", by a sparse factorization of the KKT matrix; "
        "\"aba\", by\n"
        "sweeps alone. All find the same. options: ProximalOptions.");
  c.def(
      "solve", solve_constrained, py::arg("q"), py::arg("v"), py::arg("tau"), py::kw_only(),
      py::arg("target") = py::none(), py::arg("start") = py::none(), py::arg("baumgarte") = py::none(),
      "Accelerations and constraint forces, a ConstrainedMotion: q (nq,), v and tau (nv,). target (rows,): the row\n"
      "accelerations J a; without it those that keep J v, with the pull of `baumgarte`, a Baumgarte, if it is given.\n"
      "The force is the one nearest to `start` (rows,), or the least.\n\n"
      "Where rows contradict each other the status is \"infeasible\", the acceleration misses the target least, and\n"
      "`remainder` says by how much; \"not_converged\": the iterations ran out. Raises SingularError or "
      "NumericalError\n"
      "where there is no result.");
  c.def("solve_impact", impact, py::arg("q"), py::arg("v"), py::arg("restitution") = 0.0, py::kw_only(),
        py::arg("start") = py::none(),
        "Velocities after an impact with J v' = -restitution J v, an Impact. restitution: a number, or one for each "
        "row,\n"
        "shape (rows,). Statuses as those of solve. Not with method \"aba\".");
  c.def("derivatives", derivatives, py::arg("q"), py::arg("v"), py::arg("tau"), py::kw_only(),
        py::arg("baumgarte") = py::none(),
        "Derivatives of the acceleration and of the least force that solve finds without a target, a named tuple\n"
        "ConstrainedDerivatives: with q (along steps of the joints, as Model.integrate makes them), v and tau. Raises\n"
        "NumericalError where rows contradict each other. Not with method \"aba\".");
  c.def_property_readonly("model", &ConstrainedObject::model_object, "The Model.");
  c.def_property_readonly(
      "constraints",
      [](const ConstrainedObject& self) { return Convert<std::vector<Constraint>>::to(self.constraints()); },
      "A tuple of the constraints.");
  c.def_property_readonly(
      "method", [](const ConstrainedObject& self) { return Convert<ConstrainedForm>::to(self.form()); },
      "The name of the method.");
  c.def_property_readonly("rows", &ConstrainedObject::num_rows, "Number of rows.");
  c.def("__repr__", [](const ConstrainedObject& self) {
    const std::string form(EnumNames<ConstrainedForm>::kNames[static_cast<std::size_t>(self.form())]);
    return Convert<std::string>::to("<delassus.ConstrainedDynamics '" + form + "' on '" + self.model().name() +
                                    "': " + std::to_string(self.num_rows()) + " rows>");
  });
  c.def(py::pickle(&state_of_constrained, [](const py::tuple& state) {
    if (state.size() != 4) throw Error("this pickle is of another version");
    return make_constrained(state[0].cast<std::shared_ptr<Model>>(), state[1], state[2], state[3]);
  }));
}

}  // namespace delassus::python
