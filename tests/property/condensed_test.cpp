// The condensed tree on random systems, against the long-double oracle: every form, order and kind of damping.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "delassus/delassus/condensed.hpp"
#include "support/compare.hpp"
#include "support/oracle_case.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::any_random_case;
using testing::block_damping;
using testing::clutter;
using testing::converted;
using testing::diagonal_damping;
using testing::Exact;
using testing::exact_column;
using testing::for_each_seed;
using testing::kLongSeeds;
using testing::kSeeds;
using testing::OracleCase;
using testing::relative_difference;
using testing::SampleDamping;
using testing::scalar_damping;
using testing::size_of;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr ConstraintForm kForms[] = {ConstraintForm::kCheapest, ConstraintForm::kStiffness,
                                     ConstraintForm::kLoopMultipliers, ConstraintForm::kAllMultipliers};
constexpr Condense kCondense[] = {Condense::kTips, Condense::kNothing};

/// What a test found, for --gtest_also_run_disabled_tests and for the reasons beside tolerances.
void keep_worst(const std::string& name, double value) {
  static std::map<std::string, double> worst;
  double& most = worst[name];
  if (value <= most) return;
  most = value;
  ::testing::Test::RecordProperty(name, std::to_string(value));
}

std::string describe(const CondensedOptions& o) {
  return "form " + std::to_string(static_cast<int>(o.form)) + ", condense " + std::to_string(static_cast<int>(o.condense)) +
         ", order " + std::to_string(static_cast<int>(o.order)) + ", seed of the order " + std::to_string(o.seed);
}

/// Calls f with all forms, carried and not.
template <class F>
void for_each_form(F&& f) {
  for (const ConstraintForm form : kForms) {
    for (const Condense condense : kCondense) {
      CondensedOptions options;
      options.form = form;
      options.condense = condense;
      SCOPED_TRACE(describe(options));
      f(options);
    }
  }
}

struct Ready {
  Ready(const OracleCase& c, const CondensedOptions& options) : op(c.model, c.rows, options) {
    EXPECT_TRUE(op.factor(c.model, c.kin, c.rows).ok());
  }
  std::vector<double> solve(const Damping<double>& damping, const std::vector<double>& b) {
    std::vector<double> z(b.size(), 1e9);
    EXPECT_TRUE(op.update_damping(damping).ok());
    EXPECT_TRUE(op.solve_damped(b, z).ok());
    return z;
  }
  CondensedDelassus<double> op;
};

// -------------------------------------------------------------------------------------------- products

/// Λ⁻¹ carries the condition number of M, up to 1.2e5 on these trees.
constexpr double kProducts = 1e-11;

void expect_products(const OracleCase& c, const CondensedOptions& options) {
  SCOPED_TRACE(describe(options));
  Ready ready(c, options);
  const int m = c.m(), columns = 11;  // a panel of eight and one that is not full
  std::vector<double> A(static_cast<std::size_t>(m) * m, 1e9), diagonal(m, 1e9), y(m, 1e9), response(c.model.nv(), 1e9);
  ready.op.dense(MatrixView<double>(A.data(), m, m));
  EXPECT_LT(relative_difference(A, c.exact.entries()), kProducts);
  ready.op.diagonal(diagonal);
  for (int r = 0; r < m; ++r) {
    EXPECT_EQ(diagonal[r], A[r * m + r]);
    for (int k = 0; k < m; ++k) EXPECT_EQ(A[r * m + k], A[k * m + r]);
  }
  // The columns of x one after the other, those of y side by side.
  std::vector<double> x, panel(static_cast<std::size_t>(m) * columns, 1e9);
  for (int k = 0; k < columns; ++k) {
    const std::vector<double> column = c.random_vector(k);
    x.insert(x.end(), column.begin(), column.end());
  }
  ready.op.apply_panel(MatrixView<const double>(x.data(), m, columns, 1, m), MatrixView<double>(panel.data(), m, columns));
  for (const int k : {0, 7, 8, columns - 1}) {
    const std::vector<double> in = c.random_vector(k);
    const Exact want = c.exact * exact_column(in);
    ready.op.apply(in, y);
    EXPECT_LT(relative_difference(y, want.entries(), c.norm), kProducts);
    for (int r = 0; r < m; ++r) EXPECT_NEAR(panel[r * columns + k], want(r, 0), kProducts * c.norm);
  }
  // M ν̇ = Jᵀ x: the accelerations of all joints, also of those that no row feels.
  const std::vector<double> in = c.random_vector(1);
  ready.op.joint_response(in, response);
  const Exact M = oracle::inertia_matrix<long double>(c.model, converted<long double>(c.state.q));
  const Exact want = oracle::solve_positive(M, oracle::transposed(c.J) * exact_column(in));
  EXPECT_LT(relative_difference(response, want.entries()), kProducts);
}

