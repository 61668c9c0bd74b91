// The joint-space operator on random systems with loops, rows on joints, on many links, and redundant ones, against the
// long-double oracle.
#include <gtest/gtest.h>

#include <limits>

#include "delassus/operators/kkt.hpp"
#include "math/instantiate.hpp"
#include "support/damped_case.hpp"
#include "support/oracle_case.hpp"
#include "support/scalars_agree.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::column_of;
using testing::Exact;
using testing::for_each_seed;
using testing::kLongSeeds;
using testing::kSeeds;
using testing::OracleCase;
using testing::random_case;
using testing::relative_difference;
using testing::size_of;

/// Λ⁻¹ carries the condition number of M, up to 1.2e5 on these trees.
constexpr double kProducts = 1e-11;
/// The same number times the rounding of float.
constexpr double kFloatProducts = 7e-3;

template <class T>
struct Ready {
  explicit Ready(const OracleCase<T>& c) : op(c.model, c.rows) {
    EXPECT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
  }
  std::vector<T> solve(const Damping<T>& damping, const std::vector<T>& b) {
    std::vector<T> z(b.size());
    EXPECT_TRUE(op.update_damping(damping).ok());
    EXPECT_TRUE(op.solve(b, z).ok());
    return z;
  }
  KktDelassus<T> op;
};

// -------------------------------------------------------------------------------------------- products

void products_equal_oracle(int seed) {
  const OracleCase<double> c = random_case(seed);
  Ready<double> ready(c);
  testing::expect_products(c, ready.op, kProducts);
  // What a damping leaves behind does not show.
  EXPECT_TRUE(ready.op.update_damping(1e-3).ok());
  testing::expect_products(c, ready.op, kProducts);
  testing::expect_panel_equals_vectors(
      c, [&](const auto& x, auto& y) { ready.op.apply(x, y); },
      [&](const auto& X, const auto& Y) { ready.op.apply_panel(X, Y); });
}
TEST(Kkt, ProductsEqualOracle) { for_each_seed(0, kSeeds, products_equal_oracle); }
TEST(LongKkt, ProductsEqualOracle) { for_each_seed(kSeeds, kLongSeeds, products_equal_oracle); }

void float_products_equal_oracle(int seed) {
  const OracleCase<float> c = random_case<float>(seed);
  testing::expect_products(c, Ready<float>(c).op, kFloatProducts);
}
TEST(Kkt, FloatProductsEqualOracle) { for_each_seed(0, kSeeds, float_products_equal_oracle); }

void scalars_agree(int seed) { testing::expect_agrees_with_double<KktDelassus, Counted>(seed, kProducts); }
TEST(Kkt, ScalarsAgree) { for_each_seed(0, 12, scalars_agree); }

// ---------------------------------------------------------------------------------------- damped solves

/// b = Λ⁻¹ x. Then the forces Jᵀz are well determined for any damping, though z itself is only at full rank. Rounding leaves
/// ε ‖Λ⁻¹‖ / damping.
template <class T>
void expect_damped_solve(const OracleCase<T>& c, const Exact& R_inverse, double least, const std::vector<T>& b,
                         const std::vector<T>& z, double floor) {
  const double bound = std::max(floor, 100 * static_cast<double>(std::numeric_limits<T>::epsilon()) * c.norm / least);
  const Exact A = c.matrix + R_inverse, got = column_of(z), want = oracle::solve_positive(A, column_of(b));
  EXPECT_LT(relative_difference((A * got).entries(), b), bound);
  const Exact Jt = oracle::transposed(c.J);
  EXPECT_LT(relative_difference((Jt * got).entries(), (Jt * want).entries(), 1e-12), bound);
}

template <class T>
Exact diagonal_matrix(const std::vector<T>& d) {
  const int m = static_cast<int>(d.size());
  Exact D(m, m);
  for (int r = 0; r < m; ++r) D(r, r) = d[r];
  return D;
}

