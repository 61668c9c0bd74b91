// Constrained dynamics in a loop: no memory once the structure is known, the same bits from used objects as from fresh ones, errors
// for arguments of other sizes.
#include <gtest/gtest.h>

#include <cmath>

#include "delassus/scenes/load_named.hpp"
#include "delassus/solvers/constrained_aba.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"
#include "delassus/solvers/constrained_inverse_dynamics.hpp"
#include "support/allocation_count.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using Vector = std::vector<double>;

/// A scene with states that the contacts contradict: most steps that a solve can take are taken.
struct Loop {
  explicit Loop(const char* name)
      : scene(load_named(name)),
        here(samples::random_state(scene.model, 1)),
        state(scene.model, scene.constraints),
        target(state.num_rows()),
        lambda(state.num_rows()),
        qdd(scene.model.nv()) {
    here.q = scene.q;
  }
  Scene scene;
  samples::State here;
  State<double> state;
  Vector target, lambda, qdd;
};

template <class Solver>
Status solve(Loop& s, Solver& solver) {
  Status status = s.state.update(s.here.q, s.here.v);
  EXPECT_TRUE(status.ok());
  status = solver.factor(s.state);
  EXPECT_TRUE(status.ok());
  s.state.target(Baumgarte{.stiffness = 100, .damping = 20}, s.target);
  std::fill(s.lambda.begin(), s.lambda.end(), 0.0);
  return solver.solve(s.state, s.here.tau, s.target, s.qdd, s.lambda);
}

template <class Solver>
class ConstrainedForms : public ::testing::Test {};
using Forms = ::testing::Types<ConstrainedDynamics<double>, ConstrainedDynamics<double, KktDelassus<double>>,
                               ConstrainedAba<double>>;
TYPED_TEST_SUITE(ConstrainedForms, Forms);

TYPED_TEST(ConstrainedForms, SolvesAllocateNothing) {
  for (const char* name : {"go2-standing", "g1-standing", "cassie-standing", "g1-fallen-friction"}) {
    SCOPED_TRACE(name);
    Loop s(name);
    TypeParam solver(s.scene.model);
    solver.update_structure(s.state);
    Status status;
    EXPECT_EQ(testing::allocations_of([&] { status = solve(s, solver); }), 0);
    EXPECT_TRUE(status.ok() || status.code == Status::Code::kInfeasible);
  }
}

TYPED_TEST(ConstrainedForms, UsedSolversGiveTheSameBits) {
  Loop s("g1-standing");
  TypeParam used(s.scene.model);
  const Status first = solve(s, used);
  const Vector q = s.here.q, qdd = s.qdd, lambda = s.lambda;
  s.here.q = samples::random_state(s.scene.model, 2).q;
  (void)solve(s, used);
  s.here.q = q;
  EXPECT_EQ(solve(s, used), first);
  EXPECT_EQ(s.qdd, qdd);
  EXPECT_EQ(s.lambda, lambda);
}

TYPED_TEST(ConstrainedForms, SizesAreChecked) {
  Loop s("go2-standing");
  TypeParam solver(s.scene.model);
  (void)solve(s, solver);
  const Vector short_tau(5), short_target(5);
  EXPECT_EQ(solver.solve(s.state, short_tau, s.target, s.qdd, s.lambda).code, Status::Code::kBadArgument);
  EXPECT_EQ(solver.solve(s.state, s.here.tau, short_target, s.qdd, s.lambda).code, Status::Code::kBadArgument);
  Vector short_qdd(5), short_lambda(5);
  EXPECT_EQ(solver.solve(s.state, s.here.tau, s.target, short_qdd, s.lambda).code, Status::Code::kBadArgument);
  EXPECT_EQ(solver.solve(s.state, s.here.tau, s.target, s.qdd, short_lambda).code, Status::Code::kBadArgument);
}

/// Rows of another state than the factored one are noticed; so is a solve without any.
TYPED_TEST(ConstrainedForms, StatesThatWereNotFactoredAreRefused) {
  Loop s("go2-standing");
  TypeParam solver(s.scene.model);
  EXPECT_EQ(solver.solve(s.state, s.here.tau, s.target, s.qdd, s.lambda).code, Status::Code::kBadArgument);
  (void)solve(s, solver);
  const std::vector<Constraint> one(s.scene.constraints.begin(), s.scene.constraints.begin() + 1);
  s.state.set_constraints(one);
  EXPECT_TRUE(s.state.update(s.here.q, s.here.v).ok());
  Vector target(3), lambda(3);
  EXPECT_EQ(solver.solve(s.state, s.here.tau, target, s.qdd, lambda).code, Status::Code::kBadArgument);
  EXPECT_EQ(solver.solve(s.state, s.here.tau, s.target, s.qdd, s.lambda).code, Status::Code::kBadArgument);
  Loop other("g1-standing");
  EXPECT_TRUE(other.state.update(other.here.q, other.here.v).ok());
  EXPECT_EQ(solver.solve(other.state, other.here.tau, other.target, other.qdd, other.lambda).code,
            Status::Code::kBadArgument);
}

TEST(ConstrainedLoop, OptionsWithoutSenseAreRefused) {
  const Model model = load_named("go2").model;
  for (const ProximalOptions& options : {ProximalOptions{.damping = -1}, ProximalOptions{.tolerance = -1},
                                         ProximalOptions{.damping = std::nan("")}, ProximalOptions{.iterations = 0}}) {
    EXPECT_THROW(ConstrainedDynamics<double>(model, options), Error);
  }
  EXPECT_THROW(ConstrainedInverseDynamics<double>(model, Actuation(load_named("g1").model)), Error);
}

TEST(ConstrainedLoop, RestitutionLiesBetweenZeroAndOne) {
  Loop s("go2-standing");
  ConstrainedDynamics<double> dynamics(s.scene.model);
  (void)solve(s, dynamics);
  for (const double e : {-0.5, 1.5, std::nan("")}) {
    Vector restitution(s.state.num_rows());
    restitution[2] = e;
    EXPECT_EQ(dynamics.solve_impact(s.state, restitution, s.qdd, s.lambda).code, Status::Code::kBadArgument);
  }
}

TEST(ConstrainedLoop, InverseDynamicsAndImpactsAllocateNothing) {
  Loop s("g1-standing");
  ConstrainedInverseDynamics<double> inverse(s.scene.model, Actuation(s.scene.model));
  inverse.reserve(s.state.num_rows());
  ConstrainedDynamics<double> dynamics(s.scene.model);
  dynamics.update_structure(s.state);
  const Vector rest(s.scene.model.nv()), restitution(s.state.num_rows(), 0.5);
  Vector tau(s.scene.model.nv()), after(s.scene.model.nv()), impulse(s.state.num_rows());
  EXPECT_EQ(testing::allocations_of([&] {
              EXPECT_TRUE(s.state.update(s.here.q, s.here.v).ok());
              EXPECT_TRUE(inverse.solve(s.state, rest, tau, s.lambda).ok());
              EXPECT_TRUE(dynamics.factor(s.state).ok());
              EXPECT_TRUE(dynamics.solve_impact(s.state, restitution, after, impulse).ok());
            }),
            0);
}

}  // namespace
}  // namespace delassus
