// Motors and constraint forces for a motion, against what they have to be.
#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "delassus/io/load.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"
#include "delassus/solvers/constrained_inverse_dynamics.hpp"
#include "support/constrained_case.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::column_of;
using testing::ConstrainedCase;
using testing::Exact;
using testing::for_each_seed;
using testing::random_constrained_case;
using testing::relative_difference;

/// Motors at the joints that a coin picks, none at free joints.
Actuation random_actuation(const Model& model, int seed) {
  samples::Random random(seed, 17);
  std::vector<std::string> joints;
  for (int i = 0; i < model.num_links(); ++i) {
    if (model.link(i).kind != JointKind::kFree && random.chance(0.7)) joints.push_back(model.joint_name(i));
  }
  return Actuation(model, joints);
}

struct Inverse {
  Inverse(const ConstrainedCase& c, const Actuation& actuation, const std::vector<double>& qdd)
      : tau(c.model.nv()), lambda(c.m()) {
    State<double> state(c.model, c.constraints);
    EXPECT_TRUE(state.update(c.q, c.v).ok());
    ConstrainedInverseDynamics<double> inverse(c.model, actuation);
    status = inverse.solve(state, qdd, tau, lambda);
    remainder = inverse.remainder();
  }
  Status status;
  std::vector<double> tau, lambda, remainder;
};

/// The least λ with (Jᵀλ)_passive = (Mν̇ + h)_passive, by singular values in long double.
std::vector<long double> least_force(const ConstrainedCase& c, const std::vector<std::int32_t>& passive,
                                     const Exact& g) {
  Eigen::MatrixX<long double> A(passive.size(), c.m());
  Eigen::VectorX<long double> b(passive.size());
  for (std::size_t a = 0; a < passive.size(); ++a) {
    for (int r = 0; r < c.m(); ++r) A(a, r) = c.J(r, passive[a]);
    b[a] = g(passive[a], 0);
  }
  // Where rows act on driven joints only, all that A has is rounding of J.
  if (A.size() == 0 || A.cwiseAbs().maxCoeff() < 1e-12L * testing::norm_of(c.J)) return std::vector<long double>(c.m());
  Eigen::JacobiSVD<Eigen::MatrixX<long double>> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-9L);
  const Eigen::VectorX<long double> lambda = svd.solve(b);
  return {lambda.begin(), lambda.end()};
}

/// The motion of a forward solve has forces that make it; those found are the least, and passive joints stay passive.
void forward_motions_are_made(int seed) {
  const ConstrainedCase c = random_constrained_case(seed);
  const Actuation actuation = random_actuation(c.model, seed);
  State<double> state(c.model, c.constraints);
  ASSERT_TRUE(state.update(c.q, c.v).ok());
  ConstrainedDynamics<double> forward(c.model);
  ASSERT_TRUE(forward.factor(state).ok());
  std::vector<double> tau = c.tau, qdd(c.model.nv()), lambda(c.m());
  for (const std::int32_t k : actuation.passive()) tau[k] = 0;
  ASSERT_TRUE(forward.solve(state, tau, c.feasible_target(3), qdd, lambda).ok());
  const Inverse got(c, actuation, qdd);
  ASSERT_TRUE(got.status.ok());
  const Exact g = c.M * column_of(qdd) + c.h, balance = column_of(got.tau) + c.Jt * column_of(got.lambda);
  // The forward solve leaves 1e-10 of its forces; conditioned as A Aᵀ, whose root this is.
  const double size = std::max(testing::norm_of(c.Jt * column_of(lambda)), testing::norm_of(g));
  EXPECT_LT(relative_difference(balance.entries(), g.entries(), size), 1e-9);
  for (const std::int32_t k : actuation.passive()) EXPECT_EQ(got.tau[k], 0);
  const auto want = least_force(c, actuation.passive(), g);
  EXPECT_LT(relative_difference(got.lambda, want, 1e-9 * size), 1e-5);
}
TEST(ConstrainedInverseDynamics, ForwardMotionsAreMade) { for_each_seed(0, 120, forward_motions_are_made); }

TEST(ConstrainedInverseDynamics, WithAllMotorsNoConstraintForceIsNeeded) {
  const ConstrainedCase c = random_constrained_case(2);
  std::vector<std::string> all;
  for (int i = 0; i < c.model.num_links(); ++i) all.push_back(c.model.joint_name(i));
  const std::vector<double> qdd = c.random_vector(c.model.nv(), 6);
  const Inverse got(c, Actuation(c.model, all), qdd);
  ASSERT_TRUE(got.status.ok());
  EXPECT_EQ(got.lambda, std::vector<double>(c.m()));
  EXPECT_LT(relative_difference(got.tau, (c.M * column_of(qdd) + c.h).entries()), 1e-12);
}

/// In flight nothing can keep a body from falling: the status names its free joint, and the remainder is its weight.
TEST(ConstrainedInverseDynamics, FlightIsUnbalanced) {
  samples::ModelOptions options;
  options.base = samples::Base::kFloating;
  const Model model = samples::random_model(11, options);
  samples::State state = samples::random_state(model, 11);
  std::fill(state.v.begin(), state.v.end(), 0.0);
  const ConstrainedCase c(model, {}, state);
  const Inverse got(c, Actuation(model), std::vector<double>(model.nv()));
  EXPECT_EQ(got.status.code, Status::Code::kUnbalanced);
  EXPECT_LT(got.status.index, 6);
  double squares = 0;
  for (int k = 3; k < 6; ++k) squares += got.remainder[k] * got.remainder[k];
  const Vec3<double>& g = model.gravity();
  EXPECT_NEAR(std::sqrt(squares), model.mass() * std::sqrt(dot(g, g)), 1e-9 * model.mass());
}

/// Loops within a robot hold nothing of its base: what their rows have there is rounding, and no reason for huge forces.
TEST(ConstrainedInverseDynamics, LoopsDoNotHoldTheBase) {
  const Scene cassie = load_embedded_robot("cassie");
  State<double> state(cassie.model, cassie.constraints);
  const std::vector<double> rest(cassie.model.nv());
  ASSERT_TRUE(state.update(cassie.q, rest).ok());
  std::vector<double> tau(rest.size()), lambda(state.num_rows());
  ConstrainedInverseDynamics<double> dynamics(cassie.model, Actuation(cassie.model));
  EXPECT_EQ(dynamics.solve(state, rest, tau, lambda).code, Status::Code::kUnbalanced);
  for (const double x : lambda) EXPECT_EQ(x, 0);
}

TEST(Actuation, JointsThatAreNotThereAreNamed) {
  const Model model = samples::random_model(3);
  const std::string& name = model.joint_name(0);
  EXPECT_THROW(Actuation(model, std::vector<std::string>{name, name}), Error);
  EXPECT_THROW(Actuation(model, std::vector<std::string>{"no such joint"}), Error);
}

}  // namespace
}  // namespace delassus
