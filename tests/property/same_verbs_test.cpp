// Every operator has the same verbs, so that changing one's mind is one word: one program, with each of them, against the oracle.
#include <gtest/gtest.h>

#include "delassus/generate/compile.hpp"
#include "delassus/operators/operator.hpp"
#include "support/compiled_code.hpp"
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

/// A panel whose two columns are the same vector.
struct Pair {
  explicit Pair(const std::vector<double>& x) : numbers(x), rows(static_cast<int>(x.size())) {
    numbers.insert(numbers.end(), x.begin(), x.end());
  }
  MatrixView<double> view() { return {numbers.data(), rows, 2, 1, rows}; }
  void expect_columns(const std::vector<double>& want, double bound) const {
    for (const auto first : {numbers.begin(), numbers.begin() + rows}) {
      EXPECT_LT(testing::relative_difference(std::vector<double>(first, first + rows), want), bound);
    }
  }

  std::vector<double> numbers;
  int rows;
};

template <class Op>
void expect_solutions(const DampedCase& c, Op& op, const testing::SampleDamping& damping) {
  ASSERT_TRUE(op.update_damping(damping.view()).ok());
  const std::vector<double> b = c.random_vector(2);
  std::vector<double> z(b);
  EXPECT_TRUE(op.solve(z, z).ok());
  EXPECT_LT(left_over(damping.added_to(c), z, b), kSolves);
  Pair panel(b);
  EXPECT_TRUE(op.solve_panel(panel.view(), panel.view()).ok());
  panel.expect_columns(z, kSolves);
}

/// Code for the constraints of a state.
struct Compiled : GeneratedDelassus<double> {
  explicit Compiled(const State<double>& state)
      : GeneratedDelassus<double>(compile(state.model(), state.constraints(), {.keep = false})) {}
};

/// The program. Nothing in it knows which operator it is. LCABA says that it takes no blocks for constraints on many links.
template <class Op>
void expect_numbers_of_oracle(const DampedCase& c, bool blocks) {
  State<double> state(c.model, c.constraints);
  ASSERT_TRUE(state.update(c.q).ok());
  Op op(state);
  ASSERT_TRUE(op.factor(state).ok());
  if constexpr (std::same_as<Op, Compiled>) {
    EXPECT_EQ(op.in_code(), test::has_c_compiler() && c.m() > 0) << op.reason();
  }
  EXPECT_EQ(op.rows(), c.m());
  testing::expect_products(c, op, kProducts);
  const std::vector<double> x = c.random_vector(1);
  std::vector<double> y(x.size());
  op.apply(x, y);
  Pair in(x), out(y);
  op.apply_panel(in.view(), out.view());
  out.expect_columns(y, kProducts);
  const double least = 0.1 * c.norm;
  expect_solutions(c, op, testing::scalar_damping(least));
  expect_solutions(c, op, testing::diagonal_damping(c, least, 3));
  if (blocks) expect_solutions(c, op, testing::block_damping(c, least, 4));
  expect_solutions(c, op, testing::unsymmetric_damping(c, least, 5));
  expect_solutions(c, op, testing::diagonal_damping(c, least, 6));
  EXPECT_GT(op.bytes(), sizeof(double) * c.m());
}

template <class Op>
class SameVerbs : public ::testing::Test {};

using Operators =
    ::testing::Types<DenseDelassus<double>, LtlDelassus<double>, KjrDelassus<double>, ChangKhatibDelassus<double>,
                     EfpaDelassus<double>, PvOsimDelassus<double>, PvOsimrDelassus<double>, KktDelassus<double>,
                     LcabaDelassus<double>, CondensedDelassus<double>, LimbDelassus<double>, MatrixFreeDelassus<double>,
                     ThreeMapsDelassus<double>, AnyDelassus<double>, Operator<double>, Compiled>;
TYPED_TEST_SUITE(SameVerbs, Operators);

TYPED_TEST(SameVerbs, GiveTheNumbersOfTheOracle) {
  for (int seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    expect_numbers_of_oracle<TypeParam>(testing::any_random_case(seed), false);
  }
}

TYPED_TEST(SameVerbs, OfAQuadruped) {
  const Model model = testing::quadruped(0);
  expect_numbers_of_oracle<TypeParam>({model, testing::feet(model), samples::random_state(model, 1)}, true);
}

}  // namespace
}  // namespace delassus
