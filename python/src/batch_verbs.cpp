// Batch: dynamics, products and damped solves of all environments.
#include "batch_verbs.hpp"

#include <tuple>

#include "batch_arrays.hpp"
#include "convert.hpp"
#include "lock.hpp"

namespace delassus::python {

std::array<py::object, 2> two_outputs(const py::object& out, const char* which) {
  if (out.is_none()) return {py::none(), py::none()};
  if (!py::isinstance<py::tuple>(out) || py::len(out) != 2) {
    throw_wrong_type("out", out, std::string("a tuple of two arrays, ") + which);
  }
  const auto pair = py::reinterpret_borrow<py::tuple>(out);
  return {pair[0], pair[1]};
}

int max_rows_of(BatchObject& self) {
  const Working working(self.mutex);
  return self.max_rows();
}

namespace {

/// A verb from rows of environments to rows of environments: verb(batch, to, from...) with views.
template <class T, class Verb, class... Inputs>
py::object rows_of_type(BatchObject& self, Batch<T>& batch, const py::object& out, int components, Verb&& verb,
                        const Inputs&... inputs) {
  const std::tuple views{batch_in<T>(inputs.array, inputs.name, self.size, inputs.components)...};
  py::object result = batch_or_new<T>(out, self.size, components);
  const BatchView<T> to = batch_out<T>(result, "out", self.size, components);
  if (!out.is_none()) (require_apart(inputs.array, inputs.name, out, Sharing::kSame), ...);
  const Working working(self.mutex);
  std::apply([&](const auto&... from) { verb(batch, to, from...); }, views);
  return result;
}

template <class Verb, class... Inputs>
py::object batch_rows(BatchObject& self, const py::object& out, int components, Verb&& verb, const Inputs&... inputs) {
  return std::visit([&](auto& batch) { return rows_of_type(self, batch, out, components, verb, inputs...); },
                    self.batch);
}

/// A verb that fills a matrix for each environment, from q unless that is None.
template <class FromQ, class FromNothing>
py::object batch_matrices(BatchObject& self, const py::object& q, const py::object& out, int side, FromQ&& from_q,
                          FromNothing&& from_nothing) {
  return std::visit(
      [&]<class T>(Batch<T>& batch) {
        const bool kept = q.is_none();
        const auto at = kept ? BatchView<const T>(nullptr, 0, 0) : batch_in<T>(q, "q", self.size, self.model->nq());
        py::object result = out.is_none() ? new_array(kEntriesOf<T>, std::array{self.size, side, side}) : out;
        const auto to = batch_matrix_out<T>(result, "out", self.size, side);
        if (!kept && !out.is_none()) require_apart(q, "q", out, Sharing::kNone);
        const Working working(self.mutex);
        kept ? from_nothing(batch, to) : from_q(batch, at, to);
        return result;
      },
      self.batch);
}

// ------------------------------------------------------------------------------------------------------------ dynamics

py::object batch_forces(BatchObject& self, const py::object& q, const py::object& v, const py::object& acceleration,
                        const py::object& out) {
  const int nq = self.model->nq(), nv = self.model->nv();
  return batch_rows(
      self, out, nv,
      [](auto& batch, auto to, auto at, auto velocity, auto a) { batch.inverse_dynamics(at, velocity, a, to); },
      BatchInput{"q", q, nq}, BatchInput{"v", v, nv}, BatchInput{"acceleration", acceleration, nv});
}

py::object batch_accelerations(BatchObject& self, const py::object& q, const py::object& v, const py::object& tau,
                               const py::object& out) {
  const int nq = self.model->nq(), nv = self.model->nv();
  return batch_rows(
      self, out, nv,
      [](auto& batch, auto to, auto at, auto velocity, auto force) { batch.forward_dynamics(at, velocity, force, to); },
      BatchInput{"q", q, nq}, BatchInput{"v", v, nv}, BatchInput{"tau", tau, nv});
}

py::object batch_inertia_matrix(BatchObject& self, const py::object& q, const py::object& out) {
  if (q.is_none()) throw_wrong_type("q", q, "a NumPy array");
  return batch_matrices(
      self, q, out, self.model->nv(), [](auto& batch, auto at, auto to) { batch.inertia_matrix(at, to); },
      [](auto&, auto) {});
}

// ---------------------------------------------------------------------------------------------------------- J M^-1 J^T

py::object batch_apply_at(BatchObject& self, const py::object& q, const py::object& x, const py::object& out) {
  const int rows = max_rows_of(self);
  return batch_rows(
      self, out, rows, [](auto& batch, auto to, auto at, auto from) { batch.apply_at(at, from, to); },
      BatchInput{"q", q, self.model->nq()}, BatchInput{"x", x, rows});
}

py::object batch_dense(BatchObject& self, const py::object& q, const py::object& out) {
  return batch_matrices(
      self, q, out, max_rows_of(self), [](auto& batch, auto at, auto to) { batch.dense(at, to); },
      [](auto& batch, auto to) { batch.dense(to); });
}

/// One number, one for each environment, or one for each row of each.
template <class T>
BatchDamping<T> batch_damping(py::handle damping, int size, int rows) {
  const int dimensions = dimensions_of(damping);
  if (dimensions == 2) return BatchDamping<T>::per_row(batch_in<T>(damping, "damping", size, rows));
  if (dimensions == 1) {
    const Strided a = strided_in(damping, "damping", kEntriesOf<T>, std::array{size});
    return BatchDamping<T>::per_environment({static_cast<const T*>(a.data), size, 1, a.strides[0], 1});
  }
  if (dimensions > 2 || !PyNumber_Check(damping.ptr())) {
    throw_wrong_type("damping", damping, "a number, an array (size,), or an array (size, max_rows)");
  }
  return static_cast<T>(Convert<double>::from(damping, "damping"));
}

py::object batch_solve_at(BatchObject& self, const py::object& q, const py::object& damping, const py::object& b,
                          const py::object& out) {
  const int rows = max_rows_of(self);
  return std::visit(
      [&]<class T>(Batch<T>& same) {
        const BatchDamping<T> strength = batch_damping<T>(damping, self.size, rows);
        if (!out.is_none() && dimensions_of(damping) > 0) {
          batch_out<T>(out, "out", self.size, rows);
          require_apart(damping, "damping", out, Sharing::kSame);
        }
        return rows_of_type(
            self, same, out, rows,
            [&](Batch<T>& batch, auto to, auto at, auto from) { batch.solve_at(at, strength, from, to); },
            BatchInput{"q", q, self.model->nq()}, BatchInput{"b", b, rows});
      },
      self.batch);
}

// ------------------------------------------------------------------------------------ factorizations that are kept

void batch_update(BatchObject& self, const py::object& q) {
  std::visit(
      [&]<class T>(Batch<T>& batch) {
        const auto at = batch_in<T>(q, "q", self.size, self.model->nq());
        const Working working(self.mutex);
        batch.update(at);
      },
      self.batch);
}

void batch_update_damping(BatchObject& self, const py::object& damping) {
  const int rows = max_rows_of(self);
  std::visit(
      [&]<class T>(Batch<T>& batch) {
        const BatchDamping<T> strength = batch_damping<T>(damping, self.size, rows);
        const Working working(self.mutex);
        batch.update_damping(strength);
      },
      self.batch);
}

py::object batch_apply(BatchObject& self, const py::object& x, const py::object& out) {
  const int rows = max_rows_of(self);
  return batch_rows(
      self, out, rows, [](auto& batch, auto to, auto from) { batch.apply(from, to); }, BatchInput{"x", x, rows});
}

py::object batch_solve(BatchObject& self, const py::object& b, const py::object& out) {
  const int rows = max_rows_of(self);
  return batch_rows(
      self, out, rows, [](auto& batch, auto to, auto from) { batch.solve(from, to); }, BatchInput{"b", b, rows});
}

using BatchClass = py::class_<BatchObject>;

void bind_batch_dynamics(BatchClass& c) {
  c.def("inverse_dynamics", batch_forces, py::arg("q"), py::arg("v"), py::arg("acceleration"),
        py::arg("out") = py::none(),
        "tau = M a + h by the recursive Newton-Euler algorithm: q is (size, nq), all others (size, nv).");
  c.def("inertia_matrix", batch_inertia_matrix, py::arg("q"), py::arg("out") = py::none(),
        "M, armature included, by the composite-rigid-body algorithm: from q (size, nq) to (size, nv, nv).");
  c.def("forward_dynamics", batch_accelerations, py::arg("q"), py::arg("v"), py::arg("tau"),
        py::arg("out") = py::none(),
        "a = M^-1 (tau - h) by the articulated-body algorithm: q is (size, nq), all others (size, nv). Friction, "
        "damping\n"
        "and limits are not in it.");
}

void bind_batch_products(BatchClass& c) {
  c.def("apply_at", batch_apply_at, py::arg("q"), py::arg("x"), py::arg("out") = py::none(),
        "J M^-1 J^T x at q (size, nq), from (size, max_rows) to (size, max_rows): the row velocities, m/s or rad/s, "
        "that\n"
        "impulses x give. In one pass that keeps nothing.");
  c.def("solve_at", batch_solve_at, py::arg("q"), py::arg("damping"), py::arg("b"), py::arg("out") = py::none(),
        "(R^-1 + J M^-1 J^T)^-1 b at q (size, nq), from (size, max_rows) to (size, max_rows). damping: R^-1, a number, "
        "an\n"
        "array (size,), or an array (size, max_rows). In one pass that keeps nothing.");
  c.def("dense", batch_dense, py::arg("q") = py::none(), py::arg("out") = py::none(),
        "The matrices J M^-1 J^T at q (size, nq), or at that of the last update without q: (size, max_rows, "
        "max_rows).");
}

void bind_kept_batch(BatchClass& c) {
  c.def("update", batch_update, py::arg("q"),
        "Factors all environments at q (size, nq) and keeps that, for apply, dense, update_damping and\n"
        "solve. Worth it for small batches that are asked again and again at the same q. Other constraints, or\n"
        "other active ones, need a new one; and each needs a new update_damping.");
  c.def("apply", batch_apply, py::arg("x"), py::arg("out") = py::none(),
        "J M^-1 J^T x at the q of the last update: from (size, max_rows) to (size, max_rows).");
  c.def("update_damping", batch_update_damping, py::arg("damping"),
        "R^-1 for solve: a number, an array (size,), or an array (size, max_rows). It is copied.");
  c.def("solve", batch_solve, py::arg("b"), py::arg("out") = py::none(),
        "(R^-1 + J M^-1 J^T)^-1 b with the last update and update_damping: from (size, max_rows) to (size, max_rows).\n"
        "In environments whose damping failed, the status is that of the damping.");
}

}  // namespace

void bind_batch_verbs(BatchClass& c) {
  bind_batch_dynamics(c);
  bind_batch_products(c);
  bind_kept_batch(c);
}

}  // namespace delassus::python
