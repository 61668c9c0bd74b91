// What the matrix-free products promise: no memory once they are planned, errors that name what is wrong, and their cost.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "delassus/math/counted.hpp"
#include "delassus/operators/matrix_free.hpp"
#include "support/allocation_count.hpp"
#include "support/configured.hpp"
#include "support/quadruped.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using testing::allocations_of;
using testing::Configured;

constexpr MatrixFreeForm kForms[] = {MatrixFreeForm::kThreeMaps, MatrixFreeForm::kMerged};

template <class T>
void expect_no_allocation() {
  const Model model = samples::random_model(11);
  const samples::State s = samples::random_state(model, 11);
  const Configured<T> c(model, samples::random_constraints(model, 11, 6), {s.q.begin(), s.q.end()});
  const int m = c.rows.num_rows();
  std::vector<T> x(m, T(1)), y(m), response(model.nv()), A(static_cast<std::size_t>(m) * m);
  const MatrixView<T> matrix(A.data(), m, m);
  for (const MatrixFreeForm form : kForms) {
    MatrixFreeDelassus<T> op(model, c.rows, form);
    EXPECT_EQ(allocations_of([&] {
                for (int times = 0; times < 2; ++times) {
                  EXPECT_TRUE(op.factor({model, c.kin, c.rows}).ok());
                  op.apply(x, y);
                  op.apply_panel(matrix, matrix);
                  op.joint_response(x, response);
                  op.diagonal(y);
                  op.dense(matrix);
                }
              }),
              0);
  }
}
TEST(MatrixFreeAllocation, NoneInDouble) { expect_no_allocation<double>(); }
TEST(MatrixFreeAllocation, NoneInFloat) { expect_no_allocation<float>(); }

/// Memory grows with the rows, not with their square.
TEST(MatrixFreeAllocation, BytesAreLinear) {
  const Model model = testing::quadruped(0);
  const auto bytes = [&](int times) {
    std::vector<Constraint> list;
    for (int k = 0; k < times; ++k) {
      for (const Constraint& foot : testing::feet(model)) list.push_back(foot);
    }
    const Configured<double> c(model, list, model.neutral());
    return MatrixFreeDelassus<double>(model, c.rows).bytes();
  };
  EXPECT_GT(bytes(1), sizeof(double) * 6 * 12U);
  EXPECT_LT(bytes(32) - bytes(16), 17 * (bytes(2) - bytes(1)));
}

