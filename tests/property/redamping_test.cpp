// A new damping touches only rows whose damping changes: what is kept of the others must not be seen in any bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "delassus/operators/condensed.hpp"
#include "delassus/solvers/admm.hpp"
#include "operators/condensed/factor.hpp"
#include "scenes/recipes.hpp"
#include "support/configured.hpp"
#include "support/contact_case.hpp"
#include "support/damped_case.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::block_damping;
using testing::DampedCase;
using testing::diagonal_damping;
using testing::random_limbs;
using testing::SampleDamping;
using testing::scalar_damping;
using testing::unsymmetric_damping;

/// Rows of other constraints than contacts keep the damping that they have in `held`.
SampleDamping with_held_rows(const DampedCase& c, SampleDamping damping, const SampleDamping& held) {
  std::size_t at = 0;
  for (std::size_t e = 0; e < c.rows.spans.size(); ++e) {
    const auto rows = static_cast<std::size_t>(c.rows.spans[e].rows);
    const std::size_t count = damping.kind == Damping<double>::Kind::kDiagonal ? rows : rows * rows;
    if (!std::holds_alternative<PointContact>(c.constraints[e]))
      std::copy_n(held.numbers.begin() + static_cast<std::ptrdiff_t>(at), count,
                  damping.numbers.begin() + static_cast<std::ptrdiff_t>(at));
    at += count;
  }
  return damping;
}

/// All kinds in turn, with loops that are held and with loops that are not.
std::vector<SampleDamping> some_dampings(const DampedCase& c) {
  const SampleDamping rows = diagonal_damping(c, 1e-4, 1), blocks = block_damping(c, 1e-4, 2);
  const SampleDamping unsymmetric = unsymmetric_damping(c, 0.1 * c.norm, 7);
  return {rows,
          with_held_rows(c, diagonal_damping(c, 1e-5, 3), rows),
          with_held_rows(c, diagonal_damping(c, 1e-2, 4), rows),
          scalar_damping(1e-3),
          with_held_rows(c, diagonal_damping(c, 1e-3, 5), rows),
          blocks,
          with_held_rows(c, block_damping(c, 1e-4, 6), blocks),
          unsymmetric,
          with_held_rows(c, unsymmetric_damping(c, 0.2 * c.norm, 8), unsymmetric),
          with_held_rows(c, unsymmetric_damping(c, 0.1 * c.norm, 9), unsymmetric),
          unsymmetric_damping(c, 0.1 * c.norm, 9),
          scalar_damping(1e-3),
          scalar_damping(1e-4)};
}

void expect_same_as_anew(const DampedCase& c, CondensedDelassus<double>& op, const SampleDamping& damping) {
  CondensedDelassus<double> anew(c.model, c.rows);
  ASSERT_TRUE(anew.factor({c.model, c.kin, c.rows}).ok());
  ASSERT_EQ(op.update_damping(damping.view()).code, anew.update_damping(damping.view()).code);
  const std::vector<double> b = c.random_vector(9);
  std::vector<double> got(b.size()), want(b.size());
  EXPECT_EQ(op.solve(b, got).code, anew.solve(b, want).code);
  EXPECT_EQ(got, want);
}

/// Also after dampings that are refused, and in another configuration.
TEST(Redamping, EqualsADampingAnewBitForBit) {
  int carried = 0;
  for (int seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const DampedCase c = random_limbs(seed);
    if (c.m() == 0) continue;
    CondensedDelassus<double> op(c.model, c.rows);
    for (const condensed::Branches::Branch& b : op.plan().branches.list) carried += b.kept > 0 && b.kept < b.rows.count;
    for (int round = 0; round < 2; ++round) {
      ASSERT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
      for (const SampleDamping& damping : some_dampings(c)) {
        expect_same_as_anew(c, op, damping);
        EXPECT_FALSE(op.update_damping(-1.0).ok());
        expect_same_as_anew(c, op, damping);
        SampleDamping none = unsymmetric_damping(c, 1, 1);
        none.numbers.back() = std::numeric_limits<double>::quiet_NaN();
        EXPECT_EQ(op.update_damping(none.view()).code, Status::Code::kNotFinite);
        expect_same_as_anew(c, op, damping);
      }
    }
  }
  EXPECT_GT(carried, 10);  // branches in which some rows are held and others are not
}

