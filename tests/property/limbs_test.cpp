// Limbs in lanes against the long-double oracle, on robots of random trees with all constraints that lanes can take.
#include <gtest/gtest.h>

#include "delassus/operators/limb_delassus.hpp"
#include "model/limb_model.hpp"
#include "operators/condensed/plan.hpp"
#include "support/oracle_case.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::column_of;
using testing::Exact;
using testing::for_each_seed;
using testing::kSeeds;
using testing::OracleCase;
using testing::relative_difference;

/// Λ⁻¹ carries the condition number of M, up to 1.2e5 on these trees.
constexpr double kProducts = 1e-11;

/// A bushy tree: of one kind of joints, so that many of its limbs are alike, or of two.
Model bushy_model(int seed) {
  samples::ModelOptions options;
  options.links = 6 + seed % 17;
  options.base = seed % 3 == 0   ? samples::Base::kFixed
                 : seed % 3 == 1 ? samples::Base::kFloating
                                 : samples::Base::kSeveralRoots;
  options.branching = 0.4 + 0.1 * (seed % 5);
  options.kinds = {JointKind::kRevolute};
  if (seed % 4 == 3)
    options.kinds = {JointKind::kRevolute, seed % 8 == 3 ? JointKind::kSpherical : JointKind::kHelical};
  return samples::random_model(seed, options);
}

bool runs_in_lanes(const Model& model, const std::vector<Constraint>& constraints) {
  ConstraintRows<double> rows;
  lower_structure<double>(model, constraints, rows);
  return LimbDelassus<double>(model, rows).in_lanes();
}

/// Of many random constraints those that lanes can take together.
std::vector<Constraint> constraints_in_lanes(const Model& model, int seed) {
  std::vector<Constraint> out;
  for (const Constraint& c : samples::random_constraints(model, seed, 3 + seed % 14)) {
    out.push_back(c);
    if (!runs_in_lanes(model, out)) out.pop_back();
  }
  return out;
}

/// Calls f with each case that is in lanes; most models have a fold.
template <class F>
void for_each_case(int seeds, F&& f) {
  int cases = 0, loops = 0, joints = 0, shared = 0;
  for_each_seed(0, seeds, [&](int seed) {
    Model model = bushy_model(seed);
    if (make_limb_model(model) == nullptr) return;
    std::vector<Constraint> constraints = constraints_in_lanes(model, seed);
    if (constraints.empty()) return;
    const samples::State state = samples::random_state(model, seed);
    const OracleCase<double> c(model, std::move(constraints), state);
    const LimbDelassus<double> op(c.model, c.rows);
    ASSERT_TRUE(op.in_lanes());
    ++cases;
    loops += std::any_of(c.rows.spans.begin(), c.rows.spans.end(), [](const RowSpan& s) { return s.blocks > 1; });
    joints += !c.rows.entries.empty();
    shared += op.plan().nodes.size() + op.plan().groups.list.size() > 0 && op.plan().values > 0;
    f(c);
  });
  if (kSeeds < 200) return;  // with sanitizers there are few, and shares of a few are chance
  EXPECT_GT(cases, seeds / 2);
  EXPECT_GT(loops, seeds / 10);
  EXPECT_GT(joints, seeds / 10);
  EXPECT_GT(shared, seeds / 4);
}

LimbDelassus<double> factored(const OracleCase<double>& c) {
  LimbDelassus<double> op(c.model, c.rows);
  EXPECT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
  return op;
}

TEST(Limbs, ProductsEqualOracle) {
  for_each_case(kSeeds, [](const OracleCase<double>& c) {
    const LimbDelassus<double> op = factored(c);
    testing::expect_products(c, op, kProducts);
    testing::expect_panel_equals_vectors(
        c, [&](const auto& x, auto& y) { op.apply(x, y); },
        [&](const auto& X, const auto& Y) { op.apply_panel(X, Y); });
  });
}

/// (R⁻¹ + Λ⁻¹) z is b to what rounding leaves: ε ‖Λ⁻¹‖ / damping.
void expect_solves(const OracleCase<double>& c, const Exact& R_inverse, double least, const std::vector<double>& b,
                   const std::vector<double>& z) {
  const Exact A = c.matrix + R_inverse;
  EXPECT_LT(relative_difference((A * column_of(z)).entries(), b), std::max(1e-9, 1e-14 * c.norm / least));
}

