#include "c/reference.h"

#include <algorithm>
#include <vector>

#include "delassus/delassus.hpp"
#include "delassus/operators/any_delassus.hpp"
#include "delassus/scenes/load_named.hpp"
#include "support/allocation_count.hpp"

namespace {

using namespace delassus;

/// An operator at the state of a scene.
struct Placed {
  Placed(const char* name, const char* algorithm)
      : scene(load_named(name)), kin(scene.model), op(find_algorithm(algorithm).value(), scene.model) {
    lower_structure(scene.model, scene.constraints, rows);
    update_kinematics(scene.model, scene.q, kin);
    if (!lower_values(scene.model, kin, scene.constraints, rows).ok() || !op.factor({scene.model, kin, rows}).ok()) {
      throw Error("the reference has no values");
    }
  }
  Scene scene;
  Kinematics<double> kin;
  ConstraintRows<double> rows;
  AnyDelassus<double> op;
};

void require(const Status& status) {
  if (!status.ok()) throw Error("the reference failed");
}

}  // namespace

extern "C" {

void reference_operator(const char* scene, const char* algorithm, double damping, const double* row_damping,
                        const double* x, const double* v, reference_numbers* out) {
  Placed placed(scene, algorithm);
  const Model& model = placed.scene.model;
  auto& op = placed.op;
  const int m = op.rows(), nv = model.nv();
  const VectorView<const double> in(x, m);
  const auto vector = [](double* data, int size) { return VectorView<double>(data, size); };
  const auto panel = [m](auto* data, int columns) { return MatrixView(data, m, columns, 1, m); };
  op.apply(in, vector(out->apply, m));
  op.apply_panel(panel(x, REFERENCE_COLUMNS), panel(out->apply_panel, REFERENCE_COLUMNS));
  op.dense(panel(out->dense, m));
  op.diagonal(vector(out->diagonal, m));
  op.joint_response(in, vector(out->response, nv));
  require(op.update_damping(Damping<double>(damping)));
  require(op.solve(in, vector(out->solve, m)));
  require(op.solve_panel(panel(x, REFERENCE_COLUMNS), panel(out->solve_panel, REFERENCE_COLUMNS)));
  require(op.update_damping(Damping<double>(VectorView<const double>(row_damping, m))));
  require(op.solve(in, vector(out->solve_rows, m)));
  LinkMotions<double> motions(model);
  LinkForces<double> forces(model);
  apply_jacobian(model, placed.kin, placed.rows, VectorView<const double>(v, nv), vector(out->jacobian, m), motions);
  apply_jacobian_transpose(model, placed.kin, placed.rows, in, vector(out->transpose, nv), forces);
}

void reference_dynamics(const char* scene, double* qdd, double* lambda) {
  const Scene s = load_named(scene);
  State<double> state(s.model, s.constraints);
  ConstrainedDynamics<double> dynamics(s.model);
  require(state.update(s.q, s.v));
  require(dynamics.factor(state));
  const std::vector<double> tau(static_cast<std::size_t>(s.model.nv()));
  std::vector<double> target(static_cast<std::size_t>(state.num_rows()));
  state.target(target);
  std::fill_n(lambda, state.num_rows(), 0.0);
  require(dynamics.solve(state, tau, target, VectorView<double>(qdd, s.model.nv()),
                         VectorView<double>(lambda, state.num_rows())));
}

int reference_contact(const char* scene, const char* algorithm, const double* free_velocity, double time_step,
                      double* impulse) {
  Placed placed(scene, algorithm);
  const int m = placed.op.rows();
  const ContactProblem problem{.spans = placed.rows.spans,
                               .sets = placed.rows.sets,
                               .free_velocity = VectorView<const double>(free_velocity, m),
                               .time_step = time_step};
  std::fill_n(impulse, m, 0.0);
  // As the header says.
  Admm admm({.tolerance = 1e-6, .relative_tolerance = 0, .iterations = 150, .patience = 50});
  ContactInteriorPoint interior({.tolerance = 1e-6, .relative_tolerance = 0});
  const Status status = admm.solve(placed.op, problem, VectorView<double>(impulse, m));
  if (status.ok()) return admm.certificate().iterations;
  require(interior.solve(placed.op, problem, VectorView<double>(impulse, m)));
  return admm.certificate().iterations + interior.certificate().iterations;
}

long reference_allocations(void) { return static_cast<long>(delassus::testing::allocation_count()); }

}  // extern "C"
