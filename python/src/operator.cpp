// Operator: products with J M^-1 J^T, damped solves, and the rows themselves.
#include "arrays.hpp"
#include "bindings.hpp"
#include "lock.hpp"
#include "operator_arguments.hpp"
#include "operator_object.hpp"

namespace delassus::python {
namespace {

/// A verb from rows to rows, for a vector or for the columns of a panel.
template <class Verb>
py::object rows_to_rows(OperatorObject& self, const py::object& in, const char* argument, const py::object& out,
                        Sharing sharing, Verb&& verb) {
  const int rows = self.num_rows();
  if (is_matrix(in)) {
    const auto from = matrix_in(in, argument, rows);
    py::object result = matrix_or_new(out, rows, from.cols());
    const auto to = matrix_out(result, "out", rows, from.cols());
    if (!out.is_none()) require_apart(in, argument, out, sharing);
    verb(self, from, to, result);
    return result;
  }
  const auto from = vector_in(in, argument, rows);
  py::object result = vector_or_new(out, rows);
  const auto to = vector_out(result, "out", rows);
  if (!out.is_none()) require_apart(in, argument, out, sharing);
  verb(self, from, to, result);
  return result;
}

py::object apply(OperatorObject& self, const py::object& x, const py::object& out) {
  return rows_to_rows(self, x, "x", out, Sharing::kNone, [](OperatorObject& op, auto from, auto to, const py::object&) {
    const Working working(op.mutex);
    op.apply(from, to);
  });
}

/// What an inexact solve has found goes with the exception.
py::object solve(OperatorObject& self, const py::object& b, const py::object& out) {
  return rows_to_rows(self, b, "b", out, Sharing::kSame,
                      [](OperatorObject& op, auto from, auto to, const py::object& result) {
                        try {
                          const Working working(op.mutex);
                          op.solve(from, to);
                        } catch (const StatusError& error) {
                          const bool best = error.status().code == Status::Code::kInaccurate;
                          const py::object exception = make_numerical_error(error, best ? result : py::none());
                          PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr());
                          throw py::error_already_set();
                        }
                      });
}

/// A verb that fills a vector, or maps one to another.
template <class Verb>
py::object filled(OperatorObject& self, const py::object& out, int size, Verb&& verb) {
  py::object result = vector_or_new(out, size);
  const auto to = vector_out(result, "out", size);
  const Working working(self.mutex);
  verb(to);
  return result;
}

template <class Verb>
py::object mapped(OperatorObject& self, const py::object& in, const char* argument, int in_size, const py::object& out,
                  int out_size, Verb&& verb) {
  const auto from = vector_in(in, argument, in_size);
  if (!out.is_none()) {
    vector_out(out, "out", out_size);
    require_apart(in, argument, out, Sharing::kNone);
  }
  return filled(self, out, out_size, [&](VectorView<double> to) { verb(from, to); });
}

template <class Verb>
py::object filled_matrix(OperatorObject& self, const py::object& out, int rows, int cols, Verb&& verb) {
  py::object result = matrix_or_new(out, rows, cols);
  const auto to = matrix_out(result, "out", rows, cols);
  const Working working(self.mutex);
  verb(to);
  return result;
}

void update(OperatorObject& self, const py::object& q) {
  const auto coordinates = vector_in(q, "q", self.model().nq());
  const Working working(self.mutex);
  self.update(coordinates);
}

void set_constraints(OperatorObject& self, const py::object& constraints) {
  auto list = Convert<std::vector<Constraint>>::from(constraints, "constraints");
  const Working working(self.mutex);
  self.set_constraints(std::move(list));
}

std::vector<Constraint> constraints_of(OperatorObject& self) {
  const Working working(self.mutex);
  return self.constraints();
}

void update_damping(OperatorObject& self, const py::object& damping) {
  const StoredDamping stored = damping_from(damping, self.num_rows(), constraints_of(self));
  const Working working(self.mutex);
  self.update_damping(stored);
}

py::object damped_inverse(OperatorObject& self, const py::object& damping, const py::object& out) {
  const int rows = self.num_rows();
  const StoredDamping stored = diagonal_damping_from(damping, rows);
  return filled_matrix(self, out, rows, rows, [&](MatrixView<double> to) { self.damped_inverse(stored, to); });
}

py::tuple solve_system(OperatorObject& self, const py::object& tau, const py::object& b) {
  const int nv = self.model().nv(), rows = self.num_rows();
  const auto force = vector_in(tau, "tau", nv), right = vector_in(b, "b", rows);
  py::object acceleration = new_vector(nv), lambda = new_vector(rows);
  {
    const auto a = vector_out(acceleration, "acceleration", nv), l = vector_out(lambda, "lambda", rows);
    const Working working(self.mutex);
    self.solve_system(force, right, a, l);
  }
  return py::make_tuple(acceleration, lambda);
}

// ------------------------------------------------------------------------------------- what it is, and copies

py::object linear_operator(const py::object& self, const char* maker) {
  return py::module_::import("delassus._linear_operators").attr(maker)(self);
}

struct Remembered {
  std::vector<Constraint> constraints;
  std::optional<std::vector<double>> q;
  std::optional<StoredDamping> damping;
};

Remembered remembered(OperatorObject& self) {
  const Working working(self.mutex);
  return {self.constraints(), self.q(), self.damping()};
}

/// Enough to make the same one: it is in the same configuration with the same damping then.
py::tuple state_of(OperatorObject& self) {
  const Remembered r = remembered(self);
  return py::make_tuple(self.model_object(), Convert<std::vector<Constraint>>::to(r.constraints),
                        method_name(self.method()), options_to_python(self.options()),
                        self.plan ? py::cast(*self.plan) : py::none(),
                        r.q ? Convert<std::vector<double>>::to(*r.q) : py::none(),
                        r.damping ? damping_to_python(*r.damping) : py::none());
}

std::unique_ptr<OperatorObject> from_state(const py::tuple& state) {
  if (state.size() != 7) throw Error("this pickle is of another version");
  const Method method = method_from(state[2]);
  auto op = std::make_unique<OperatorObject>(state[0].cast<std::shared_ptr<Model>>(),
                                             Convert<std::vector<Constraint>>::from(state[1], "constraints"), method,
                                             options_from_python(state[3], method));
  if (!state[4].is_none()) op->plan = state[4].cast<OperatorPlan>();
  if (!state[5].is_none()) op->update(vector_in(state[5], "q", op->model().nq()));
  if (!state[6].is_none()) op->update_damping(stored_damping_from(state[6]));
  return op;
}

std::unique_ptr<OperatorObject> make_operator(std::shared_ptr<Model> model, const py::object& constraints,
                                              const py::object& algorithm, const py::object& workload,
                                              const py::object& options) {
  auto list = Convert<std::vector<Constraint>>::from(constraints, "constraints");
  const auto name = Convert<std::string>::from(algorithm, "algorithm");
  std::optional<OperatorPlan> plan;
  if (name == "auto") {
    const Workload work = workload_from(workload);
    const py::gil_scoped_release release;
    plan = plan_operator(*model, list, work);
  } else if (!workload.is_none()) {
    throw Error("argument 'workload' is for algorithm='auto'; leave it out with " + name);
  }
  const Method method = plan ? Method(plan->choice) : method_from(algorithm);
  auto op =
      std::make_unique<OperatorObject>(std::move(model), std::move(list), method, options_from_python(options, method));
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

void bind_products(Class& c) {
  c.def(
      "apply", apply, py::arg("x"), py::arg("out") = py::none(),
      "J M^-1 J^T x for a vector (rows,) or the columns of a panel (rows, k): the row velocities, m/s or rad/s, that\n"
      "impulses x give. Never damped. `out` is written in place and returned.");
  c.def(
      "__matmul__", [](OperatorObject& self, const py::object& x) { return apply(self, x, py::none()); }, py::arg("x"),
      "op @ x is op.apply(x).");
  c.attr("__array_ufunc__") = py::none();  // so that x @ op asks the operator, which says no, and not NumPy's matmul
  c.def(
      "joint_response",
      [](OperatorObject& self, const py::object& x, const py::object& out) {
        return mapped(self, x, "x", self.num_rows(), out, self.model().nv(),
                      [&](auto from, auto to) { self.joint_response(from, to); });
      },
      py::arg("x"), py::arg("out") = py::none(), "M^-1 J^T x: what forces x (rows,) give to the joints, shape (nv,).");
  c.def(
      "dense",
      [](OperatorObject& self, const py::object& out) {
        const int rows = self.num_rows();
        return filled_matrix(self, out, rows, rows, [&](auto to) { self.dense(to); });
      },
      py::arg("out") = py::none(), "The matrix J M^-1 J^T, shape (rows, rows).");
  c.def(
      "diagonal",
      [](OperatorObject& self, const py::object& out) {
        return filled(self, out, self.num_rows(), [&](auto to) { self.diagonal(to); });
      },
      py::arg("out") = py::none(), "Its diagonal, shape (rows,).");
  c.def(
      "spectrum",
      [](OperatorObject& self) {
        const Working working(self.mutex);
        return self.spectrum();
      },
      "How well conditioned the matrix is, a Spectrum. For diagnosis, not for the loop.");
}

void bind_solves(Class& c) {
  c.def("solve", solve, py::arg("b"), py::arg("out") = py::none(),
        "(R^-1 + J M^-1 J^T)^-1 b with the last damping, for a vector (rows,) or the columns of a panel (rows, k). "
        "`out` may\n"
        "be b itself. Raises NumericalError with code \"inaccurate\" if rounding left too much; its attribute "
        "`solution` is\n"
        "the best that there is then.");
  c.def("solve_system", solve_system, py::arg("tau"), py::arg("b"),
        "With algorithm=\"kkt\": the accelerations (nv,) and forces (rows,) of M a = tau + J^T f, J a + R^-1 f = b.");
  c.def("damped_inverse", damped_inverse, py::arg("damping"), py::arg("out") = py::none(),
        "The matrix (R^-1 + J M^-1 J^T)^-1 for a damping that is a number or an array (rows,): shape (rows, rows). "
        "Needs no\n"
        "update_damping and does not change the damping.");
  c.def_property_readonly(
      "residual",
      [](OperatorObject& self) {
        const Working working(self.mutex);
        return self.residual();
      },
      "Largest entry of what the last solve left, if the algorithm checks it (condensed, lcaba); else nan.");
}

void bind_rows(Class& c) {
  c.def(
      "jacobian",
      [](OperatorObject& self, const py::object& out) {
        return filled_matrix(self, out, self.num_rows(), self.model().nv(), [&](auto to) { self.jacobian(to); });
      },
      py::arg("out") = py::none(), "J as a matrix, shape (rows, nv).");
  c.def(
      "apply_jacobian",
      [](OperatorObject& self, const py::object& v, const py::object& out) {
        return mapped(self, v, "v", self.model().nv(), out, self.num_rows(),
                      [&](auto from, auto to) { self.apply_jacobian(from, to); });
      },
      py::arg("v"), py::arg("out") = py::none(), "J v, without forming J: from (nv,) to (rows,), m/s or rad/s.");
  c.def(
      "apply_jacobian_transpose",
      [](OperatorObject& self, const py::object& force, const py::object& out) {
        return mapped(self, force, "force", self.num_rows(), out, self.model().nv(),
                      [&](auto from, auto to) { self.apply_jacobian_transpose(from, to); });
      },
      py::arg("force"), py::arg("out") = py::none(),
      "J^T f, without forming J: from (rows,), N or Nm, to joint forces (nv,).");
  c.def(
      "drift",
      [](OperatorObject& self, const py::object& v, const py::object& out) {
        return mapped(self, v, "v", self.model().nv(), out, self.num_rows(),
                      [&](auto from, auto to) { self.drift(from, to); });
      },
      py::arg("v"), py::arg("out") = py::none(),
      "Accelerations of the rows (rows,) at velocities v (nv,) while no joint accelerates: the time derivative of J, "
      "times v.");
  c.def(
      "positions",
      [](OperatorObject& self, const py::object& out) {
        return filled(self, out, self.num_rows(), [&](auto to) { self.positions(to); });
      },
      py::arg("out") = py::none(),
      "How far each row is from where it should be, metres or radians: shape (rows,). Gaps, misalignments, room to "
      "limits.");
}

void bind_identity(Class& c) {
  c.def_property_readonly("model", &OperatorObject::model_object, "The Model.");
  c.def_property_readonly(
      "constraints", [](OperatorObject& self) { return Convert<std::vector<Constraint>>::to(constraints_of(self)); },
      "A tuple of the constraints; set_constraints changes them.");
  c.def_property_readonly(
      "algorithm", [](const OperatorObject& self) { return method_name(self.method()); }, "The name of the algorithm.");
  c.def_property_readonly(
      "plan", [](const OperatorObject& self) { return self.plan ? py::cast(*self.plan) : py::none(); },
      "The Plan that chose the algorithm, if it was \"auto\"; else None.");
  c.def_property_readonly("rows", &OperatorObject::num_rows, "Number of rows.");
  c.def_property_readonly(
      "shape", [](const OperatorObject& self) { return py::make_tuple(self.num_rows(), self.num_rows()); },
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
        return self.bytes();
      },
      "Memory that the operator and its rows hold, in bytes.");
  c.def(
      "as_linear_operator", [](const py::object& self) { return linear_operator(self, "product"); },
      "A scipy.sparse.linalg.LinearOperator view of J M^-1 J^T.");
  c.def(
      "inverse_as_linear_operator", [](const py::object& self) { return linear_operator(self, "inverse"); },
      "A scipy.sparse.linalg.LinearOperator view of (R^-1 + J M^-1 J^T)^-1, with the damping at the time of a "
      "product.");
  c.def("__repr__", [](const OperatorObject& self) {
    return "<delassus.Operator '" + method_name(self.method()) + "' on '" + self.model().name() +
           "': " + std::to_string(self.num_rows()) + " rows, " + (self.ready() ? "ready" : "not updated") + ">";
  });
  c.def(py::pickle(&state_of, &from_state));
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
  bind_products(c);
  bind_solves(c);
  bind_rows(c);
  bind_identity(c);
  m.def(
      "algorithms", [] { return method_names(); },
      "The names of all algorithms. Those that begin with \"matrix-free\" have products alone.");
}

}  // namespace delassus::python
