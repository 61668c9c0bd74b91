// Constrained dynamics of the C interface.
#include "c/handles.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"

struct delassus_dynamics {
  explicit delassus_dynamics(const delassus_scene& scene)
      : model(scene.model),
        constraints(scene.constraints),
        state(*model, constraints),
        solver(*model),
        q(static_cast<std::size_t>(model->nq())),
        target(static_cast<std::size_t>(state.num_rows())) {
    solver.update_structure(state);
  }

  std::shared_ptr<const delassus::Model> model;
  std::vector<delassus::Constraint> constraints;
  delassus::State<double> state;
  delassus::ConstrainedDynamics<double> solver;
  std::vector<double> q, target;  // for checks; where none is given
  bool ready = false;             // whether the last update went well
};

namespace delassus::c {
namespace {

Status update(delassus_dynamics& self, VectorView<const double> q, VectorView<const double> v) {
  self.ready = false;
  require_quaternions(*self.model, q, self.q);
  Status status = self.state.update(q, v);
  if (status.ok()) status = self.solver.factor(self.state);
  self.ready = status.ok();
  return status;
}

VectorView<const double> target_of(delassus_dynamics& self, const double* target, int rows) {
  if (target != nullptr) return input(target, rows, self.state.num_rows(), "target");
  self.state.target(self.target);
  return self.target;
}

}  // namespace
}  // namespace delassus::c

using namespace delassus;     // NOLINT: from here on, functions of C alone
using namespace delassus::c;  // NOLINT

extern "C" {

delassus_status delassus_dynamics_new(const delassus_scene* scene, delassus_dynamics** dynamics) {
  return hand_out(dynamics, "dynamics", [&] { return new delassus_dynamics(required(scene, "scene")); });
}

void delassus_dynamics_free(delassus_dynamics* dynamics) { delete dynamics; }

delassus_status delassus_dynamics_update(delassus_dynamics* dynamics, const double* q, int nq, const double* v,
                                         int nv) {
  return guarded([&] {
    delassus_dynamics& self = required(dynamics, "dynamics");
    const auto position = input(q, nq, self.model->nq(), "q");
    const auto velocity = input(v, nv, self.model->nv(), "v");
    return outcome(update(self, position, velocity), *self.model, self.constraints);
  });
}

delassus_status delassus_dynamics_solve(delassus_dynamics* dynamics, const double* tau, int nv, const double* target,
                                        double* qdd, double* lambda, int rows) {
  return guarded([&] {
    delassus_dynamics& self = required(dynamics, "dynamics");
    if (!self.ready) throw Error("the dynamics have no state; call delassus_dynamics_update first");
    const auto torque = input(tau, nv, self.model->nv(), "tau");
    const auto acceleration = output(qdd, nv, self.model->nv(), "qdd");
    (void)input(lambda, rows, self.state.num_rows(), "lambda");  // where the solve starts
    const auto force = output(lambda, rows, self.state.num_rows(), "lambda");
    const Status status = self.solver.solve(self.state, torque, target_of(self, target, rows), acceleration, force);
    return outcome(status, *self.model, self.constraints);
  });
}

}  // extern "C"
