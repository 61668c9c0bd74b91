// The published matrix-free products on random systems with loops, rows on joints, on many links, and redundant ones,
// against the long-double oracle.
#include <gtest/gtest.h>

#include "delassus/operators/matrix_free.hpp"
#include "math/instantiate.hpp"
#include "support/oracle_case.hpp"
#include "support/scalars_agree.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::for_each_seed;
using testing::kLongSeeds;
using testing::kSeeds;
using testing::OracleCase;
using testing::random_case;
using testing::relative_difference;

constexpr MatrixFreeForm kForms[] = {MatrixFreeForm::kThreeMaps, MatrixFreeForm::kMerged};
/// Λ⁻¹ carries the condition number of M, up to 1.2e5 on these trees.
constexpr double kProducts = 1e-11;
/// The same number times the rounding of float.
constexpr double kFloatProducts = 7e-3;

template <class T>
MatrixFreeDelassus<T> ready(const OracleCase<T>& c, MatrixFreeForm form) {
  MatrixFreeDelassus<T> op(c.model, c.rows, form);
  EXPECT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
  return op;
}

void products_equal_oracle(int seed) {
  const OracleCase<double> c = random_case(seed);
  for (const MatrixFreeForm form : kForms) {
    const MatrixFreeDelassus<double> op = ready(c, form);
    testing::expect_products(c, op, kProducts);
    testing::expect_panel_equals_vectors(
        c, [&](const auto& x, auto& y) { op.apply(x, y); },
        [&](const auto& X, const auto& Y) { op.apply_panel(X, Y); });
  }
}
TEST(MatrixFree, ProductsEqualOracle) { for_each_seed(0, kSeeds, products_equal_oracle); }
TEST(LongMatrixFree, ProductsEqualOracle) { for_each_seed(kSeeds, kLongSeeds, products_equal_oracle); }

void float_products_equal_oracle(int seed) {
  const OracleCase<float> c = random_case<float>(seed);
  for (const MatrixFreeForm form : kForms) testing::expect_products(c, ready(c, form), kFloatProducts);
}
TEST(MatrixFree, FloatProductsEqualOracle) { for_each_seed(0, kSeeds, float_products_equal_oracle); }

void scalars_agree(int seed) { testing::expect_agrees_with_double<MatrixFreeDelassus, Counted>(seed, kProducts); }
TEST(MatrixFree, ScalarsAgree) { for_each_seed(0, 12, scalars_agree); }

/// What other rows left behind does not show; no rows are rows too.
void used_equals_fresh(int seed) {
  const OracleCase<double> c = random_case(seed);
  const std::vector<double> x = c.random_vector(c.m(), 4);
  std::vector<double> want(c.m()), got(c.m()), response(c.model.nv()), again(c.model.nv());
  for (const MatrixFreeForm form : kForms) {
    const MatrixFreeDelassus<double> fresh = ready(c, form);
    fresh.apply(x, want);
    fresh.joint_response(x, response);
    MatrixFreeDelassus<double> used = ready(c, form);
    const std::vector<Constraint> one(c.constraints.begin(), c.constraints.begin() + 1);
    for (const auto& others : {one, std::vector<Constraint>{}}) {
      ConstraintRows<double> rows;
      lower_structure(c.model, others, rows);
      ASSERT_TRUE(lower_values(c.model, c.kin, others, rows).ok());
      ASSERT_TRUE(used.factor({c.model, c.kin, rows}).ok());
      std::vector<double> ones(rows.num_rows(), 1.0), out(rows.num_rows());
      used.apply(ones, out);
      used.joint_response(ones, again);
    }
    ASSERT_TRUE(used.factor({c.model, c.kin, c.rows}).ok());
    used.joint_response(x, again);
    used.apply(x, got);
    EXPECT_EQ(got, want);
    EXPECT_EQ(again, response);
  }
}
TEST(MatrixFree, UsedEqualsFresh) { for_each_seed(0, 40, used_equals_fresh); }

}  // namespace
}  // namespace delassus
