// Operators of the C interface.
#include <algorithm>
#include <functional>
#include <string>

#include "c/handles.hpp"
#include "delassus/kinematics/kinematics.hpp"

using delassus::VectorView;

delassus_operator::delassus_operator(const delassus_scene& scene, delassus::Algorithm algorithm)
    : op(*scene.model, scene.constraints, algorithm), q(static_cast<std::size_t>(scene.model->nq())) {}

void delassus_operator::require_ready() const {
  if (!op.ready()) throw delassus::Error("the operator has no values; call delassus_operator_update first");
}

namespace delassus::c {

void require_quaternions(const Model& model, VectorView<const double> q, std::vector<double>& scratch) {
  std::copy(q.data(), q.data() + q.size(), scratch.begin());
  normalise(model, VectorView<double>(scratch));
}

namespace {

Algorithm algorithm_from(const char* name) {
  if (const auto found = find_algorithm(&required(name, "algorithm"))) return *found;
  std::string names;
  for (const Algorithm a : kAllAlgorithms) names.append(names.empty() ? "" : ", ").append(name_of(a));
  throw Error("argument 'algorithm' is '" + std::string(name) + "'; it is one of " + names);
}

Status update(delassus_operator& self, VectorView<const double> q) {
  self.op.forget();
  require_quaternions(self.op.model(), q, self.q);
  return self.op.update(q);
}

delassus_status outcome_of(const delassus_operator& self, const Status& status) {
  return outcome(status, self.op.model(), self.op.constraints());
}

/// Runs a verb of an operator that has values. It returns a Status.
template <class Verb>
delassus_status run(delassus_operator* op, Verb&& verb) {
  return guarded([&] {
    delassus_operator& self = required(op, "op");
    self.require_ready();
    return outcome_of(self, verb(self));
  });
}

void require_damped(const delassus_operator& self) {
  if (!self.op.damped()) throw Error("the operator has no damping; call delassus_operator_update_damping first");
}

/// Verbs that write what they still have to read.
void require_apart(VectorView<const double> x, VectorView<double> y) {
  const std::less<> before;
  const double* out = y.data();
  if (before(x.data(), out + y.size()) && before(out, x.data() + x.size())) {
    throw Error("argument 'y' overlaps argument 'x'; give it memory of its own");
  }
}

/// The number of entries of a panel.
int panel_size(const delassus_operator& self, int rows, int columns) {
  require_size("rows of the panel", rows, self.op.rows());
  if (columns < 0) throw Error("argument 'columns' is negative");
  if (rows > 0 && columns > std::numeric_limits<int>::max() / rows) throw Error("argument 'columns' is too large");
  return rows * columns;
}

/// One column after the other. Columns without rows are none: billions of them would take their time.
template <class T>
MatrixView<T> panel(VectorView<T> values, int rows, int columns) {
  return {values.data(), rows, rows > 0 ? columns : 0, 1, rows};
}

}  // namespace
}  // namespace delassus::c

using namespace delassus;     // NOLINT: from here on, functions of C alone
using namespace delassus::c;  // NOLINT

