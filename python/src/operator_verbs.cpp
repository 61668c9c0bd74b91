#include "operator_verbs.hpp"

#include <algorithm>

#include "arrays.hpp"
#include "delassus/operators/kkt.hpp"
#include "delassus/operators/matrix_operator.hpp"
#include "lock.hpp"
#include "operator_arguments.hpp"

namespace delassus::python {
namespace {

using Op = Operator<double>;

/// A verb of the operator, for arguments that were made for so many rows. Throws a StatusError if it says so.
template <class Verb, class... Arguments>
void call(OperatorObject& self, int rows, Verb verb, Arguments... arguments) {
  const Working working(self.mutex);
  self.require_ok(std::invoke(verb, self.with_rows(rows), arguments...));
}

/// The same; what an inexact solve has found goes with the exception.
template <class Verb, class... Arguments>
void call_for(const py::object& result, OperatorObject& self, int rows, Verb verb, Arguments... arguments) {
  try {
    call(self, rows, verb, arguments...);
  } catch (const StatusError& error) {
    const bool best = error.status().code == Status::Code::kInaccurate;
    const py::object exception = make_numerical_error(error, best ? result : py::none());
    PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr());
    throw py::error_already_set();
  }
}

/// A verb from rows to rows, for a vector or for the columns of a panel.
template <class Verb, class PanelVerb>
py::object rows_to_rows(OperatorObject& self, const py::object& in, const char* argument, const py::object& out,
                        Sharing sharing, Verb verb, PanelVerb panel_verb) {
  const int rows = self.rows;
  if (is_matrix(in)) {
    const auto from = matrix_in(in, argument, rows);
    py::object result = matrix_or_new(out, rows, from.cols());
    const auto to = matrix_out(result, "out", rows, from.cols());
    if (!out.is_none()) require_apart(in, argument, out, sharing);
    call_for(result, self, rows, panel_verb, from, to);
    return result;
  }
  const auto from = vector_in(in, argument, rows);
  py::object result = vector_or_new(out, rows);
  const auto to = vector_out(result, "out", rows);
  if (!out.is_none()) require_apart(in, argument, out, sharing);
  call_for(result, self, rows, verb, from, to);
  return result;
}

py::object apply(OperatorObject& self, const py::object& x, const py::object& out) {
  return rows_to_rows(self, x, "x", out, Sharing::kNone, &Op::apply, &Op::apply_panel);
}

py::object solve(OperatorObject& self, const py::object& b, const py::object& out) {
  return rows_to_rows(self, b, "b", out, Sharing::kSame, &Op::solve, &Op::solve_panel);
}

enum class Size { kRows, kJoints };

int size_of(const OperatorObject& self, Size size, int rows) { return size == Size::kRows ? rows : self.model->nv(); }

/// Verbs that fill a vector with a number for each row, or a matrix with rows for each.
template <class Verb>
py::object filled(OperatorObject& self, const py::object& out, Verb verb) {
  const int rows = self.rows;
  py::object result = vector_or_new(out, rows);
  call(self, rows, verb, vector_out(result, "out", rows));
  return result;
}

template <class Verb>
py::object filled_matrix(OperatorObject& self, const py::object& out, Size columns, Verb verb) {
  const int rows = self.rows, size = size_of(self, columns, rows);
  py::object result = matrix_or_new(out, rows, size);
  call(self, rows, verb, matrix_out(result, "out", rows, size));
  return result;
}

/// Verbs from rows to joints or back.
template <class Verb>
py::object mapped(OperatorObject& self, const py::object& in, const char* argument, Size to_what, const py::object& out,
                  Verb verb) {
  const int rows = self.rows, out_size = size_of(self, to_what, rows);
  const auto from = vector_in(in, argument, size_of(self, to_what == Size::kRows ? Size::kJoints : Size::kRows, rows));
  py::object result = vector_or_new(out, out_size);
  const auto to = vector_out(result, "out", out_size);
  if (!out.is_none()) require_apart(in, argument, out, Sharing::kNone);
  call(self, rows, verb, from, to);
  return result;
}

py::object damped_inverse(OperatorObject& self, const py::object& damping, const py::object& out) {
  const StoredDamping stored = diagonal_damping_from(damping, self.rows);
  return filled_matrix(self, out, Size::kRows, [&](Op& op, auto to) { return op.damped_inverse(stored.values, to); });
}

py::tuple solve_system(OperatorObject& self, const py::object& tau, const py::object& b) {
  const int nv = self.model->nv(), rows = self.rows;
  const auto force = vector_in(tau, "tau", nv), right = vector_in(b, "b", rows);
  py::object acceleration = new_vector(nv), lambda = new_vector(rows);
  {
    const auto a = vector_out(acceleration, "acceleration", nv), l = vector_out(lambda, "lambda", rows);
    const Working working(self.mutex);
    self.require_ok(self.kkt_with_rows(rows, "solve_system").solve_system(force, right, a, l));
  }
  return py::make_tuple(acceleration, lambda);
}

py::tuple kkt_inverse(OperatorObject& self) {
  const int nv = self.model->nv(), rows = self.rows;
  py::object projected = new_matrix(nv, nv), consistent = new_matrix(nv, rows), inverse = new_matrix(rows, rows);
  {
    const auto P = matrix_out(projected, "projected", nv, nv), C = matrix_out(consistent, "consistent", nv, rows);
    const auto L = matrix_out(inverse, "inverse", rows, rows);
    const Working working(self.mutex);
    self.require_ok(delassus::kkt_inverse<double>(self.kkt_with_rows(rows, "kkt_inverse"), P, C, L));
  }
  return py::make_tuple(projected, consistent, inverse);
}

Spectrum spectrum(OperatorObject& self) {
  const Working working(self.mutex);
  const int rows = self.op.rows();
  std::vector<double> matrix(static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows));
  self.require_ok(self.op.dense(MatrixView<double>(matrix.data(), rows, rows)));
  return make_spectrum(MatrixView<const double>(matrix.data(), rows, rows));
}

