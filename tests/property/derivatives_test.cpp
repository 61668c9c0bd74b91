// Derivatives of inverse dynamics and of constraint rows are those of the functions themselves.
#include <gtest/gtest.h>

#include "constraints/row_derivatives.hpp"
#include "delassus/constraints/state.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/dynamics/inverse_dynamics_derivatives.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "support/compare.hpp"
#include "support/seeds.hpp"
#include "support/slope.hpp"

namespace delassus {
namespace {

using testing::for_each_seed;
using testing::product;
using testing::random_vector;
using testing::relative_difference;
using testing::slope;

using Vector = std::vector<double>;

/// ID - Jᵀλ, then J ν̇ + J̇ν + damping Jν at one state, by the functions that the derivatives are of.
class Functions {
 public:
  Functions(const Model& model, const std::vector<Constraint>& constraints, const Vector& qdd, const Vector& lambda)
      : model_(model), state_(model, constraints), qdd_(qdd), lambda_(lambda) {}

  Vector at(const Vector& q, const Vector& v) {
    EXPECT_TRUE(state_.update(q, v).ok());
    const Kinematics<double>& kin = state_.kinematics();
    Vector tau(qdd_.size()), force(qdd_.size()), rows(lambda_.size());
    InverseDynamics<double> inverse(model_);
    LinkMotions<double> motions(model_);
    LinkForces<double> forces(model_);
    rnea<double>(model_, kin, state_.velocities(), qdd_, tau, inverse);
    apply_jacobian_transpose<double>(model_, kin, state_.rows(), lambda_, force, forces);
    apply_jacobian<double>(model_, kin, state_.rows(), qdd_, rows, motions);
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] -= force[k];
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r] += state_.drift()[r] + kDamping * state_.velocity()[r];
    tau.insert(tau.end(), rows.begin(), rows.end());
    return tau;
  }
  const State<double>& state() const { return state_; }

  static constexpr double kDamping = 0.7;

 private:
  const Model& model_;
  State<double> state_;
  const Vector &qdd_, &lambda_;
};

void right_hand_sides_are_derivatives(int seed) {
  const Model model = samples::random_model(seed);
  const std::vector<Constraint> constraints = samples::random_constraints(model, seed, 1 + seed % 8);
  const samples::State s = samples::random_state(model, seed);
  const int nv = model.nv(), m = State<double>(model, constraints).num_rows();
  const Vector lambda = random_vector(m, seed, 5);
  Functions functions(model, constraints, s.tau, lambda);
  functions.at(s.q, s.v);
  const Kinematics<double>& kin = functions.state().kinematics();
  const ConstraintRows<double>& rows = functions.state().rows();

  const auto size = static_cast<std::size_t>(nv) * nv, wide = static_cast<std::size_t>(m) * nv;
  Vector tau_q(size), tau_v(size), row_q(wide), row_v(wide);
  MotionDerivatives<double> motion(model);
  InverseDynamicsDerivatives<double> inverse(model);
  RowDerivatives<double> work;
  work.resize(rows);
  update_motion_derivatives<double>(model, kin, s.v, s.tau, motion);
  for (const RowBlock& b : rows.blocks) {
    for (int r = 0; r < b.rows; ++r) {
      inverse.external[b.link] += scaled(row_wrench(rows, b, r, Vec3<double>::zero()), lambda[b.first_row + r]);
    }
  }
  const MatrixView<double> tau_q_view(tau_q.data(), nv, nv);
  rnea_derivatives<double>(model, kin, motion, tau_q_view, MatrixView<double>(tau_v.data(), nv, nv), inverse);
  subtract_force_derivatives<double>(model, kin, motion, constraints, rows, lambda, tau_q_view);
  row_derivatives<double>(model, kin, motion, constraints, rows, 0, Functions::kDamping,
                          MatrixView<double>(row_q.data(), m, nv), MatrixView<double>(row_v.data(), m, nv), work);

  // Rounding of the functions over the step, 1e-15 / 2e-5, and the fourth power of the step times fifth derivatives, which are
  // powers of speeds up to 3, and of inverse distances where points are near each other: 1e-10 is seen on most, 1e-8 on all.
  constexpr double kStep = 2e-5, kBound = 3e-8;
  for (const bool with_q : {true, false}) {
    const Vector along = random_vector(nv, seed, with_q ? 6 : 7);
    const Vector want = slope(kStep, [&](double t) {
      Vector step = along, q = s.q, v = s.v;
      for (double& x : step) x *= t;
      if (with_q) integrate(model, s.q, step, q);
      for (int k = 0; !with_q && k < nv; ++k) v[k] += step[k];
      return functions.at(q, v);
    });
    const auto split = want.begin() + nv;
    EXPECT_LT(relative_difference(product(with_q ? tau_q : tau_v, along), Vector(want.begin(), split), 1.0), kBound);
    if (m == 0) continue;
    EXPECT_LT(relative_difference(product(with_q ? row_q : row_v, along), Vector(split, want.end()), 1.0), kBound);
  }
}
TEST(Derivatives, OfInverseDynamicsAndRowsAreQuotients) {
  for_each_seed(0, testing::kSeeds, right_hand_sides_are_derivatives);
}
TEST(LongDerivatives, OfInverseDynamicsAndRowsAreQuotients) {
  for_each_seed(testing::kSeeds, testing::kLongSeeds, right_hand_sides_are_derivatives);
}

}  // namespace
}  // namespace delassus