extern "C" {

delassus_status delassus_operator_new(const delassus_scene* scene, const char* algorithm, delassus_operator** op) {
  return hand_out(op, "op", [&] {
    const Algorithm chosen = algorithm_from(algorithm);
    return new delassus_operator(required(scene, "scene"), chosen);
  });
}

void delassus_operator_free(delassus_operator* op) { delete op; }

int delassus_operator_rows(const delassus_operator* op) {
  return guarded_or(-1, [&] { return required(op, "op").op.rows(); });
}

int delassus_operator_nv(const delassus_operator* op) {
  return guarded_or(-1, [&] { return required(op, "op").op.model().nv(); });
}

const char* delassus_operator_algorithm(const delassus_operator* op) {
  return guarded_or<const char*>(nullptr, [&] { return name_of(required(op, "op").op.algorithm()).data(); });
}

delassus_status delassus_operator_update(delassus_operator* op, const double* q, int nq) {
  return guarded([&] {
    delassus_operator& self = required(op, "op");
    return outcome_of(self, update(self, input(q, nq, self.op.model().nq(), "q")));
  });
}

delassus_status delassus_operator_apply(delassus_operator* op, const double* x, double* y, int rows) {
  return run(op, [&](delassus_operator& self) {
    const auto in = input(x, rows, self.op.rows(), "x");
    const auto out = output(y, rows, self.op.rows(), "y");
    require_apart(in, out);
    return self.op.apply(in, out);
  });
}

delassus_status delassus_operator_apply_panel(delassus_operator* op, const double* x, double* y, int rows,
                                              int columns) {
  return run(op, [&](delassus_operator& self) {
    const int size = panel_size(self, rows, columns);
    const auto in = input(x, size, size, "x");
    const auto out = output(y, size, size, "y");
    require_apart(in, out);
    return self.op.apply_panel(panel(in, rows, columns), panel(out, rows, columns));
  });
}

delassus_status delassus_operator_dense(delassus_operator* op, double* matrix, int rows) {
  return run(op, [&](delassus_operator& self) {
    const int size = panel_size(self, rows, rows);
    return self.op.dense(panel(output(matrix, size, size, "matrix"), rows, rows));
  });
}

delassus_status delassus_operator_diagonal(delassus_operator* op, double* diagonal, int rows) {
  return run(op, [&](delassus_operator& self) {
    return self.op.diagonal(output(diagonal, rows, self.op.rows(), "diagonal"));
  });
}

delassus_status delassus_operator_update_damping(delassus_operator* op, double damping) {
  return run(op, [&](delassus_operator& self) { return self.op.update_damping(input(&damping, 1, 1, "damping")[0]); });
}

delassus_status delassus_operator_update_damping_rows(delassus_operator* op, const double* damping, int rows) {
  return run(op, [&](delassus_operator& self) {
    return self.op.update_damping(input(damping, rows, self.op.rows(), "damping"));
  });
}

delassus_status delassus_operator_solve(delassus_operator* op, const double* b, double* z, int rows) {
  return run(op, [&](delassus_operator& self) {
    require_damped(self);
    const auto in = input(b, rows, self.op.rows(), "b");
    return self.op.solve(in, output(z, rows, self.op.rows(), "z"));
  });
}

delassus_status delassus_operator_solve_panel(delassus_operator* op, const double* b, double* z, int rows,
                                              int columns) {
  return run(op, [&](delassus_operator& self) {
    require_damped(self);
    const int size = panel_size(self, rows, columns);
    const auto in = input(b, size, size, "b");
    const auto out = output(z, size, size, "z");
    return self.op.solve_panel(panel(in, rows, columns), panel(out, rows, columns));
  });
}

delassus_status delassus_operator_apply_jacobian(delassus_operator* op, const double* v, int nv, double* y, int rows) {
  return run(op, [&](delassus_operator& self) {
    const auto in = input(v, nv, self.op.model().nv(), "v");
    const auto out = output(y, rows, self.op.rows(), "y");
    return self.op.apply_jacobian(in, out);
  });
}

delassus_status delassus_operator_apply_jacobian_transpose(delassus_operator* op, const double* x, int rows,
                                                           double* tau, int nv) {
  return run(op, [&](delassus_operator& self) {
    const auto in = input(x, rows, self.op.rows(), "x");
    const auto out = output(tau, nv, self.op.model().nv(), "tau");
    return self.op.apply_jacobian_transpose(in, out);
  });
}

delassus_status delassus_operator_joint_response(delassus_operator* op, const double* x, int rows, double* acceleration,
                                                 int nv) {
  return run(op, [&](delassus_operator& self) {
    const auto in = input(x, rows, self.op.rows(), "x");
    return self.op.joint_response(in, output(acceleration, nv, self.op.model().nv(), "acceleration"));
  });
}

}  // extern "C"