void damped_solves_equal_oracle(int seed) {
  const OracleCase<double> c = random_case(seed);
  Ready<double> ready(c);
  const std::vector<double> b = c.reachable(2);
  for (const double mu : {1e-2, 1e-4, 1e-6, 1e-8}) {
    SCOPED_TRACE("damping " + std::to_string(mu));
    const std::vector<double> z = ready.solve(mu, b), damping(c.m(), mu);
    expect_damped_solve(c, diagonal_matrix(damping), mu, b, z, 1e-9);
    EXPECT_EQ(ready.solve(damping, b), z);
    // No motion gives these right-hand sides where rows are redundant: solutions are so large then that rounding of their product is above
    // the tolerance.
    Status worst;
    testing::expect_panel_equals_vectors(
        c,
        [&](const auto& x, auto& y) {
          const Status status = ready.op.solve(x, y);
          const double rounding = 1000 * std::numeric_limits<double>::epsilon() * c.norm * size_of(y) / size_of(x);
          EXPECT_TRUE(status.ok() || (rounding > 1e-7 && status.code == Status::Code::kInaccurate));
          if (worst.ok()) worst = status;
        },
        [&](const auto& X, const auto& Y) { EXPECT_EQ(ready.op.solve_panel(X, Y), worst); });
  }
}
TEST(Kkt, DampedSolvesEqualOracle) { for_each_seed(0, kSeeds, damped_solves_equal_oracle); }
TEST(LongKkt, DampedSolvesEqualOracle) { for_each_seed(kSeeds, kLongSeeds, damped_solves_equal_oracle); }

/// Seven digits less the conditioning of M, as the products.
void float_damped_solves_equal_oracle(int seed) {
  const OracleCase<float> c = random_case<float>(seed);
  const std::vector<float> b = c.reachable(2), damping(c.m(), 1.0F);
  expect_damped_solve(c, diagonal_matrix(damping), 1, b, Ready<float>(c).solve(1.0F, b), kFloatProducts);
}
TEST(Kkt, FloatDampedSolvesEqualOracle) { for_each_seed(0, kSeeds, float_damped_solves_equal_oracle); }

/// Rows differ in their damping, from 1e-3 to 1e-1.
std::vector<double> random_damping(const OracleCase<double>& c, int stream) {
  std::vector<double> damping = c.random_vector(c.m(), stream);
  for (double& d : damping) d = std::pow(10.0, -2 + d);
  return damping;
}

void diagonal_damping_equals_oracle(int seed) {
  const OracleCase<double> c = random_case(seed);
  const std::vector<double> b = c.reachable(2), damping = random_damping(c, 3);
  expect_damped_solve(c, diagonal_matrix(damping), 1e-3, b, Ready<double>(c).solve(damping, b), 1e-9);
}
TEST(Kkt, DiagonalDampingEqualsOracle) { for_each_seed(0, kSeeds, diagonal_damping_equals_oracle); }

/// G Gᵀ + 1 of random G, times `scale`, for each constraint. Above the diagonal stands what nobody may read.
struct Blocks {
  Blocks(const OracleCase<double>& c, double scale) : matrix(c.m(), c.m()) {
    for (const RowSpan& span : c.rows.spans) {
      const std::vector<double> G = c.random_vector(span.rows * span.rows, 20 + span.first_row);
      for (int r = 0; r < span.rows; ++r) {
        for (int k = 0; k < span.rows; ++k) {
          double sum = r == k ? 1 : 0;
          for (int l = 0; l < span.rows; ++l) sum += G[r * span.rows + l] * G[k * span.rows + l];
          matrix(span.first_row + r, span.first_row + k) = scale * sum;
          values.push_back(k > r ? std::numeric_limits<double>::quiet_NaN() : scale * sum);
        }
      }
    }
  }
  std::vector<double> values;
  Exact matrix;
};
void block_damping_equals_oracle(int seed) {
  const OracleCase<double> c = random_case(seed);
  const std::vector<double> b = c.reachable(2);
  for (const double scale : {1e-2, 1e-4, 1e-6, 1e-8}) {
    const Blocks blocks(c, scale);
    const std::vector<double> z = Ready<double>(c).solve(Damping<double>::blocks(blocks.values), b);
    expect_damped_solve(c, blocks.matrix, scale, b, z, 1e-9);
  }
}
TEST(Kkt, BlockDampingEqualsOracle) { for_each_seed(0, kSeeds, block_damping_equals_oracle); }