/// A condensed tree that counts how often a solver damps it, and how often rows of loops are eliminated by that.
class CountingTree {
 public:
  explicit CountingTree(const testing::ContactCase& c) : op_(c.model, c.rows) {
    EXPECT_TRUE(op_.factor({c.model, c.kin, c.rows}).ok());
    eliminated_.resize(op_.plan().branches.list.size());
  }

  int rows() const { return op_.rows(); }
  CallStatus apply(In<double> x, Out<double> y) const { return op_.apply(x, y); }
  CallStatus apply_panel(MatrixIn<double> x, MatrixOut<double> y) const { return op_.apply_panel(x, y); }
  CallStatus joint_response(In<double> x, Out<double> y) const { return op_.joint_response(x, y); }
  Status update_damping(const Damping<double>& damping) {
    const Status status = op_.update_damping(damping);
    ++dampings_;
    for (std::size_t k = 0; k < eliminated_.size(); ++k) eliminated_[k] += op_.damping().branches.kept[k].anew;
    return status;
  }
  Status solve(In<double> b, Out<double> z) const { return op_.solve(b, z); }
  Status solve_panel(MatrixIn<double> b, MatrixOut<double> z) const { return op_.solve_panel(b, z); }
  CallStatus dense(MatrixOut<double> out) const { return op_.dense(out); }
  CallStatus diagonal(Out<double> out) const { return op_.diagonal(out); }
  std::size_t bytes() const { return op_.bytes(); }

  int dampings() const { return dampings_; }
  /// Of each branch.
  const std::vector<int>& eliminated() const { return eliminated_; }

 private:
  CondensedDelassus<double> op_;
  int dampings_ = 0;
  std::vector<int> eliminated_;
};

/// The step that holds modes and all penalties after it damp loops alike, until a solve takes long: then there is another damping, once.
TEST(Redamping, AdmmEliminatesLoopsOnce) {
  for (const ContactLaw law : {ContactLaw::kCoulomb, ContactLaw::kConvex}) {
    for (const char* name : {"cassie", "everything"}) {
      SCOPED_TRACE(name);
      const testing::ContactCase c = testing::make_contact_case(name, law);
      CountingTree op(c);
      ASSERT_EQ(op.eliminated().size(), 2U);  // a branch for each leg
      Admm admm;
      std::vector<double> lambda(static_cast<std::size_t>(c.m()));
      ASSERT_TRUE(admm.solve(op, c.problem(), lambda).ok());
      const bool long_solve = admm.certificate().iterations > 50;
      EXPECT_EQ(long_solve, std::string_view(name) == "everything");
      EXPECT_GT(op.dampings(), 2);
      EXPECT_EQ(op.eliminated(), std::vector<int>(2, long_solve ? 2 : 1));
    }
  }
}

/// The second solve is from other velocities, in the same configuration.
TEST(Redamping, AdmmFindsLoopsEliminated) {
  const testing::ContactCase c = testing::make_contact_case("cassie");
  CountingTree op(c);
  Admm admm;
  std::vector<double> lambda(static_cast<std::size_t>(c.m())), pushes(lambda.size(), 0.01), velocity(lambda.size());
  ContactProblem problem = c.problem();
  ASSERT_TRUE(admm.solve(op, problem, lambda).ok());
  ASSERT_TRUE(op.apply(pushes, velocity).ok());
  for (std::size_t r = 0; r < velocity.size(); ++r) velocity[r] += c.free_velocity[r];
  problem.free_velocity = velocity;
  const int before = op.dampings();
  ASSERT_TRUE(admm.solve(op, problem, lambda).ok());
  EXPECT_GT(op.dampings(), before);
  EXPECT_EQ(op.eliminated(), (std::vector<int>{1, 1}));
}

}  // namespace
}  // namespace delassus
