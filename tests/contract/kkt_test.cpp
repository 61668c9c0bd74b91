// What the joint-space operator promises: no memory once it is planned, errors that name what is wrong, and its cost.
#include <gtest/gtest.h>

#include <cmath>

#include "delassus/math/counted.hpp"
#include "delassus/operators/kkt.hpp"
#include "support/allocation_count.hpp"
#include "support/configured.hpp"
#include "support/quadruped.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using testing::allocations_of;
using testing::Configured;

template <class T>
void expect_no_allocation() {
  const Model model = samples::random_model(11);
  const samples::State s = samples::random_state(model, 11);
  const Configured<T> c(model, samples::random_constraints(model, 11, 6), {s.q.begin(), s.q.end()});
  const int m = c.rows.num_rows();
  std::vector<T> x(m, T(1)), y(m), tau(model.nv()), response(model.nv()), A(static_cast<std::size_t>(m) * m), blocks;
  for (const RowSpan& span : c.rows.spans) {
    for (int k = 0; k < span.rows * span.rows; ++k) blocks.push_back(k % (span.rows + 1) == 0 ? T(1) : T(0));
  }
  const MatrixView<T> matrix(A.data(), m, m);
  KktDelassus<T> op(model, c.rows);
  EXPECT_EQ(allocations_of([&] {
              for (int times = 0; times < 2; ++times) {
                EXPECT_TRUE(op.factor({model, c.kin, c.rows}).ok());
                op.apply(x, y);
                op.apply_panel(matrix, matrix);
                op.joint_response(x, response);
                EXPECT_TRUE(op.update_damping(T(1)).ok());
                EXPECT_TRUE(op.update_damping(x).ok());
                EXPECT_TRUE(op.update_damping(Damping<T>::blocks(blocks)).ok());
                EXPECT_TRUE(op.solve(x, y).ok());
                EXPECT_TRUE(op.solve_panel(matrix, matrix).ok());
                EXPECT_TRUE(op.solve_system(tau, x, response, y).ok());
                op.diagonal(y);
                op.dense(matrix);
              }
            }),
            0);
}
TEST(KktAllocation, NoneInDouble) { expect_no_allocation<double>(); }
TEST(KktAllocation, NoneInFloat) { expect_no_allocation<float>(); }

