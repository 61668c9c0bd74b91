#include "dynamics/inertia_factor.hpp"

#include <gtest/gtest.h>

#include "delassus/operators/oracle.hpp"
#include "support/compare.hpp"
#include "support/random_system.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::converted;
using testing::for_each_seed;
using testing::relative_difference;

/// M x of the oracle is undone by L⁻¹ L⁻ᵀ. The condition number of M on these trees is up to 1.2e5.
void undoes_the_inertia(int seed) {
  const Model model = samples::random_model(seed);
  const samples::State state = samples::random_state(model, seed);
  Kinematics<double> kin(model);
  WorldFrames<double> frames(model);
  InertiaFactor<double> factor(model);
  update_kinematics(model, state.q, kin);
  place_frames(model, kin, frames);
  ASSERT_TRUE(factor.compute(model, kin, frames).ok());
  const auto M = oracle::inertia_matrix<long double>(model, converted<long double>(state.q));
  const auto Mx = M * oracle::Matrix<long double>(model.nv(), 1, converted<long double>(state.tau));
  std::vector<double> x(Mx.entries().begin(), Mx.entries().end());
  factor.solve_transposed(x.data());
  factor.solve(x.data());
  EXPECT_LT(relative_difference(x, state.tau), 1e-10);
}
TEST(InertiaFactor, UndoesTheInertia) { for_each_seed(0, 40, undoes_the_inertia); }

/// Branches do not know of each other.
TEST(InertiaFactor, RowsAreThePathsToTheRoot) {
  const Model model = samples::random_model(3);
  const InertiaFactor<double> factor(model);
  for (int i = 0; i < model.num_links(); ++i) {
    int carrying = 0;
    for (int p = model.link(i).parent; p != kWorld; p = model.link(p).parent) carrying += model.link(p).nv;
    for (int k = 0; k < model.link(i).nv; ++k) {
      EXPECT_EQ(factor.above(model.link(i).v + k), carrying + k);
      EXPECT_EQ(factor.carriers_of(model.link(i).v + k)[carrying + k], model.link(i).v + k);
    }
  }
}

TEST(InertiaFactor, NoNumberIsNotSingular) {
  const Model model = samples::random_model(3);
  std::vector<double> q = samples::random_state(model, 3).q;
  q.back() = std::nan("");
  Kinematics<double> kin(model);
  WorldFrames<double> frames(model);
  InertiaFactor<double> factor(model);
  update_kinematics(model, q, kin);
  place_frames(model, kin, frames);
  EXPECT_EQ(factor.compute(model, kin, frames), (Status{Status::Code::kNotFinite, model.nq() - 1}));
}

}  // namespace
}  // namespace delassus
