// Kinematics and dynamics of random trees (all joint kinds, fixed and floating, several roots, branching, armature)
// against the long-double oracle, against each other and against finite differences.
#include <gtest/gtest.h>

#include "delassus/delassus.hpp"
#include "support/compare.hpp"
#include "support/random_system.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::converted;
using testing::for_each_seed;
using testing::kLongSeeds;
using testing::kSeeds;
using testing::relative_difference;

/// Sums of products. Measured over 2000 seeds of up to 22 links: 4e-15 or below for all of them; thirty
/// times that.
constexpr double kSums = 1e-13;
/// Solutions carry the condition number of M, up to 1.2e5 on these trees. Measured over 2000 seeds: accelerations
/// 8e-14, M⁻¹M 3e-12.
constexpr double kSolves = 1e-11;

struct Case {
  explicit Case(std::uint64_t seed)
      : model(samples::random_model(seed)),
        state(samples::random_state(model, seed)),
        kin(model),
        vel(model),
        q(converted<long double>(state.q)),
        v(converted<long double>(state.v)) {
    update_kinematics(model, state.q, kin);
    update_velocities(model, kin, state.v, vel);
  }
  std::vector<double> inertia() const {
    std::vector<double> M(static_cast<std::size_t>(model.nv()) * model.nv());
    CompositeInertia<double> work(model);
    crba(model, kin, MatrixView<double>(M.data(), model.nv(), model.nv()), work);
    return M;
  }
  std::vector<double> bias() const {
    std::vector<double> h(model.nv());
    InverseDynamics<double> work(model);
    bias_forces(model, kin, vel, h, work);
    return h;
  }

  Model model;
  samples::State state;
  Kinematics<double> kin;
  Velocities<double> vel;
  std::vector<long double> q, v;
};

std::vector<double> product(const std::vector<double>& A, const std::vector<double>& x) {
  const int n = static_cast<int>(x.size());
  std::vector<double> y(A.size() / x.size());
  for (int r = 0; r < static_cast<int>(y.size()); ++r) {
    for (int c = 0; c < n; ++c) y[r] += A[r * n + c] * x[c];
  }
  return y;
}

/// Both are sums over the joints before the frame, in different orders, of terms that grow with their number.
void expect_motion(const std::vector<double>& got, const Motion<double>& want) {
  const double scale = 1 + norm(want.angular) + norm(want.linear);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(got[k], want.angular[k], kSums * scale);
    EXPECT_NEAR(got[k + 3], want.linear[k], kSums * scale);
  }
}

void frames_agree(int seed) {
  const Case c(seed);
  const auto want = oracle::kinematics<long double>(c.model, c.q);
  std::vector<double> J(6 * c.model.nv());
  for (int f = 0; f < static_cast<int>(c.model.frames().size()); ++f) {
    const Pose<double> pose = frame_pose(c.model, c.kin, f);
    EXPECT_LT(relative_difference(std::span(pose.R.a), want.places[f].R.entries()), kSums) << c.model.frame(f).name;
    EXPECT_LT(relative_difference(std::span(pose.p.a), want.places[f].p.entries(), 1.0), kSums)
        << c.model.frame(f).name;
    frame_jacobian(c.model, c.kin, f, JacobianAxes::kWorldAxes, MatrixView<double>(J.data(), 6, c.model.nv()));
    EXPECT_LT(relative_difference(J, want.jacobians[f].entries(), 1.0), kSums) << c.model.frame(f).name;
    // Velocity is J v, in the world's axes and in the frame's own.
    const Motion<double> m = frame_velocity(c.model, c.kin, c.vel, f);
    expect_motion(product(J, c.state.v), m);
    const auto& R = want.places[f].R;
    std::vector<double> own(6 * c.model.nv());
    frame_jacobian(c.model, c.kin, f, JacobianAxes::kFrameAxes, MatrixView<double>(own.data(), 6, c.model.nv()));
    oracle::Matrix<long double> turn(6, 6);
    for (int k = 0; k < 9; ++k) turn(k / 3, k % 3) = turn(3 + k / 3, 3 + k % 3) = R(k % 3, k / 3);
    EXPECT_LT(relative_difference(own, (turn * want.jacobians[f]).entries(), 1.0), kSums) << c.model.frame(f).name;
    expect_motion(product(own, c.state.v), {transposed_times(pose.R, m.angular), transposed_times(pose.R, m.linear)});
  }
}
TEST(Tree, FramesAndJacobiansEqualOracle) { for_each_seed(0, kSeeds, frames_agree); }
TEST(LongTree, FramesAndJacobiansEqualOracle) { for_each_seed(kSeeds, kLongSeeds, frames_agree); }

