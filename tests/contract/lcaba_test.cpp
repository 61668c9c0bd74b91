// What LCABA costs, that it takes no memory once it has been planned, and that it takes blocks of damping.
#include <gtest/gtest.h>

#include "delassus/delassus.hpp"
#include "delassus/math/counted.hpp"
#include "support/allocation_count.hpp"
#include "support/configured.hpp"
#include "support/quadruped.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using testing::allocations_of;

template <class T>
void expect_no_allocation() {
  const Model model = samples::random_model(11);
  const std::vector<Constraint> constraints = samples::random_constraints(model, 11, 6);
  const samples::State s = samples::random_state(model, 11);
  const std::vector<T> q(s.q.begin(), s.q.end());
  Kinematics<T> kin(model);
  update_kinematics<T>(model, q, kin);
  ConstraintRows<T> rows;
  lower_structure(model, constraints, rows);
  ASSERT_TRUE(lower_values<T>(model, kin, constraints, rows).ok());
  const int m = rows.num_rows();
  std::vector<T> x(m, T(1)), y(m), response(model.nv()), A(static_cast<std::size_t>(m) * m);
  LcabaDelassus<T> op(model, rows);
  DampedInverse<T> inverse(model);
  inverse.plan(model, rows);
  EXPECT_EQ(allocations_of([&] {
              EXPECT_TRUE(op.factor({model, kin, rows}).ok());
              op.apply(x, y);
              EXPECT_TRUE(op.update_damping(x).ok());
              EXPECT_TRUE(op.solve(x, y).ok());
              op.joint_response(x, response);
              op.diagonal(y);
              op.dense(MatrixView<T>(A.data(), m, m));
              EXPECT_TRUE(inverse.compute(model, kin, rows, x, MatrixView<T>(A.data(), m, m)).ok());
            }),
            0);
}
TEST(LcabaAllocation, NoneInDouble) { expect_no_allocation<double>(); }
TEST(LcabaAllocation, NoneInFloat) { expect_no_allocation<float>(); }

/// Two links of a quadruped held together but for some turns: 6, 5 or 4 rows.
std::vector<Constraint> loop_between_legs(const Model& model, std::uint8_t free_angular) {
  LoopClosure loop{"loop", attach(model, "leg02"), attach(model, "leg12")};
  loop.free_angular = free_angular;
  return {loop};
}

/// Blocks with something beside the diagonal, solved by an operator.
template <class Operator>
std::vector<double> solve_with_block(const testing::Configured<double>& at, Operator op) {
  const int m = at.rows.num_rows();
  std::vector<double> block(static_cast<std::size_t>(m) * m, 0.01), b(m), z(m);
  for (int k = 0; k < m; ++k) {
    block[static_cast<std::size_t>(k) * (m + 1)] = 0.1 + 0.1 * k;
    b[k] = 1 - 0.5 * k;
  }
  EXPECT_TRUE(op.factor({at.model, at.kin, at.rows}).ok());
  EXPECT_TRUE(op.update_damping(Damping<double>::blocks(block)).ok());
  EXPECT_TRUE(op.solve(b, z).ok());
  return z;
}

/// As stiffness and as multipliers.
TEST(LcabaBlocks, OfFourToSixRows) {
  const Model model = testing::quadruped(0);
  for (const std::uint8_t free_angular : std::initializer_list<std::uint8_t>{0b000, 0b001, 0b011}) {
    const testing::Configured<double> at(model, loop_between_legs(model, free_angular),
                                         std::vector<double>(model.nq(), 0.1));
    const int m = at.rows.num_rows();
    const std::vector<double> want = solve_with_block(at, DenseDelassus<double>(model, at.rows));
    for (const LcabaForm form : {LcabaForm::kStiffness, LcabaForm::kLoopMultipliers}) {
      LcabaOptions options;
      options.form = form;
      const std::vector<double> got = solve_with_block(at, LcabaDelassus<double>(model, at.rows, options));
      // Some hundred operations, and a damping that is a hundredth of the matrix at least.
      for (int k = 0; k < m; ++k) EXPECT_NEAR(got[k], want[k], 1e-11) << m << " rows, entry " << k;
    }
  }
}

struct Counts {
  OperationCount factor, product, damping, solve;
};

Counts counts(int tail) {
  const Model model = testing::quadruped(tail);
  const std::vector<Constraint> feet = testing::feet(model);
  Kinematics<Counted> kin(model);
  std::vector<Counted> q(model.nq(), Counted(0.1));
  update_kinematics<Counted>(model, q, kin);
  ConstraintRows<Counted> rows;
  lower_structure(model, feet, rows);
  EXPECT_TRUE(lower_values<Counted>(model, kin, feet, rows).ok());
  const int m = rows.num_rows();
  std::vector<Counted> x(m, Counted(1)), y(m), R(m, Counted(0.01));
  LcabaOptions options;
  options.refinements = 0;
  LcabaDelassus<Counted> op(model, rows, options);
  Counts c;
  c.factor = count_operations([&] { EXPECT_TRUE(op.factor({model, kin, rows}).ok()); });
  c.product = count_operations([&] { op.apply(x, y); });
  c.damping = count_operations([&] { EXPECT_TRUE(op.update_damping(R).ok()); });
  c.solve = count_operations([&] { (void)op.solve(x, y); });
  return c;
}

TEST(LcabaOperationCounts, Quadruped) {
  const Counts c = counts(0);
  EXPECT_EQ(c.factor.total(), 3024);
  EXPECT_EQ(c.product.total(), 978);
  EXPECT_EQ(c.damping.total(), 3097);
  EXPECT_EQ(c.solve.total(), 1002);
}

/// Links that feel no constraint cost nothing after factor.
TEST(LcabaOperationCounts, QuietLinksAreFree) {
  const Counts without = counts(0), with = counts(4);
  EXPECT_GT(with.factor.total(), without.factor.total());
  EXPECT_EQ(with.product, without.product);
  EXPECT_EQ(with.damping, without.damping);
  EXPECT_EQ(with.solve, without.solve);
}

}  // namespace
}  // namespace delassus
