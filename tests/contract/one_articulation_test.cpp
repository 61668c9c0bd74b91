// A step articulates the tree once: the free motion and the rows share it.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/math/counted.hpp"
#include "delassus/operators/condensed.hpp"
#include "scenes/generated.hpp"
#include "src/simulation/step_solver.hpp"
#include "support/compare.hpp"
#include "support/configured.hpp"
#include "support/quadruped.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using testing::Configured;

template <class T>
std::vector<T> diagonal_of(const CondensedDelassus<T>& op) {
  std::vector<T> out(static_cast<std::size_t>(op.rows()));
  op.diagonal(out);
  return out;
}

std::vector<double> damped_ones(CondensedDelassus<double>& op) {
  std::vector<double> z(static_cast<std::size_t>(op.rows()), 1.0);
  EXPECT_TRUE(op.update_damping(1e-3).ok());
  EXPECT_TRUE(op.solve(z, z).ok());
  return z;
}

auto articulations(const std::vector<Stages::Mark>& stages) {
  return std::ranges::count(stages, std::string_view("articulation"), [](const Stages::Mark& s) { return s.name; });
}

TEST(OneArticulation, TwoPartsCostAsMuchAsTheWhole) {
  const Model model = testing::quadruped(3);
  const Configured<Counted> at(model, testing::feet(model), std::vector<Counted>(model.nq(), Counted(0.1)));
  CondensedDelassus<Counted> op(model);
  const auto whole = count_operations([&] { EXPECT_TRUE(op.factor({model, at.kin, at.rows}).ok()); });
  CondensedDelassus<Counted> parts(model);  // that has yet to plan for the rows
  Stages::begin();
  const auto tree = count_operations([&] { EXPECT_TRUE(parts.articulate(model, at.kin).ok()); });
  const auto rows = count_operations([&] { EXPECT_TRUE(parts.factor_rows({model, at.kin, at.rows}).ok()); });
  EXPECT_EQ(articulations(Stages::end()), 1);
  EXPECT_EQ(tree.total() + rows.total(), whole.total());
  EXPECT_GT(tree.total(), rows.total());
}

/// Sets of constraints follow each other, some of them on the coordinates of free joints: those are articulated in another way.
TEST(OneArticulation, TwoPartsGiveTheSameBits) {
  for (int seed = 0; seed < 30; ++seed) {
    const Model model = samples::random_model(seed);
    const std::vector<Constraint> all = samples::random_constraints(model, seed, 8);
    const samples::State state = samples::random_state(model, seed);
    CondensedDelassus<double> op(model), parts(model);
    for (const int count : {8, 2, 0, 5, 8}) {
      const Configured<double> at(model, {all.begin(), all.begin() + count}, state.q);
      ASSERT_TRUE(op.factor({model, at.kin, at.rows}).ok());
      ASSERT_TRUE(parts.articulate(model, at.kin).ok());
      EXPECT_EQ(parts.rows(), 0);
      ASSERT_TRUE(parts.factor_rows({model, at.kin, at.rows}).ok());
      EXPECT_EQ(diagonal_of(op), diagonal_of(parts)) << "seed " << seed << ", " << count << " constraints";
      EXPECT_EQ(damped_ones(op), damped_ones(parts)) << "seed " << seed << ", " << count << " constraints";
    }
  }
}

/// Joint axes that are NaN stop whoever articulates; the rows do not read them.
Kinematics<double> without_axes(Kinematics<double> kin) {
  for (Motion<double>& axis : kin.S) axis = Motion<double>::filled(std::numeric_limits<double>::quiet_NaN());
  return kin;
}

TEST(OneArticulation, OfASimulatedStep) {
  const Model model = testing::quadruped(0);
  const Configured<double> at(model, testing::feet(model), std::vector<double>(model.nq(), 0.1));
  StepSolver solver(model, SimulationOptions{}, 4, ConstraintRows<double>{});
  ASSERT_TRUE(solver.articulate(model, at.kin).ok());
  EXPECT_TRUE(solver.factor({model, without_axes(at.kin), at.rows}).ok());
  EXPECT_FALSE(solver.articulate(model, without_axes(at.kin)).ok());
}

/// Free joints yield as a whole in the one and joint by joint in the other: roundings of some hundred operations.
TEST(OneArticulation, FreeMotionIsThatOfForwardDynamics) {
  for (const Algorithm algorithm : {Algorithm::kCondensed, Algorithm::kLtl}) {
    const Model model = testing::quadruped(2);
    std::vector<double> v(static_cast<std::size_t>(model.nv()), 0.3), tau(v.size(), 2.0), free(v.size()), qdd(v.size());
    const Configured<double> at(model, testing::feet(model), std::vector<double>(model.nq(), 0.1));
    ForwardDynamics<double> work(model);
    ASSERT_TRUE(aba<double>(model, std::vector<double>(model.nq(), 0.1), v, tau, qdd, work).ok());
    SimulationOptions options;
    options.algorithm = algorithm;
    StepSolver solver(model, options, 4, ConstraintRows<double>{});
    ASSERT_TRUE(solver.articulate(model, work.kin).ok());
    solver.free_acceleration(model, work.kin, work.vel, tau, free);
    double largest = 0;
    for (const double a : qdd) largest = std::max(largest, std::abs(a));
    for (std::size_t k = 0; k < free.size(); ++k) EXPECT_NEAR(free[k], qdd[k], 1e-12 * largest);
  }
}

}  // namespace
}  // namespace delassus