void dynamics_agree(int seed) {
  const Case c(seed);
  const int nv = c.model.nv();
  const std::vector<double> M = c.inertia(), h = c.bias();
  const auto M_want = oracle::inertia_matrix<long double>(c.model, c.q);
  const auto h_want = oracle::bias_forces<long double>(c.model, c.q, c.v);
  EXPECT_LT(relative_difference(M, M_want.entries()), kSums);
  EXPECT_LT(relative_difference(h, h_want), kSums);

  // rnea is M a + h.
  std::vector<double> tau(nv), want = product(M, c.state.tau);
  InverseDynamics<double> inverse(c.model);
  rnea(c.model, c.kin, c.vel, c.state.tau, tau, inverse);  // tau as any vector of accelerations
  for (int k = 0; k < nv; ++k) want[k] += h[k];
  EXPECT_LT(relative_difference(tau, want), kSums);

  // aba is M⁻¹(τ - h), solved by the oracle.
  oracle::Matrix<long double> rhs(nv, 1);
  for (int k = 0; k < nv; ++k) rhs(k, 0) = c.state.tau[k] - h_want[k];
  const auto qdd_want = oracle::solve_positive(M_want, rhs);
  ForwardDynamics<double> forward(c.model);
  std::vector<double> qdd(nv);
  ASSERT_TRUE(aba(c.model, c.state.q, c.state.v, c.state.tau, qdd, forward).ok());
  EXPECT_LT(relative_difference(qdd, qdd_want.entries()), kSolves);

  // M⁻¹ M = 1, the panel eight columns at a time, the vector one.
  std::vector<double> panel = M, column(nv);
  apply_inverse_inertia_panel<double>(c.model, MatrixView<double>(panel.data(), nv, nv), forward);
  for (int k = 0; k < nv; ++k) column[k] = M[k * nv];
  apply_inverse_inertia<double>(c.model, column, forward);
  for (int r = 0; r < nv; ++r) {
    EXPECT_NEAR(column[r], r == 0 ? 1 : 0, kSolves);
    for (int k = 0; k < nv; ++k) EXPECT_NEAR(panel[r * nv + k], r == k ? 1 : 0, kSolves);
  }
}
TEST(Tree, DynamicsEqualOracle) { for_each_seed(0, kSeeds, dynamics_agree); }
TEST(LongTree, DynamicsEqualOracle) { for_each_seed(kSeeds, kLongSeeds, dynamics_agree); }

/// Central differences of a function along the motion: error h² f''' and ε f / h balance near 1e-10 for h = 1e-5.
constexpr double kStep = 1e-5;
constexpr double kFiniteDifference = 1e-7;