void products_equal_oracle(int seed) {
  const OracleCase c = any_random_case(seed);
  for (const Condense condense : kCondense) {
    CondensedOptions options;
    options.condense = condense;
    options.form = kForms[seed % 4];  // the form decides how the nodes are ordered
    expect_products(c, options);
    options.order = NodeOrder::kRandom;
    options.seed = seed;
    expect_products(c, options);
  }
}
TEST(Condensed, ProductsEqualOracle) { for_each_seed(0, kSeeds, products_equal_oracle); }
TEST(LongCondensed, ProductsEqualOracle) { for_each_seed(kSeeds, kLongSeeds, products_equal_oracle); }
TEST(Condensed, ProductsOfClutter) { expect_products(clutter(10), {}); }

// ---------------------------------------------------------------------------------------- damped solves

/// What rounding may do to a damped solve, with nine digits to spare at least.
double rounding_bound(const OracleCase& c, const SampleDamping& d) {
  return std::max(1e-9, 100 * kEpsilon * c.norm / d.least);
}

/// b = Λ⁻¹ x as accelerations of constraints are: then the forces Jᵀz are well determined for any damping, though z itself is
/// only at full rank.
struct Problem {
  Problem(const OracleCase& c, const SampleDamping& d, const std::vector<double>& rhs)
      : damping(d), b(rhs), A(d.added_to(c)), JT(oracle::transposed(c.J)) {
    z = oracle::solve_positive(A, exact_column(b));
    force = JT * z;
  }
  double residual(const std::vector<double>& got) const {
    return relative_difference((A * exact_column(got)).entries(), b);
  }
  double force_error(const std::vector<double>& got) const {
    return relative_difference((JT * exact_column(got)).entries(), force.entries(), 1e-12);
  }
  SampleDamping damping;
  std::vector<double> b;
  Exact A, JT, z, force;
};

std::vector<double> right_hand_side(const OracleCase& c) {
  const Exact b = c.exact * exact_column(c.random_vector(2));
  return {b.entries().begin(), b.entries().end()};
}

std::vector<SampleDamping> all_kinds(const OracleCase& c, double least, int stream) {
  return {scalar_damping(least), diagonal_damping(c, least, stream), block_damping(c, least, stream)};
}

/// What solve_damped promises where it says ok, in its own words.
constexpr double kAccurate = 1e-8;

/// The operator measures with its own product, whose rounding is far below.
void expect_truthful(const Status& status, double residual) {
  if (status.ok()) {
    EXPECT_LT(residual, 1.01 * kAccurate);
  } else {
    EXPECT_EQ(status.code, Status::Code::kInaccurate);
    EXPECT_FALSE(residual < 0.99 * kAccurate);
  }
}

void expect_solves(const OracleCase& c, const CondensedOptions& options, const Problem& p, bool full_rank) {
  Ready ready(c, options);
  std::vector<double> z(c.m(), 1e9);
  ASSERT_TRUE(ready.op.update_damping(p.damping.view()).ok());
  const Status status = ready.op.solve_damped(p.b, z);
  const double bound = rounding_bound(c, p.damping);
  const double residual = p.residual(z), force = p.force_error(z);
  expect_truthful(status, residual);
  if (bound < kAccurate / 10) EXPECT_TRUE(status.ok());
  EXPECT_LT(residual, bound);
  EXPECT_LT(force, bound);
  keep_worst("residual_over_bound", residual / bound);
  keep_worst("force_over_bound", force / bound);
  if (full_rank) {
    const double error = relative_difference(z, p.z.entries());
    EXPECT_LT(error, 1e-9);
    keep_worst("z_at_full_rank", error * 1e9);
  }
}

void expect_damped_solves(const OracleCase& c, int seed) {
  const Spectrum spectrum = c.spectrum();
  const bool full_rank = spectrum.smallest > 1e-3 * spectrum.largest;
  const std::vector<double> b = right_hand_side(c);
  int stream = 100;
  for (const double mu : {1e-2, 1e-4, 1e-6, 1e-8}) {
    for (const SampleDamping& d : all_kinds(c, mu, ++stream)) {
      SCOPED_TRACE("damping " + std::to_string(std::log10(mu)) + " of kind " + std::to_string(static_cast<int>(d.kind)));
      const Problem p(c, d, b);
      for_each_form([&](CondensedOptions options) {
        if (seed % 2 == 1) {
          options.order = NodeOrder::kRandom;
          options.seed = seed;
        }
        expect_solves(c, options, p, full_rank);
      });
      if (::testing::Test::HasFailure()) return;
    }
  }
}
void damped_solves_equal_oracle(int seed) { expect_damped_solves(any_random_case(seed), seed); }
TEST(Condensed, DampedSolvesEqualOracle) { for_each_seed(0, kSeeds, damped_solves_equal_oracle); }
TEST(LongCondensed, DampedSolvesEqualOracle) { for_each_seed(kSeeds, kLongSeeds, damped_solves_equal_oracle); }
TEST(Condensed, DampedSolvesOfClutter) { expect_damped_solves(clutter(6), 0); }

}  // namespace
}  // namespace delassus
