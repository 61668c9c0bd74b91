// State: forces, accelerations and the inertia matrix.
#include "arrays.hpp"
#include "bindings.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "lock.hpp"
#include "state.hpp"

namespace delassus::python {
namespace {

py::object inertia_matrix(StateObject& self, const py::object& out) {
  const int nv = self.model.nv();
  py::object result = matrix_or_new(out, nv, nv);
  const auto M = matrix_out(result, "out", nv, nv);
  const Working working(self.mutex);
  crba(self.model, self.kin, M, self.composite);
  return result;
}

py::object bias(StateObject& self, const py::object& out) {
  py::object result = vector_or_new(out, self.model.nv());
  const auto h = vector_out(result, "out", self.model.nv());
  const Working working(self.mutex);
  bias_forces(self.model, self.kin, self.vel, h, self.inverse_dynamics);
  return result;
}

py::object forces(StateObject& self, const py::object& acceleration, const py::object& out) {
  const auto qdd = vector_in(acceleration, "acceleration", self.model.nv());
  py::object result = vector_or_new(out, self.model.nv());
  const auto tau = vector_out(result, "out", self.model.nv());
  require_apart(acceleration, "acceleration", result, Sharing::kSame);
  const Working working(self.mutex);
  rnea(self.model, self.kin, self.vel, qdd, tau, self.inverse_dynamics);
  return result;
}

py::object accelerations(StateObject& self, const py::object& tau, const py::object& out) {
  const auto force = vector_in(tau, "tau", self.model.nv());
  py::object result = vector_or_new(out, self.model.nv());
  const auto qdd = vector_out(result, "out", self.model.nv());
  require_apart(tau, "tau", result, Sharing::kNone);
  const Working working(self.mutex);
  forward_dynamics<double>(self.model, self.kin, self.vel, force, qdd, self.articulated());
  return result;
}

template <class View>
void copy_matrix(MatrixView<const double> from, const View& to) {
  for (int r = 0; r < from.rows(); ++r) {
    for (int c = 0; c < from.cols(); ++c) to(r, c) = from(r, c);
  }
}

py::object inverse_inertia_panel(StateObject& self, const py::object& x, const py::object& out) {
  const int nv = self.model.nv();
  const auto from = matrix_in(x, "x", nv);
  py::object result = matrix_or_new(out, nv, from.cols());
  const auto to = matrix_out(result, "out", nv, from.cols());
  require_apart(x, "x", result, Sharing::kSame);
  const Working working(self.mutex);
  ForwardDynamics<double>& dynamics = self.articulated();
  copy_matrix(from, to);
  apply_inverse_inertia_panel<double>(self.model, to, dynamics);
  return result;
}

py::object inverse_inertia(StateObject& self, const py::object& x, const py::object& out) {
  if (is_matrix(x)) return inverse_inertia_panel(self, x, out);
  const auto from = vector_in(x, "x", self.model.nv());
  py::object result = vector_or_new(out, self.model.nv());
  const auto to = vector_out(result, "out", self.model.nv());
  require_apart(x, "x", result, Sharing::kSame);
  const Working working(self.mutex);
  ForwardDynamics<double>& dynamics = self.articulated();
  std::copy(from.data(), from.data() + from.size(), to.data());
  apply_inverse_inertia<double>(self.model, to, dynamics);
  return result;
}

}  // namespace

void bind_dynamics(py::module_& m) {
  auto c = py::reinterpret_borrow<py::class_<StateObject>>(m.attr("State"));
  c.def("inertia_matrix", inertia_matrix, py::arg("out") = py::none(),
        "M, armature included, by the composite-rigid-body algorithm: shape (nv, nv).");
  c.def("bias_forces", bias, py::arg("out") = py::none(),
        "h: Coriolis, centrifugal and gravity terms of M a + h = tau: Nm and N, shape (nv,).");
  c.def("inverse_dynamics", forces, py::arg("acceleration"), py::arg("out") = py::none(),
        "tau = M a + h by the recursive Newton-Euler algorithm: shapes (nv,). `out` may be the acceleration itself.");
  c.def("forward_dynamics", accelerations, py::arg("tau"), py::arg("out") = py::none(),
        "a = M^-1 (tau - h) by the articulated-body algorithm: shapes (nv,). Friction, damping and limits are not in "
        "it.\n"
        "Raises SingularError where a joint moves nothing that has inertia.");
  c.def("apply_inverse_inertia", inverse_inertia, py::arg("x"), py::arg("out") = py::none(),
        "M^-1 x for a vector (nv,) or the columns of a panel (nv, k). `out` may be x itself.");
  c.def(
      "kinetic_energy",
      [](StateObject& self) {
        const Working working(self.mutex);
        return kinetic_energy(self.model, self.kin, self.vel);
      },
      "v^T M v / 2, armature included: J.");
  c.def(
      "potential_energy",
      [](StateObject& self) {
        const Working working(self.mutex);
        return potential_energy(self.model, self.kin);
      },
      "Of all that moves, J: zero where its centre of mass is at the height of the world's origin. Springs are no part "
      "of it.");
}

}  // namespace delassus::python