void drift_and_jacobian_are_derivatives(int seed) {
  Case c(seed);
  const auto at = [&](double t) {
    std::vector<double> step = c.state.v, q(c.model.nq());
    for (double& x : step) x *= t;
    integrate(c.model, c.state.q, step, q);
    Kinematics<double> kin(c.model);
    update_kinematics(c.model, q, kin);
    return kin;
  };
  const Kinematics<double> before = at(-kStep), after = at(kStep);
  Velocities<double> vel_before(c.model), vel_after(c.model);
  update_velocities(c.model, before, c.state.v, vel_before);
  update_velocities(c.model, after, c.state.v, vel_after);
  for (int f = 0; f < static_cast<int>(c.model.frames().size()); ++f) {
    const Motion<double> m = frame_velocity(c.model, c.kin, c.vel, f), a = frame_drift(c.model, c.kin, c.vel, f);
    const Pose<double> p0 = frame_pose(c.model, before, f), p1 = frame_pose(c.model, after, f);
    const Vec3<double> velocity = (1 / (2 * kStep)) * (p1.p - p0.p);
    const Vec3<double> spin = (1 / (2 * kStep)) * rotation_log(p1.R * transposed(p0.R));
    const Motion<double> m0 = frame_velocity(c.model, before, vel_before, f);
    const Motion<double> m1 = frame_velocity(c.model, after, vel_after, f);
    const double scale = 1 + norm(m.linear) + norm(m.angular) + norm(a.linear) + norm(a.angular);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(velocity[k], m.linear[k], kFiniteDifference * scale);
      EXPECT_NEAR(spin[k], m.angular[k], kFiniteDifference * scale);
      EXPECT_NEAR((m1.linear[k] - m0.linear[k]) / (2 * kStep), a.linear[k], kFiniteDifference * scale);
      EXPECT_NEAR((m1.angular[k] - m0.angular[k]) / (2 * kStep), a.angular[k], kFiniteDifference * scale);
    }
  }
}
TEST(Tree, DriftAndJacobianAreDerivatives) { for_each_seed(0, kSeeds, drift_and_jacobian_are_derivatives); }

void centre_of_mass_moves_by_its_jacobian(int seed) {
  const Case c(seed);
  std::vector<double> J(3 * c.model.nv());
  SubtreeMasses<double> work(c.model);
  centre_of_mass_jacobian(c.model, c.kin, MatrixView<double>(J.data(), 3, c.model.nv()), work);
  const std::vector<Constraint> com{CentreOfMass{"com", {{0, 0, 0}}, {}}};
  EXPECT_LT(relative_difference(J, oracle::constraint_jacobian<long double>(c.model, com, c.q).entries()), kSums);
  const Vec3<double> p = centre_of_mass(c.model, c.kin);
  EXPECT_LT(relative_difference(std::span(p.a), oracle::constraint_position<long double>(c.model, com, c.q), 1.0),
            kSums);
}
TEST(Tree, CentreOfMassMovesByItsJacobian) { for_each_seed(0, kSeeds, centre_of_mass_moves_by_its_jacobian); }

void integrate_and_difference_are_inverse(int seed) {
  const Case c(seed);
  const samples::State other = samples::random_state(c.model, seed + 10000);
  std::vector<double> v(c.model.nv()), q(c.model.nq()), back(c.model.nv());
  // q0 ⊕ (q1 ⊖ q0) = q1, up to the sign of quaternions: compare poses.
  difference(c.model, c.state.q, other.q, v);
  integrate(c.model, c.state.q, v, q);
  Kinematics<double> reached(c.model), wanted(c.model);
  update_kinematics(c.model, q, reached);
  update_kinematics(c.model, other.q, wanted);
  for (int f = 0; f < static_cast<int>(c.model.frames().size()); ++f) {
    const Pose<double> a = frame_pose(c.model, reached, f), b = frame_pose(c.model, wanted, f);
    EXPECT_LT(relative_difference(std::span(a.p.a), std::span(b.p.a), 1.0), kSums);
    EXPECT_LT(relative_difference(std::span(a.R.a), std::span(b.R.a)), kSums);
  }
  // (q ⊕ v) ⊖ q = v for turns below half a circle.
  std::vector<double> small = c.state.v;
  for (double& x : small) x *= 0.5;
  integrate(c.model, c.state.q, small, q);
  difference(c.model, c.state.q, q, back);
  EXPECT_LT(relative_difference(back, small, 1.0), kSums);
}
TEST(Tree, IntegrateAndDifferenceAreInverse) { for_each_seed(0, kSeeds, integrate_and_difference_are_inverse); }

}  // namespace
}  // namespace delassus