/// Both rows of the system hold. Measured in what M and J multiply; λ is as large as the damping lets it be.
void system_equals_oracle(int seed) {
  const OracleCase<double> c = random_case(seed);
  Ready<double> ready(c);
  const std::vector<double> damping = random_damping(c, 3), b = c.random_vector(c.m(), 4),
                            tau = c.random_vector(c.model.nv(), 5);
  std::vector<double> acceleration(tau.size()), lambda(b.size()), z(b.size());
  ASSERT_TRUE(ready.op.update_damping(damping).ok());
  ASSERT_TRUE(ready.op.solve_system(tau, b, acceleration, lambda).ok());
  const Exact nu = column_of(acceleration), force = column_of(lambda), Jt = oracle::transposed(c.J);
  const double bound = std::max(1e-9, 100 * std::numeric_limits<double>::epsilon() * c.norm / 1e-3);
  EXPECT_LT(relative_difference((c.M * nu).entries(), (column_of(tau) + Jt * force).entries()), bound);
  const Exact right = c.J * nu + diagonal_matrix(damping) * force;
  EXPECT_LT(relative_difference(right.entries(), b, testing::norm_of(c.J * nu)), bound);
  // Without forces on joints it is the damped solve.
  ASSERT_TRUE(ready.op.solve_system(std::vector<double>(tau.size()), b, acceleration, lambda).ok());
  ASSERT_TRUE(ready.op.solve(b, z).ok());
  EXPECT_EQ(lambda, z);
}
TEST(Kkt, SystemEqualsOracle) { for_each_seed(0, kSeeds, system_equals_oracle); }

/// Of regular rows none need damping.
TEST(Kkt, HardRowsOfFullRank) {
  const Model model = samples::random_model(5);
  const OracleCase<double> c(model, {samples::random_constraints(model, 5, 1)}, samples::random_state(model, 5));
  const std::vector<double> b = c.random_vector(c.m(), 2), z = Ready<double>(c).solve(0.0, b);
  EXPECT_LT(relative_difference((c.matrix * column_of(z)).entries(), b), kProducts);
}
TEST(Kkt, RedundantRowsNeedDamping) {
  const OracleCase<double> c = random_case(8);
  Ready<double> ready(c);
  std::vector<double> z(c.m(), 1.0);
  EXPECT_EQ(ready.op.update_damping(0.0).code, Status::Code::kNotPositive);
  EXPECT_EQ(ready.op.solve(z, z).code, Status::Code::kBadArgument);
  ready.solve(1e-3, z);
}

// ----------------------------------------------------------------------------------------- determinism

void redamped_equals_fresh(int seed) {
  const OracleCase<double> c = random_case(seed);
  const std::vector<double> damping = random_damping(c, 3), b = c.random_vector(c.m(), 4);
  Ready<double> used(c), fresh(c);
  used.solve(random_damping(c, 5), b);
  EXPECT_EQ(used.solve(damping, b), fresh.solve(damping, b));
  std::vector<double> in_place = b;
  EXPECT_TRUE(used.op.solve(in_place, in_place).ok());
  EXPECT_EQ(in_place, fresh.solve(damping, b));
}
TEST(Kkt, RedampedEqualsFresh) { for_each_seed(0, kSeeds, redamped_equals_fresh); }

/// What other rows left behind does not show; no rows are rows too.
void used_equals_fresh(int seed) {
  const OracleCase<double> c = random_case(seed);
  const std::vector<double> damping = random_damping(c, 3), b = c.random_vector(c.m(), 4);
  const std::vector<double> want = Ready<double>(c).solve(damping, b);
  Ready<double> used(c);
  const std::vector<Constraint> one(c.constraints.begin(), c.constraints.begin() + 1);
  for (const auto& others : {one, std::vector<Constraint>{}}) {
    ConstraintRows<double> rows;
    lower_structure(c.model, others, rows);
    ASSERT_TRUE(lower_values(c.model, c.kin, others, rows).ok());
    ASSERT_TRUE(used.op.factor({c.model, c.kin, rows}).ok());
    used.solve(1.0, std::vector<double>(rows.num_rows(), 1.0));
  }
  ASSERT_TRUE(used.op.factor({c.model, c.kin, c.rows}).ok());
  EXPECT_EQ(used.solve(damping, b), want);
}
TEST(Kkt, UsedEqualsFresh) { for_each_seed(0, 40, used_equals_fresh); }

}  // namespace
}  // namespace delassus
