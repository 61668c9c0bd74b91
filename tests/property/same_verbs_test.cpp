// Every operator has the same verbs, so that changing one's mind is one word: one program, with each of them, against the oracle.
#include <gtest/gtest.h>

#include "delassus/operators/operator.hpp"
#include "support/damped_case.hpp"
#include "support/quadruped.hpp"

namespace delassus {
namespace {

using testing::DampedCase;
using testing::Exact;

/// Λ⁻¹ carries the condition number of M, up to 1.2e5 on these trees.
constexpr double kProducts = 1e-11;
/// What solves may leave of b.
constexpr double kSolves = 1e-7;

/// What is left of b after a solve, beside b.
double left_over(const Exact& A, const std::vector<double>& z, const std::vector<double>& b) {
  return testing::relative_difference((A * testing::column_of(z)).entries(), b);
}

/// The program. Nothing in it knows which operator it is.
template <class Op>
void expect_numbers_of_oracle(const DampedCase& c) {
  State<double> state(c.model, c.constraints);
  ASSERT_TRUE(state.update(c.q).ok());
  Op op(state);
  ASSERT_TRUE(op.factor(state).ok());
  EXPECT_EQ(op.rows(), c.m());
  testing::expect_products(c, op, kProducts);
  testing::expect_panel_equals_vectors(
      c, [&](const auto& x, auto& y) { op.apply(x, y); }, [&](const auto& X, const auto& Y) { op.apply_panel(X, Y); });

  const double least = 0.1 * c.norm;
  for (const auto& damping : {testing::scalar_damping(least), testing::diagonal_damping(c, least, 3)}) {
    ASSERT_TRUE(op.update_damping(damping.view()).ok());
    const std::vector<double> b = c.random_vector(2);
    std::vector<double> z(b);
    EXPECT_TRUE(op.solve_damped(z, z).ok());
    EXPECT_LT(left_over(damping.added_to(c), z, b), kSolves);
    std::vector<double> panel(b);
    panel.insert(panel.end(), b.begin(), b.end());
    const MatrixView<double> columns(panel.data(), c.m(), 2, 1, c.m());
    EXPECT_TRUE(op.solve_panel(columns, columns).ok());
    for (int k = 0; k < 2; ++k) {
      EXPECT_LT(testing::relative_difference(std::vector(&columns(0, k), &columns(0, k) + c.m()), z), kSolves);
    }
  }
  EXPECT_GT(op.bytes(), sizeof(double) * c.m());
}

template <class Op>
class SameVerbs : public ::testing::Test {};

using Operators =
    ::testing::Types<DenseDelassus<double>, LtlDelassus<double>, KjrDelassus<double>, ChangKhatibDelassus<double>,
                     EfpaDelassus<double>, PvOsimDelassus<double>, PvOsimrDelassus<double>, KktDelassus<double>,
                     LcabaDelassus<double>, CondensedDelassus<double>, LimbDelassus<double>, MatrixFreeDelassus<double>,
                     ThreeMapsDelassus<double>, AnyDelassus<double>, Operator<double>>;
TYPED_TEST_SUITE(SameVerbs, Operators);

TYPED_TEST(SameVerbs, GiveTheNumbersOfTheOracle) {
  for (int seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    expect_numbers_of_oracle<TypeParam>(testing::any_random_case(seed));
  }
}

TYPED_TEST(SameVerbs, OfAQuadruped) {
  const Model model = testing::quadruped(0);
  expect_numbers_of_oracle<TypeParam>({model, testing::feet(model), samples::random_state(model, 1)});
}

}  // namespace
}  // namespace delassus