TEST(KktAllocation, BytesCoverTheSquare) {
  const Model model = testing::quadruped(0);
  const Configured<double> c(model, testing::feet(model), model.neutral());
  const KktDelassus<double> empty(model), op(model, c.rows);
  EXPECT_GT(op.bytes(), empty.bytes() + sizeof(double) * 12 * (12 + model.nv()));
  EXPECT_LT(op.bytes(), 100'000U);
}

TEST(KktErrors, NameTheArgument) {
  const Model model = testing::quadruped(0), other = testing::quadruped(1);
  const Configured<double> c(model, testing::feet(model), model.neutral());
  const Configured<double> strange(other, testing::feet(other), other.neutral());
  KktDelassus<double> op(model, c.rows);
  std::vector<double> x(12, 1.0), y(12), few(3), response(model.nv()), A(144);
  EXPECT_EQ(op.rows(), 0);
  EXPECT_EQ(op.apply(x, y), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_EQ(op.joint_response({x.data(), 0}, response), kTooEarly);
  EXPECT_EQ(op.update_damping(1.0), kTooEarly);
  EXPECT_EQ(op.factor({other, strange.kin, strange.rows}), (Status{Status::Code::kBadArgument, 0}));
  ASSERT_TRUE(op.factor({model, c.kin, c.rows}).ok());
  EXPECT_EQ(op.rows(), 12);
  EXPECT_EQ(op.apply(few, y), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_EQ(op.apply(x, few), (Status{Status::Code::kBadArgument, 1}));
  EXPECT_EQ(op.joint_response(x, few), (Status{Status::Code::kBadArgument, 1}));
  EXPECT_EQ(op.diagonal(few), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_EQ(op.dense(MatrixView<double>(A.data(), 12, 3)), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_EQ(op.apply_panel(MatrixView<const double>(A.data(), 12, 2), MatrixView<double>(A.data(), 12, 3)),
            (Status{Status::Code::kBadArgument, 1}));
  EXPECT_EQ(op.solve(x, y), kTooEarly);
  EXPECT_EQ(op.solve_system(response, x, response, y), kTooEarly);
  EXPECT_EQ(op.update_damping(few), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_EQ(op.update_damping(Damping<double>::blocks(few)), (Status{Status::Code::kBadArgument, 0}));
  // Still usable; a new configuration forgets the damping.
  ASSERT_TRUE(op.update_damping(x).ok());
  EXPECT_EQ(op.solve(few, y), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_TRUE(op.solve(x, y).ok());
  ASSERT_TRUE(op.factor({model, c.kin, c.rows}).ok());
  EXPECT_EQ(op.solve(x, y).code, Status::Code::kBadArgument);
}

TEST(KktErrors, TroubleIsAStatus) {
  const Model model = testing::quadruped(0);
  const Configured<double> c(model, testing::feet(model), model.neutral());
  KktDelassus<double> op(model, c.rows);
  std::vector<double> q = model.neutral(), x(12, 1.0), y(12);
  const double nan = std::nan("");
  q[9] = nan;
  Kinematics<double> kin(model);
  update_kinematics(model, q, kin);
  EXPECT_EQ(op.factor({model, kin, c.rows}), (Status{Status::Code::kNotFinite, 9}));
  EXPECT_EQ(op.rows(), 0);
  ConstraintRows<double> huge = c.rows;
  for (double& value : huge.values) value *= 1e200;
  EXPECT_EQ(op.factor({model, c.kin, huge}).code, Status::Code::kNotFinite);
  EXPECT_EQ(op.rows(), 0);
  ASSERT_TRUE(op.factor({model, c.kin, c.rows}).ok());
  EXPECT_EQ(op.update_damping(-1e3).code, Status::Code::kNotPositive);
  EXPECT_EQ(op.solve(x, y).code, Status::Code::kBadArgument);
  ASSERT_TRUE(op.update_damping(1e-3).ok());
  x[4] = nan;
  EXPECT_EQ(op.solve(x, y).code, Status::Code::kNotFinite);
}

/// A bead on the axis of its joint.
TEST(KktErrors, SingularJointIsNamed) {
  ModelBuilder b("arm");
  const int arm = b.add_body("arm", kWorld, revolute("shoulder", {{0, 1, 0}}), box_inertial(1, {{0.1, 0.1, 0.1}}));
  Inertial bead;
  bead.mass = 1;
  bead.com = {{0, 0, 0.5}};
  b.add_body("bead", arm, revolute("spin", {{0, 0, 1}}), bead);
  const Model model = b.make_model();
  const Configured<double> c(model, {make_ball("hold", attach(model, "bead"), {0})}, {0.1, 0.2});
  KktDelassus<double> op(model, c.rows);
  EXPECT_EQ(op.factor({model, c.kin, c.rows}), (Status{Status::Code::kSingularJoint, 1}));
  EXPECT_EQ(op.rows(), 0);
}

struct Counts {
  OperationCount factor, product, first_damping, damping, solve;
};
Counts counts(int tail) {
  const Model model = testing::quadruped(tail);
  const Configured<Counted> at(model, testing::feet(model), std::vector<Counted>(model.nq(), Counted(0.1)));
  std::vector<Counted> x(12, Counted(1)), y(12);
  KktDelassus<Counted> op(model, at.rows);
  Counts c;
  c.factor = count_operations([&] { EXPECT_TRUE(op.factor({model, at.kin, at.rows}).ok()); });
  c.product = count_operations([&] { op.apply(x, y); });
  c.first_damping = count_operations([&] { EXPECT_TRUE(op.update_damping(Counted(0.01)).ok()); });
  c.damping = count_operations([&] { EXPECT_TRUE(op.update_damping(Counted(0.02)).ok()); });
  c.solve = count_operations([&] { EXPECT_TRUE(op.solve(x, y).ok()); });
  return c;
}

TEST(KktOperationCounts, Quadruped) {
  const Counts c = counts(0);
  EXPECT_EQ(c.factor.total(), 6417);
  EXPECT_EQ(c.product.total(), 4 * 12 * 9);  // nine degrees of freedom carry each row
  // Are entries and the damping of each row numbers, and a bound of rounding.
  EXPECT_EQ(c.first_damping.total(), 1766 + 12 + 13);
  EXPECT_EQ(c.damping.total(), 686 + 12 + 1);
  // Two triangles, is it a number, and is rounding below the tolerance.
  EXPECT_EQ(c.solve.total(), 2 * 12 * 12 + 12 + 2);
}

/// Links that feel no constraint cost nothing after factor.
TEST(KktOperationCounts, QuietLinksAreFree) {
  const Counts without = counts(0), with = counts(4);
  EXPECT_GT(with.factor.total(), without.factor.total());
  EXPECT_EQ(with.product, without.product);
  EXPECT_EQ(with.first_damping, without.first_damping);
  EXPECT_EQ(with.solve, without.solve);
}

}  // namespace
}  // namespace delassus