TEST(MatrixFreeErrors, NameTheArgument) {
  const Model model = testing::quadruped(0), other = testing::quadruped(1);
  const Configured<double> c(model, testing::feet(model), model.neutral());
  const Configured<double> strange(other, testing::feet(other), other.neutral());
  MatrixFreeDelassus<double> op(model, c.rows);
  std::vector<double> x(12, 1.0), y(12), few(3), response(model.nv()), A(144);
  EXPECT_EQ(op.rows(), 0);
  EXPECT_EQ(op.apply(x, y), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_EQ(op.joint_response({x.data(), 0}, response), kTooEarly);
  EXPECT_EQ(op.factor({other, strange.kin, strange.rows}), (Status{Status::Code::kBadArgument, 0}));
  ASSERT_TRUE(op.factor({model, c.kin, c.rows}).ok());
  EXPECT_EQ(op.rows(), 12);
  EXPECT_EQ(op.apply(few, y), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_EQ(op.apply(x, few), (Status{Status::Code::kBadArgument, 1}));
  EXPECT_EQ(op.joint_response(x, few), (Status{Status::Code::kBadArgument, 1}));
  EXPECT_EQ(op.diagonal(few), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_EQ(op.dense(MatrixView<double>(A.data(), 3, 12)), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_EQ(op.apply_panel(MatrixView<const double>(A.data(), 12, 2), MatrixView<double>(A.data(), 12, 3)),
            (Status{Status::Code::kBadArgument, 1}));
  op.apply(x, y);
}

TEST(MatrixFreeErrors, TroubleIsAStatus) {
  const Model model = testing::quadruped(0);
  const Configured<double> c(model, testing::feet(model), model.neutral());
  MatrixFreeDelassus<double> op(model, c.rows);
  std::vector<double> q = model.neutral();
  q[9] = std::nan("");
  Kinematics<double> kin(model);
  update_kinematics(model, q, kin);
  EXPECT_EQ(op.factor({model, kin, c.rows}), (Status{Status::Code::kNotFinite, 9}));
  EXPECT_EQ(op.rows(), 0);
  ConstraintRows<double> no_number = c.rows;
  no_number.values.back() = INFINITY;
  EXPECT_EQ(op.factor({model, c.kin, no_number}), (Status{Status::Code::kNotFinite, 11}));
  EXPECT_EQ(op.rows(), 0);
  EXPECT_TRUE(op.factor({model, c.kin, c.rows}).ok());
  EXPECT_EQ(op.rows(), 12);
}

struct Counts {
  OperationCount factor, product;
  std::vector<Stages::Mark> stages;  // of the product
};
Counts counts(MatrixFreeForm form, int tail) {
  const Model model = testing::quadruped(tail);
  const Configured<Counted> at(model, testing::feet(model), std::vector<Counted>(model.nq(), Counted(0.1)));
  std::vector<Counted> x(12, Counted(1)), y(12);
  MatrixFreeDelassus<Counted> op(model, at.rows, form);
  Counts c;
  c.factor = count_operations([&] { EXPECT_TRUE(op.factor({model, at.kin, at.rows}).ok()); });
  c.product = count_operations([&] {
    Stages::begin();
    op.apply(x, y);
    c.stages = Stages::end();
  });
  return c;
}

TEST(MatrixFreeOperationCounts, Quadruped) {
  const Counts maps = counts(MatrixFreeForm::kThreeMaps, 0), merged = counts(MatrixFreeForm::kMerged, 0);
  EXPECT_EQ(maps.factor, merged.factor);
  EXPECT_EQ(merged.factor.total(), 3802);
  EXPECT_EQ(maps.product.total(), 1656);
  EXPECT_EQ(merged.product.total(), 1158);
  // Merging spares the first and the last of four sweeps.
  EXPECT_LT(merged.product.total(), maps.product.total());
  ASSERT_EQ(merged.stages.size(), maps.stages.size());
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < maps.stages.size(); ++k) {
    EXPECT_STREQ(merged.stages[k].name, maps.stages[k].name);
    EXPECT_LE(merged.stages[k].operations.total(), maps.stages[k].operations.total());
    sum += merged.stages[k].operations.total();
  }
  EXPECT_EQ(sum, merged.product.total());
}

/// Links that feel no constraint cost nothing after factor.
TEST(MatrixFreeOperationCounts, QuietLinksAreFree) {
  for (const MatrixFreeForm form : kForms) {
    const Counts without = counts(form, 0), with = counts(form, 4);
    EXPECT_GT(with.factor.total(), without.factor.total());
    EXPECT_EQ(with.product, without.product);
  }
}

/// Whatever the system.
TEST(MatrixFreeOperationCounts, MergedNeedsFewer) {
  for (int seed = 0; seed < 40; ++seed) {
    const Model model = samples::random_model(seed);
    const samples::State s = samples::random_state(model, seed);
    const Configured<Counted> at(model, samples::random_constraints(model, seed, 1 + seed % 12),
                                 {s.q.begin(), s.q.end()});
    const int m = at.rows.num_rows();
    std::vector<Counted> x(m, Counted(1)), y(m);
    MatrixFreeDelassus<Counted> maps(model, at.rows, MatrixFreeForm::kThreeMaps), merged(model, at.rows);
    ASSERT_TRUE(maps.factor({model, at.kin, at.rows}).ok());
    ASSERT_TRUE(merged.factor({model, at.kin, at.rows}).ok());
    EXPECT_LT(count_operations([&] { merged.apply(x, y); }).total(),
              count_operations([&] { maps.apply(x, y); }).total())
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace delassus
