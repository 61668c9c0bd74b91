// What operators that have the matrix do with it: damping of every kind, and panels.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "delassus/delassus.hpp"
#include "support/compare.hpp"
#include "support/configured.hpp"
#include "support/random_system.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::Configured;
using testing::converted;
using testing::for_each_seed;
using testing::kLongSeeds;
using testing::kSeeds;
using testing::relative_difference;

using Exact = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// Damping is at least this fraction of the largest entry of Λ⁻¹. With it the condition number of the sum, which times
/// rounding is what solves may differ by, is at most 1 + m / kFraction.
constexpr double kFraction = 0.1;

struct Case {
  explicit Case(int seed)
      : model(samples::random_model(seed)),
        constraints(samples::random_constraints(model, seed, 1 + seed % 12)),
        state(samples::random_state(model, seed)),
        at(model, constraints, state.q),
        op(kExplicitAlgorithms[seed % kExplicitAlgorithms.size()], model, at.rows),
        random(seed, 9) {
    EXPECT_TRUE(op.factor({model, at.kin, at.rows}).ok());
    m = op.rows();
    std::vector<double> diagonal(m);
    op.diagonal(diagonal);
    least = kFraction * *std::max_element(diagonal.begin(), diagonal.end());
  }

  std::vector<double> vector(int size) {
    std::vector<double> x(size);
    for (double& e : x) e = random.uniform(-1, 1);
    return x;
  }
  /// For each constraint B Bᵀ plus the least damping, lower triangles only: what is above is not to be read.
  std::vector<double> blocks() {
    std::vector<double> all;
    for (const RowSpan& span : at.rows.spans) {
      const int k = span.rows;
      const std::vector<double> B = vector(k * k);
      for (int r = 0; r < k; ++r) {
        for (int c = 0; c < k; ++c) {
          double sum = r == c ? least : 0;
          for (int i = 0; i < k; ++i) sum += least * B[r * k + i] * B[c * k + i];
          all.push_back(c <= r ? sum : std::numeric_limits<double>::quiet_NaN());
        }
      }
    }
    return all;
  }
  /// Λ⁻¹ of the oracle and the lower triangles of blocks.
  Exact damped(const std::vector<double>& blocks) const {
    Exact A(m, m);
    const auto matrix = oracle::delassus_matrix<long double>(model, constraints, converted<long double>(state.q));
    for (int r = 0; r < m; ++r) {
      for (int c = 0; c < m; ++c) A(r, c) = matrix.entries()[r * m + c];
    }
    const double* block = blocks.data();
    for (const RowSpan& span : at.rows.spans) {
      for (int r = 0; r < span.rows; ++r) {
        for (int c = 0; c < span.rows; ++c) {
          A(span.first_row + r, span.first_row + c) += block[std::max(r, c) * span.rows + std::min(r, c)];
        }
      }
      block += span.rows * span.rows;
    }
    return A;
  }
  std::vector<double> solve(const Damping<double>& damping, const std::vector<double>& b) {
    std::vector<double> z(m);
    EXPECT_TRUE(op.update_damping(damping).ok());
    EXPECT_TRUE(op.solve(b, z).ok());
    return z;
  }

  Model model;
  std::vector<Constraint> constraints;
  samples::State state;
  Configured<double> at;
  AnyDelassus<double> op;
  samples::Random random;
  int m = 0;
  double least = 0;
};

/// The matrix of every algorithm is within 2e-12 of the oracle's (explicit_test.cpp), and the solve multiplies that by at
/// most the condition number.
void blocks_equal_oracle(int seed) {
  Case c(seed);
  const std::vector<double> blocks = c.blocks(), b = c.vector(c.m);
  const std::vector<double> z = c.solve(Damping<double>::blocks(blocks), b);
  const Exact want = c.damped(blocks).llt().solve(Eigen::Map<const Eigen::VectorXd>(b.data(), c.m).cast<long double>());
  EXPECT_LT(relative_difference(z, std::vector<long double>(want.data(), want.data() + c.m)),
            2e-12 * (1 + c.m / kFraction));
}
TEST(Damping, BlocksEqualOracle) { for_each_seed(0, kSeeds, blocks_equal_oracle); }
TEST(LongDamping, BlocksEqualOracle) { for_each_seed(kSeeds, kLongSeeds, blocks_equal_oracle); }

/// One number, the same for each row, and on the diagonal of blocks: the same sums, so the same bits.
void kinds_agree(int seed) {
  Case c(seed);
  const double d = c.least;
  std::vector<double> blocks;
  for (const RowSpan& span : c.at.rows.spans) {
    for (int r = 0; r < span.rows; ++r) {
      for (int k = 0; k < span.rows; ++k) blocks.push_back(r == k ? d : 0);
    }
  }
  const std::vector<double> b = c.vector(c.m);
  const std::vector<double> z = c.solve(d, b);
  EXPECT_EQ(c.solve(std::vector<double>(c.m, d), b), z);
  EXPECT_EQ(c.solve(Damping<double>::blocks(blocks), b), z);
}
TEST(Damping, KindsAgree) { for_each_seed(0, kSeeds, kinds_agree); }

