// Integrator: constrained motion in time steps.
#include "delassus/simulation/integrator.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "coordinates.hpp"
#include "lock.hpp"
#include "outcomes.hpp"

namespace delassus::python {

template <>
struct EnumNames<IntegratorKind> {
  static constexpr std::array<std::string_view, 3> kNames{"semi_implicit_euler", "runge_kutta_4", "energy_preserving"};
  static std::span<const std::string_view> names() { return kNames; }
};

namespace {

/// With what it refers to.
struct IntegratorObject {
  IntegratorObject(std::shared_ptr<Model> m, std::vector<Constraint> list, const IntegratorOptions& options)
      : model(std::move(m)), constraints(std::move(list)), integrator(*model, constraints, options) {}

  const std::shared_ptr<Model> model;
  const std::vector<Constraint> constraints;
  Integrator integrator;
  std::mutex mutex;
};

std::unique_ptr<IntegratorObject> make_integrator(std::shared_ptr<Model> model, const py::object& constraints,
                                                  const py::object& kind, const py::object& dt,
                                                  const py::object& project, const py::object& baumgarte,
                                                  const py::object& energy_error, const py::object& halvings) {
  IntegratorOptions options;
  options.kind = Convert<IntegratorKind>::from(kind, "kind");
  options.dt = Convert<double>::from(dt, "dt");
  options.project = Convert<bool>::from(project, "project");
  options.pull = baumgarte_from(baumgarte);
  options.energy_error = Convert<double>::from(energy_error, "energy_error");
  options.halvings = Convert<int>::from(halvings, "halvings");
  return std::make_unique<IntegratorObject>(
      std::move(model), Convert<std::vector<Constraint>>::from(constraints, "constraints"), options);
}

void step(IntegratorObject& self, const py::object& q, const py::object& v, const py::object& tau) {
  const Model& model = *self.model;
  const auto coordinates = vector_out(q, "q", model.nq()), velocities = vector_out(v, "v", model.nv());
  const auto forces = vector_in(tau, "tau", model.nv());
  require_apart(q, "q", v, Sharing::kNone, "v");
  const Working working(self.mutex);
  require_coordinates(model, coordinates);
  require_finite(model, velocities);
  require_finite(model, forces);
  require_ok(self.integrator.step(coordinates, velocities, forces), model, self.constraints);
}

/// Of the last step.
template <class Value>
auto reading(Value (Integrator::*get)() const) {
  return [get](IntegratorObject& self) {
    std::decay_t<Value> value;
    {
      const Working working(self.mutex);
      value = (self.integrator.*get)();
    }
    return Convert<std::decay_t<Value>>::to(value);
  };
}

py::tuple state_of_integrator(const IntegratorObject& self) {
  const IntegratorOptions& o = self.integrator.options();
  return py::make_tuple(self.model, Convert<std::vector<Constraint>>::to(self.constraints),
                        Convert<IntegratorKind>::to(o.kind), o.dt, o.project, py::cast(o.pull), o.energy_error,
                        o.halvings);
}

}  // namespace

void bind_integrator(py::module_& m) {
  py::class_<IntegratorObject> c(
      m, "Integrator",
      "Motion under equality constraints in time steps. After each step q and v are projected onto the constraints, "
      "and\n"
      "a step that makes energy out of nothing is made again in shorter parts.\n\n"
      "Calls run without the GIL. Threads may share an object; their calls wait for each other.");
  c.def(py::init(&make_integrator), py::arg("model"), py::arg("constraints"), py::arg("kind") = "energy_preserving",
        py::arg("dt") = 1e-3, py::kw_only(), py::arg("project") = true, py::arg("baumgarte") = py::none(),
        py::arg("energy_error") = 0.0, py::arg("halvings") = 10,
        "kind: \"semi_implicit_euler\", \"runge_kutta_4\" or \"energy_preserving\". dt: seconds. project: q and v onto "
        "the\n"
        "constraints; without it take a Baumgarte. energy_error: what may appear or vanish in a part of a step, "
        "relative;\n"
        "0: what suits the kind. halvings: how often a step may be halved.");
  c.def("step", step, py::arg("q"), py::arg("v"), py::arg("tau"),
        "From one time to dt later, with joint forces tau (nv,) that stay the same: writes q (nq,) and v (nv,) in "
        "place.\n"
        "They have to agree with the constraints (assemble, project_velocity). Raises NumericalError where the step\n"
        "failed in its shortest parts; q and v are as they were then.");
  c.def_property_readonly(
      "model", [](const IntegratorObject& self) { return self.model; }, "The Model.");
  c.def_property_readonly(
      "constraints",
      [](const IntegratorObject& self) { return Convert<std::vector<Constraint>>::to(self.constraints); },
      "A tuple of the constraints.");
  c.def_property_readonly(
      "dt", [](const IntegratorObject& self) { return self.integrator.options().dt; }, "Seconds of a step.");
  c.def_property_readonly("parts", reading(&Integrator::parts), "How many parts the last step was made of.");
  c.def_property_readonly("evaluations", reading(&Integrator::evaluations), "Accelerations that the last step took.");
  c.def_property_readonly("missed", reading(&Integrator::missed),
                          "Largest row acceleration by which rows contradicted each other in the last step.");
  c.def_property_readonly("force", reading(&Integrator::lambda),
                          "Constraint forces of the last acceleration: shape (rows,).");
  c.def(py::pickle(&state_of_integrator, [](const py::tuple& s) {
    if (s.size() != 8) throw Error("this pickle is of another version");
    return make_integrator(s[0].cast<std::shared_ptr<Model>>(), s[1], s[2], s[3], s[4], s[5], s[6], s[7]);
  }));
}

}  // namespace delassus::python
