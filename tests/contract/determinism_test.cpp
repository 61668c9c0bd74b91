// The same input gives the same bits: in fresh workspaces and in used ones, whatever the results held before.
#include <gtest/gtest.h>

#include "delassus/delassus.hpp"
#include "support/random_system.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

struct Workspaces {
  explicit Workspaces(const Model& model)
      : forward(model), inverse(model), composite(model), masses(model), motions(model), forces(model), op(model) {}
  ForwardDynamics<double> forward;
  InverseDynamics<double> inverse;
  CompositeInertia<double> composite;
  SubtreeMasses<double> masses;
  LinkMotions<double> motions;
  LinkForces<double> forces;
  ConstraintRows<double> rows;
  DenseDelassus<double> op;
};

/// Everything that the library computes, one after the other; every result holds `old` before it is written.
std::vector<double> all_results(const Model& model, const std::vector<Constraint>& constraints, const samples::State& s,
                                Workspaces& w, double old) {
  std::vector<double> all;
  const auto vector = [&](int size, auto&& write) {
    std::vector<double> out(size, old);
    write(VectorView<double>(out));
    all.insert(all.end(), out.begin(), out.end());
    return out;
  };
  const auto matrix = [&](int rows, int cols, auto&& write) {
    vector(rows * cols, [&](VectorView<double> out) { write(MatrixView<double>(out.data(), rows, cols)); });
  };
  const int nv = model.nv();
  const Kinematics<double>& kin = w.forward.kin;
  const Velocities<double>& vel = w.forward.vel;
  vector(nv, [&](auto out) { EXPECT_TRUE(aba(model, s.q, s.v, s.tau, out, w.forward).ok()); });
  vector(nv, [&](auto out) { rnea(model, kin, vel, s.tau, out, w.inverse); });
  vector(nv, [&](auto out) { bias_forces(model, kin, vel, out, w.inverse); });
  vector(model.nq(), [&](auto out) { integrate(model, s.q, s.v, out); });
  vector(nv, [&](auto out) { difference(model, model.neutral(), s.q, out); });
  matrix(nv, nv, [&](auto out) { crba(model, kin, out, w.composite); });
  matrix(3, nv, [&](auto out) { centre_of_mass_jacobian(model, kin, out, w.masses); });
  for (int f = 0; f < static_cast<int>(model.frames().size()); ++f) {
    for (const JacobianAxes axes : {JacobianAxes::kWorldAxes, JacobianAxes::kFrameAxes}) {
      matrix(6, nv, [&](auto out) { frame_jacobian(model, kin, f, axes, out); });
    }
  }
  lower_structure(model, constraints, w.rows);
  EXPECT_TRUE(lower_values(model, kin, constraints, w.rows).ok());
  const int m = w.rows.num_rows();
  const std::vector<double> ones(m, 1.0);
  matrix(m, nv, [&](auto out) { constraint_jacobian(model, kin, w.rows, out); });
  const auto drift = vector(m, [&](auto out) { constraint_drift(model, kin, vel, constraints, w.rows, out); });
  const auto position = vector(m, [&](auto out) { constraint_positions(model, kin, constraints, w.rows, out); });
  const auto velocity = vector(m, [&](auto out) { apply_jacobian(model, kin, w.rows, s.v, out, w.motions); });
  vector(m, [&](auto out) { stabilised_target<double>(drift, velocity, position, 100, 20, out); });
  vector(nv, [&](auto out) { apply_jacobian_transpose(model, kin, w.rows, ones, out, w.forces); });
  EXPECT_TRUE(w.op.factor({model, kin, w.rows}).ok());
  EXPECT_EQ(w.op.rows(), m);
  EXPECT_TRUE(w.op.update_damping(ones).ok());
  matrix(m, m, [&](auto out) { w.op.dense(out); });
  vector(m, [&](auto out) { w.op.diagonal(out); });
  vector(m, [&](auto out) { w.op.apply(ones, out); });
  vector(m, [&](auto out) { EXPECT_TRUE(w.op.solve(ones, out).ok()); });
  const MatrixView<const double> panel(ones.data(), m, 11, 1, 0);  // all columns are the same
  matrix(m, 11, [&](auto out) { w.op.apply_panel(panel, out); });
  matrix(m, 11, [&](auto out) { EXPECT_TRUE(w.op.solve_panel(panel, out).ok()); });
  vector(nv, [&](auto out) { w.op.joint_response(ones, out); });
  return all;
}

void used_workspaces_give_the_same_bits(int seed) {
  const Model model = samples::random_model(seed);
  const auto constraints = samples::random_constraints(model, seed, 5);
  // More rows and fewer than before: what the first run leaves must not show.
  for (const int others : {2, 9}) {
    const auto other_constraints = samples::random_constraints(model, seed + 1000, others);
    const samples::State s = samples::random_state(model, seed), other = samples::random_state(model, seed + 1000);
    Workspaces fresh(model), used(model);
    all_results(model, other_constraints, other, used, 0);
    EXPECT_EQ(all_results(model, constraints, s, used, 1e9), all_results(model, constraints, s, fresh, 0));
  }
}
TEST(Determinism, UsedWorkspacesGiveTheSameBits) { testing::for_each_seed(0, 40, used_workspaces_give_the_same_bits); }

}  // namespace
}  // namespace delassus
