// Operator: how it is made, made ready and copied. Its verbs are in operator_verbs.cpp.
#include "arrays.hpp"
#include "bindings.hpp"
#include "compile.hpp"
#include "delassus/operators/matrix_operator.hpp"
#include "lock.hpp"
#include "operator_arguments.hpp"
#include "operator_verbs.hpp"

namespace delassus::python {
namespace {

void update(OperatorObject& self, const py::object& q) {
  const auto coordinates = vector_in(q, "q", self.model->nq());
  const Working working(self.mutex);
  self.update(coordinates);
}

void set_constraints(OperatorObject& self, const py::object& constraints) {
  const auto list = Convert<std::vector<Constraint>>::from(constraints, "constraints");
  const Working working(self.mutex);
  self.set_constraints(list);
}

/// What other threads may change, as it is now.
struct Remembered {
  std::vector<Constraint> constraints;
  std::optional<std::vector<double>> q;
  std::optional<StoredDamping> damping;
};

Remembered remembered(OperatorObject& self) {
  const Working working(self.mutex);
  const std::span<const Constraint> constraints = self.op.constraints();
  Remembered out{{constraints.begin(), constraints.end()}, {}, {}};
  if (self.op.ready()) out.q = self.op.state().kinematics().q;
  if (self.op.damped()) out.damping = self.damping;
  return out;
}

std::vector<int> rows_per_constraint(OperatorObject& self) {
  std::vector<int> out;
  for (const Constraint& c : remembered(self).constraints) out.push_back(row_count(c));
  return out;
}

void update_damping(OperatorObject& self, const py::object& damping) {
  const StoredDamping stored = is_list_of_blocks(damping) ? block_damping_from(damping, rows_per_constraint(self))
                                                          : damping_from(damping, self.rows);
  const Working working(self.mutex);
  self.update_damping(stored);
}

// ------------------------------------------------------------------------------------- what it is, and copies

py::object linear_operator(const py::object& self, const char* maker) {
  return py::module_::import("delassus._linear_operators").attr(maker)(self);
}

std::string algorithm_of(const OperatorObject& self) { return std::string(name_of(self.op.algorithm())); }

/// Enough to make the same one: it is in the same configuration with the same damping then.
py::tuple state_of_operator(OperatorObject& self) {
  const Remembered r = remembered(self);
  return py::make_tuple(self.model, Convert<std::vector<Constraint>>::to(r.constraints), algorithm_of(self),
                        options_to_python(self.options), self.plan ? py::cast(*self.plan) : py::none(),
                        r.q ? Convert<std::vector<double>>::to(*r.q) : py::none(),
                        r.damping ? damping_to_python(*r.damping) : py::none());
}

std::unique_ptr<OperatorObject> operator_from_state(const py::tuple& state) {
  if (state.size() != 7) throw Error("this pickle is of another version");
  auto model = state[0].cast<std::shared_ptr<Model>>();
  const auto constraints = Convert<std::vector<Constraint>>::from(state[1], "constraints");
  std::unique_ptr<OperatorObject> op;
  if (Convert<std::string>::from(state[2], "algorithm") == name_of(Algorithm::kGenerated)) {
    op = make_compiled(std::move(model), constraints, {});
  } else {
    const auto algorithm = Convert<Algorithm>::from(state[2], "algorithm");
    op = std::make_unique<OperatorObject>(std::move(model), constraints, algorithm,
                                          options_from_python(state[3], algorithm));
  }
  if (!state[4].is_none()) op->plan = state[4].cast<OperatorPlan>();
  if (!state[5].is_none()) op->update(vector_in(state[5], "q", op->model->nq()));
  if (!state[6].is_none()) op->update_damping(stored_damping_from(state[6]));
  return op;
}

std::unique_ptr<OperatorObject> make_operator(std::shared_ptr<Model> model, const py::object& constraints,
                                              const py::object& algorithm, const py::object& workload,
                                              const py::object& options) {
  const auto list = Convert<std::vector<Constraint>>::from(constraints, "constraints");
  const auto name = Convert<std::string>::from(algorithm, "algorithm");
  std::optional<OperatorPlan> plan;
  if (name == "auto") {
    const Workload work = workload_from(workload);
    const py::gil_scoped_release release;
    plan = plan_operator(*model, list, work);
  } else if (!workload.is_none()) {
    throw Error("argument 'workload' is for algorithm='auto'; leave it out with " + name);
  }
  const Algorithm chosen = plan ? plan->choice : Convert<Algorithm>::from(algorithm, "algorithm");
  auto op = std::make_unique<OperatorObject>(std::move(model), list, chosen, options_from_python(options, chosen));
  op->plan = std::move(plan);
  return op;
}

using Class = py::class_<OperatorObject>;

void bind_making_ready(Class& c) {
  c.def(py::init(&make_operator), py::arg("model"), py::arg("constraints"), py::arg("algorithm") = "auto",
        py::kw_only(), py::arg("workload") = py::none(), py::arg("options") = py::none(),
        "algorithm: a name of delassus.algorithms(), or \"auto\": the one that needs fewest operations for the "
        "workload,\n"
        "which is the matrix alone unless given. options: CondensedOptions or LcabaOptions, for those algorithms.");
  c.def("update", update, py::arg("q"),
        "Takes over the coordinates q (nq,): kinematics, rows and factor. Drops the damping. Raises SingularError or\n"
        "NumericalError where there is none; the operator has no values then.");
  c.def("set_constraints", set_constraints, py::arg("constraints"),
        "Other constraints, or the same with other points and axes; update(q) comes next. The algorithm stays.");
  c.def("update_damping", update_damping, py::arg("damping"),
        "Takes R^-1 and factors R^-1 + J M^-1 J^T: one number for all rows, an array (rows,), or a list of one "
        "symmetric\n"
        "array (m, m) for each constraint with m rows.");
}

void bind_identity(Class& c) {
  c.def_property_readonly(
      "model", [](const OperatorObject& self) { return self.model; }, "The Model.");
  c.def_property_readonly(
      "constraints",
      [](OperatorObject& self) { return Convert<std::vector<Constraint>>::to(remembered(self).constraints); },
      "A tuple of the constraints; set_constraints changes them.");
  c.def_property_readonly("algorithm", algorithm_of, "The name of the algorithm.");
  c.def_property_readonly(
      "reason",
      [](OperatorObject& self) {
        const Working working(self.mutex);
        const auto* code = std::get_if<GeneratedDelassus<double>>(&self.op.held());
        return code ? code->reason() : std::string();
      },
      "Of an operator of compile(), why its code is not in use; empty where it is, and for other operators.");
  c.def_property_readonly(
      "plan", [](const OperatorObject& self) { return self.plan ? py::cast(*self.plan) : py::none(); },
      "The Plan that chose the algorithm, if it was \"auto\"; else None.");
  c.def_property_readonly(
      "rows", [](const OperatorObject& self) { return self.rows.load(); }, "Number of rows.");
  c.def_property_readonly(
      "shape",
      [](const OperatorObject& self) {
        const int rows = self.rows;
        return py::make_tuple(rows, rows);
      },
      "(rows, rows)");
  c.def_property_readonly(
      "dtype", [](const OperatorObject&) { return py::dtype::of<double>(); }, "float64: there is no other.");
  c.def_property_readonly(
      "q",
      [](OperatorObject& self) {
        const Remembered r = remembered(self);
        return r.q ? Convert<std::vector<double>>::to(*r.q) : py::none();
      },
      "The coordinates of the last update, shape (nq,); None if there are no values.");
  c.def_property_readonly(
      "bytes",
      [](OperatorObject& self) {
        const Working working(self.mutex);
        return self.op.bytes();
      },
      "Memory that the operator and its rows hold, in bytes.");
  c.def(
      "as_linear_operator", [](const py::object& self) { return linear_operator(self, "product"); },
      "A scipy.sparse.linalg.LinearOperator view of J M^-1 J^T.");
  c.def(
      "inverse_as_linear_operator", [](const py::object& self) { return linear_operator(self, "inverse"); },
      "A scipy.sparse.linalg.LinearOperator view of (R^-1 + J M^-1 J^T)^-1, with the damping at the time of a "
      "product.");
  c.def("__repr__", [](OperatorObject& self) {
    return Convert<std::string>::to("<delassus.Operator '" + algorithm_of(self) + "' on '" + self.model->name() +
                                    "': " + std::to_string(self.rows) + " rows, " +
                                    (remembered(self).q ? "ready" : "not updated") + ">");
  });
  c.def(py::pickle(&state_of_operator, &operator_from_state));
}

}  // namespace

void bind_operator(py::module_& m) {
  bind_operator_options(m);
  ValueClass<Spectrum>(m, "Spectrum", "How well conditioned a symmetric matrix is.",
                       {field("largest", &Spectrum::largest, "Largest eigenvalue."),
                        field("smallest", &Spectrum::smallest, "Smallest; may be slightly negative by rounding."),
                        field("rank", &Spectrum::rank, "Eigenvalues above rounding."),
                        field("condition", &Spectrum::condition, "Largest by the smallest that counts for the rank.")});
  Class c(
      m, "Operator",
      "Products with the Delassus matrix J M^-1 J^T of a model under constraints, and damped solves.\n\n"
      "Make it, update(q), and use it; all numbers are float64. Rows stand in the order of the constraints. Calls run\n"
      "without the GIL. Threads may share an operator; their calls wait for each other.");
  bind_making_ready(c);
  bind_operator_verbs(c);
  bind_identity(c);
  m.def(
      "algorithms",
      [] {
        py::list names;
        for (const Algorithm a : kAllAlgorithms) names.append(std::string(name_of(a)));
        return names;
      },
      "The names of all algorithms.");
}

}  // namespace delassus::python
