// What LCABA costs, and that it takes no memory once it has been planned.
#include <gtest/gtest.h>

#include "delassus/delassus.hpp"
#include "delassus/math/counted.hpp"
#include "support/allocation_count.hpp"
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
              EXPECT_TRUE(op.factor(model, kin, rows).ok());
              op.apply(x, y);
              EXPECT_TRUE(op.update_damping(x).ok());
              EXPECT_TRUE(op.solve_damped(x, y).ok());
              op.joint_response(x, response);
              op.diagonal(y);
              op.dense(MatrixView<T>(A.data(), m, m));
              EXPECT_TRUE(inverse.compute(model, kin, rows, x, MatrixView<T>(A.data(), m, m)).ok());
            }),
            0);
}
TEST(LcabaAllocation, NoneInDouble) { expect_no_allocation<double>(); }
TEST(LcabaAllocation, NoneInFloat) { expect_no_allocation<float>(); }

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
  c.factor = count_operations([&] { EXPECT_TRUE(op.factor(model, kin, rows).ok()); });
  c.product = count_operations([&] { op.apply(x, y); });
  c.damping = count_operations([&] { EXPECT_TRUE(op.update_damping(R).ok()); });
  c.solve = count_operations([&] { (void)op.solve_damped(x, y); });
  return c;
}

TEST(LcabaOperationCounts, Quadruped) {
  const Counts c = counts(0);
  EXPECT_EQ(c.factor.total(), 4363);
  EXPECT_EQ(c.product.total(), 1158);
  EXPECT_EQ(c.damping.total(), 3805);
  EXPECT_EQ(c.solve.total(), 1182);
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