double residual(OperatorObject& self) {
  const Working working(self.mutex);
  if (const auto* condensed = std::get_if<CondensedDelassus<double>>(&self.op.held())) return condensed->residual();
  if (const auto* lcaba = std::get_if<LcabaDelassus<double>>(&self.op.held())) return lcaba->residual();
  return std::numeric_limits<double>::quiet_NaN();
}

Status find_drift(Op& op, VectorView<const double> v, VectorView<double> out) {
  const Status status = op.update_velocity(v);
  std::copy(op.state().drift().begin(), op.state().drift().end(), out.data());
  return status;
}

using Class = py::class_<OperatorObject>;

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
        return mapped(self, x, "x", Size::kJoints, out, &Op::joint_response);
      },
      py::arg("x"), py::arg("out") = py::none(), "M^-1 J^T x: what forces x (rows,) give to the joints, shape (nv,).");
  c.def(
      "dense",
      [](OperatorObject& self, const py::object& out) { return filled_matrix(self, out, Size::kRows, &Op::dense); },
      py::arg("out") = py::none(), "The matrix J M^-1 J^T, shape (rows, rows).");
  c.def(
      "diagonal", [](OperatorObject& self, const py::object& out) { return filled(self, out, &Op::diagonal); },
      py::arg("out") = py::none(), "Its diagonal, shape (rows,).");
  c.def("spectrum", spectrum, "How well conditioned the matrix is, a Spectrum. For diagnosis, not for the loop.");
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
  c.def("kkt_inverse", kkt_inverse,
        "The blocks of the inverse of [[M, -J^T], [J, R^-1]] with algorithm \"kkt\", after update_damping: what is "
        "left of "
        "M^-1\n"
        "for motions that the constraints allow (nv, nv), M^-1 J^T L (nv, rows), and L = (R^-1 + J M^-1 J^T)^-1 (rows, "
        "rows).");
  c.def("damped_inverse", damped_inverse, py::arg("damping"), py::arg("out") = py::none(),
        "The matrix (R^-1 + J M^-1 J^T)^-1 for a damping that is a number or an array (rows,): shape (rows, rows). "
        "Needs no\n"
        "update_damping and does not change the damping.");
  c.def_property_readonly(
      "residual", residual,
      "Largest entry of what the last solve left, if the algorithm checks it (condensed, lcaba); else nan.");
}

void bind_rows(Class& c) {
  c.def(
      "jacobian",
      [](OperatorObject& self, const py::object& out) {
        return filled_matrix(self, out, Size::kJoints, &Op::jacobian);
      },
      py::arg("out") = py::none(), "J as a matrix, shape (rows, nv).");
  c.def(
      "apply_jacobian",
      [](OperatorObject& self, const py::object& v, const py::object& out) {
        return mapped(self, v, "v", Size::kRows, out, &Op::apply_jacobian);
      },
      py::arg("v"), py::arg("out") = py::none(), "J v, without forming J: from (nv,) to (rows,), m/s or rad/s.");
  c.def(
      "apply_jacobian_transpose",
      [](OperatorObject& self, const py::object& force, const py::object& out) {
        return mapped(self, force, "force", Size::kJoints, out, &Op::apply_jacobian_transpose);
      },
      py::arg("force"), py::arg("out") = py::none(),
      "J^T f, without forming J: from (rows,), N or Nm, to joint forces (nv,).");
  c.def(
      "drift",
      [](OperatorObject& self, const py::object& v, const py::object& out) {
        return mapped(self, v, "v", Size::kRows, out, find_drift);
      },
      py::arg("v"), py::arg("out") = py::none(),
      "Accelerations of the rows (rows,) at velocities v (nv,) while no joint accelerates: the time derivative of J, "
      "times v.");
  c.def(
      "position", [](OperatorObject& self, const py::object& out) { return filled(self, out, &Op::position); },
      py::arg("out") = py::none(),
      "How far each row is from where it should be, metres or radians: shape (rows,). Gaps, misalignments, room to "
      "limits.");
}

}  // namespace

void bind_operator_verbs(py::class_<OperatorObject>& c) {
  bind_products(c);
  bind_solves(c);
  bind_rows(c);
}

}  // namespace delassus::python
