// A new damping touches only rows whose damping changes: what is kept of the others must not be seen in any bit.
#include <gtest/gtest.h>

#include <algorithm>

#include "delassus/operators/condensed.hpp"
#include "operators/condensed/plan.hpp"
#include "scenes/recipes.hpp"
#include "support/configured.hpp"
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

/// Rows of other constraints than contacts keep the damping that they have in `held`.
SampleDamping with_held_rows(const DampedCase& c, SampleDamping damping, const SampleDamping& held) {
  std::size_t at = 0;
  for (std::size_t e = 0; e < c.rows.spans.size(); ++e) {
    const auto rows = static_cast<std::size_t>(c.rows.spans[e].rows);
    const std::size_t count = damping.kind == Damping<double>::Kind::kBlocks ? rows * rows : rows;
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
  return {rows,
          with_held_rows(c, diagonal_damping(c, 1e-5, 3), rows),
          with_held_rows(c, diagonal_damping(c, 1e-2, 4), rows),
          scalar_damping(1e-3),
          with_held_rows(c, diagonal_damping(c, 1e-3, 5), rows),
          blocks,
          with_held_rows(c, block_damping(c, 1e-4, 6), blocks),
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
      }
    }
  }
  EXPECT_GT(carried, 10);  // branches in which some rows are held and others are not
}

}  // namespace
}  // namespace delassus