Exact diagonal_matrix(const std::vector<double>& d) {
  const auto m = static_cast<int>(d.size());
  Exact D(m, m);
  for (int r = 0; r < m; ++r) D(r, r) = d[r];
  return D;
}

TEST(Limbs, DampedSolvesEqualOracle) {
  for_each_case(kSeeds, [](const OracleCase<double>& c) {
    LimbDelassus<double> op = factored(c);
    const std::vector<double> b = c.reachable(2);
    std::vector<double> z(b.size()), each = c.random_vector(c.m(), 3);
    for (const double mu : {1e-2, 1e-4}) {
      ASSERT_TRUE(op.update_damping(mu).ok());
      ASSERT_TRUE(op.solve(b, z).ok());
      expect_solves(c, diagonal_matrix(std::vector<double>(c.m(), mu)), mu, b, z);
    }
    for (double& d : each) d = std::pow(10.0, -2 + d);
    ASSERT_TRUE(op.update_damping(Damping<double>(each)).ok());
    ASSERT_TRUE(op.solve(b, z).ok());
    expect_solves(c, diagonal_matrix(each), 1e-3, b, z);
  });
}

TEST(Limbs, BlocksOfDampingEqualOracle) {
  for_each_case(kSeeds / 2, [](const OracleCase<double>& c) {
    Exact R_inverse(c.m(), c.m());
    std::vector<double> values;
    for (const RowSpan& span : c.rows.spans) {
      if (span.rows > 6) return;
      for (int r = 0; r < span.rows; ++r) {
        for (int k = 0; k < span.rows; ++k) {
          values.push_back(r == k ? 0.02 + 0.01 * r : 0.002);
          R_inverse(span.first_row + r, span.first_row + k) = values.back();
        }
      }
    }
    LimbDelassus<double> op = factored(c);
    const std::vector<double> b = c.reachable(4);
    std::vector<double> z(b.size());
    ASSERT_TRUE(op.update_damping(Damping<double>::blocks(values)).ok());
    ASSERT_TRUE(op.solve(b, z).ok());
    expect_solves(c, R_inverse, 1e-2, b, z);
  });
}

/// From q in lanes, rows are those of the robot's own kinematics but for rounding, and with them the numbers are the same bits,
/// every time.
TEST(Limbs, UpdateIsFactorBitForBit) {
  for_each_case(kSeeds, [](const OracleCase<double>& c) {
    LimbDelassus<double> op(c.model, c.rows), from_q(c.model, c.rows);
    ConstraintRows<double> rows = c.rows;
    std::fill(rows.values.begin(), rows.values.end(), 0.0);
    const std::vector<double> x = c.random_vector(c.m(), 1);
    std::vector<double> want(x.size()), got(x.size());
    for (int k = 0; k < 2; ++k) {
      EXPECT_TRUE(from_q.update(c.model, c.q, c.constraints, rows).ok());
      from_q.apply(x, got);
      EXPECT_TRUE(op.factor({c.model, c.kin, rows}).ok());
      op.apply(x, want);
      EXPECT_EQ(got, want);
    }
    // Positions of links of up to 22 joints, some metres from the world's origin.
    EXPECT_LT(relative_difference(rows.values, c.rows.values), 1e-13);
  });
}

/// One configuration that is no number ends with its name, and the next one is in lanes again, with the same bits as ever.
TEST(Limbs, GoOnAfterABadConfiguration) {
  for_each_case(kSeeds / 4, [](const OracleCase<double>& c) {
    LimbDelassus<double> op(c.model, c.rows);
    ConstraintRows<double> rows = c.rows;
    const std::vector<double> x = c.random_vector(c.m(), 1);
    std::vector<double> want(x.size()), got(x.size());
    const std::vector<double> bad(c.q.size(), std::numeric_limits<double>::quiet_NaN());
    ASSERT_TRUE(op.update(c.model, c.q, c.constraints, rows).ok());
    op.apply(x, want);
    EXPECT_FALSE(op.update(c.model, bad, c.constraints, rows).ok());
    ASSERT_TRUE(op.update(c.model, c.q, c.constraints, rows).ok());
    EXPECT_TRUE(op.in_lanes());
    op.apply(x, got);
    EXPECT_EQ(got, want);
  });
}

}  // namespace
}  // namespace delassus