/// Columns of panels in either storage order, beside columns that are not part of them.
void panels_equal_vectors(int seed) {
  Case c(seed);
  const int columns = seed % 20, stride = columns + 3;
  ASSERT_TRUE(c.op.update_damping(Damping<double>::blocks(c.blocks())).ok());
  for (const bool by_rows : {true, false}) {
    std::vector<double> in = c.vector(c.m * stride), solved(in.size(), 7.0), product(in.size(), 7.0);
    const auto panel = [&](auto* data) {
      return by_rows ? MatrixView(data, c.m, columns, stride, 1) : MatrixView(data, c.m, columns, 1, c.m);
    };
    const MatrixView<const double> x = panel(std::as_const(in).data());
    const MatrixView<double> y = panel(product.data()), z = panel(solved.data());
    c.op.apply_panel(x, y);
    ASSERT_TRUE(c.op.solve_panel(x, z).ok());
    std::vector<double> one(c.m), one_y(c.m), one_z(c.m), got_y(c.m), got_z(c.m);
    for (int k = 0; k < columns; ++k) {
      for (int r = 0; r < c.m; ++r) one[r] = x(r, k), got_y[r] = y(r, k), got_z[r] = z(r, k);
      c.op.apply(one, one_y);
      ASSERT_TRUE(c.op.solve(one, one_z).ok());
      // Sums of m products no larger than the largest entry, over a result that may be as small as the least damping.
      EXPECT_LT(relative_difference(got_y, one_y, c.least), 2 * c.m * kEpsilon * c.m / kFraction);
      EXPECT_LT(relative_difference(got_z, one_z), 6 * c.m * kEpsilon * (1 + c.m / kFraction));
    }
    const auto touched = [](const std::vector<double>& v) {
      return static_cast<int>(v.size()) - static_cast<int>(std::count(v.begin(), v.end(), 7.0));
    };
    EXPECT_EQ(touched(product), c.m * columns);
    EXPECT_EQ(touched(solved), c.m * columns);
    ASSERT_TRUE(c.op.solve_panel(x, panel(in.data())).ok());
    for (int k = 0; k < columns; ++k) {
      for (int r = 0; r < c.m; ++r) EXPECT_EQ(x(r, k), z(r, k));
    }
  }
}
TEST(Damping, PanelsEqualVectors) { for_each_seed(0, kSeeds, panels_equal_vectors); }

/// Zero is damping enough where no row depends on others: then damped solves undo products.
TEST(Damping, NoneIsNeededForIndependentRows) {
  const Model model = samples::random_model(4);
  std::vector<Constraint> friction;
  for (int joint = 0; joint < model.num_links(); ++joint) {
    if (model.link(joint).nv == 1) friction.emplace_back(JointFriction{"friction", joint});
  }
  const Configured<double> at(model, friction, samples::random_state(model, 4).q);
  DenseDelassus<double> op(model, at.rows);
  ASSERT_TRUE(op.factor({model, at.kin, at.rows}).ok());
  std::vector<double> x(op.rows(), 1.0), y(op.rows()), z(op.rows());
  ASSERT_GT(op.rows(), 1);
  ASSERT_TRUE(op.update_damping(0.0).ok());
  op.apply(x, y);
  ASSERT_TRUE(op.solve(y, z).ok());
  EXPECT_LT(relative_difference(z, x), 1.2e5 * 1e-15);  // condition numbers of these trees, times a few roundings
}

/// Negative or no number: the row is named, there is no damping then, and the next one is taken.
TEST(Damping, BadDampingIsNamedAndForgotten) {
  Case c(17);
  ASSERT_GT(c.m, 6);
  const std::vector<double> b = c.vector(c.m);
  std::vector<double> z(c.m);
  const std::vector<double> good = c.solve(c.least, b);
  const auto refuses = [&](const Damping<double>& damping, int row, bool number) {
    const Status::Code code = number ? Status::Code::kNotPositive : Status::Code::kNotFinite;
    EXPECT_EQ(c.op.update_damping(damping), (Status{code, row}));
    EXPECT_EQ(c.op.solve(b, z).code, Status::Code::kBadArgument);
    EXPECT_EQ(c.solve(c.least, b), good);
  };
  for (const double bad : {-1e-9, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const bool number = std::isfinite(bad);
    refuses(bad, 0, number);
    std::vector<double> diagonal(c.m, c.least);
    diagonal[5] = bad;
    refuses(diagonal, 5, number);
    std::vector<double> blocks = c.blocks();
    const RowSpan& last = c.at.rows.spans.back();
    blocks[blocks.size() - static_cast<std::size_t>(last.rows) * last.rows] = bad;
    refuses(Damping<double>::blocks(blocks), last.first_row, number);
  }
}

}  // namespace
}  // namespace delassus
