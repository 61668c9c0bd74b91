// J̄ = M⁻¹ Jᵀ Λ by every explicit operator, against the long-double oracle.
#include <gtest/gtest.h>

#include "delassus/io/load.hpp"
#include "delassus/operators/any_delassus.hpp"
#include "math/instantiate.hpp"
#include "operators/explicit_methods.hpp"
#include "scenes/generated.hpp"
#include "support/configured.hpp"
#include "support/oracle_case.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::Exact;
using testing::for_each_seed;
using testing::OracleCase;
using testing::relative_difference;

/// How much of its diagonal entry a row has to keep, beside what the rows before it explain, to be taken.
constexpr long double kIndependent = 1e-2L;
/// Λ⁻¹ has lost 2e-12 to the condition of M (explicit_test.cpp), and Λ loses as many digits more as kIndependent has zeros.
/// Measured over 200 seeds and all robots: 5e-12 of J̄, 4e-11 in J J̄, whose terms are up to a thousand.
constexpr double kSolves = 1e-10;
/// The same with the rounding of float. Measured: 2e-3 and 9e-3.
constexpr double kFloat = 5e-2;
/// Each of them also takes the oracle once for every constraint.
constexpr int kCases = 60;

/// Whether every pivot of a Cholesky factorization is that much of the diagonal entry that it is left of.
bool has_inverse(Exact A) {
  std::vector<long double> diagonal;
  for (int k = 0; k < A.rows(); ++k) diagonal.push_back(A(k, k));
  for (int k = 0; k < A.rows(); ++k) {
    if (!(A(k, k) > kIndependent * diagonal[k])) return false;  // also where a row is zero
    for (int r = k + 1; r < A.rows(); ++r) {
      for (int c = k + 1; c <= r; ++c) A(r, c) -= A(r, k) * A(c, k) / A(k, k);
    }
  }
  return true;
}

/// Those that have a Λ together, in their order.
std::vector<Constraint> independent(const Model& model, const std::vector<Constraint>& all,
                                    const std::vector<double>& q) {
  const auto exact_q = testing::converted<long double>(q);
  std::vector<Constraint> kept;
  for (const Constraint& c : all) {
    kept.push_back(c);
    if (!has_inverse(oracle::delassus_matrix<long double>(model, kept, exact_q))) kept.pop_back();
  }
  return kept;
}

template <class T = double>
OracleCase<T> random_case(int seed) {
  Model model = samples::random_model(seed);
  const samples::State state = samples::random_state(model, seed);
  std::vector<Constraint> list = independent(model, samples::random_constraints(model, seed, 3 + seed % 10), state.q);
  return {model, std::move(list), state};
}

template <class T>
Exact exact_inverse(const OracleCase<T>& c) {
  const Exact response = oracle::solve_positive(c.M, oracle::transposed(c.J));
  return oracle::transposed(oracle::solve_positive(c.matrix, oracle::transposed(response)));
}

template <class T, class Operator>
std::vector<T> inverse_by(const OracleCase<T>& c, Operator& op) {
  std::vector<T> out(static_cast<std::size_t>(c.model.nv()) * c.m(), T(1e9));
  EXPECT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
  EXPECT_TRUE(op.consistent_inverse(MatrixView<T>(out.data(), c.model.nv(), c.m())).ok());
  return out;
}

/// J̄ to the bound of its largest entry, and J J̄ = 1 to the bound itself.
template <class T>
void expect_inverse(const OracleCase<T>& c, const std::vector<T>& got, double bound) {
  EXPECT_LT(relative_difference(got, exact_inverse(c).entries()), bound);
  const Exact one = c.J * Exact(c.model.nv(), c.m(), testing::converted<long double>(got));
  for (int r = 0; r < c.m(); ++r) {
    for (int k = 0; k < c.m(); ++k) EXPECT_NEAR(static_cast<double>(one(r, k)), r == k ? 1 : 0, bound);
  }
}

template <class Operator>
struct ConsistentInverse : ::testing::Test {};
using Operators =
    ::testing::Types<DenseDelassus<double>, LtlDelassus<double>, KjrDelassus<double>, ChangKhatibDelassus<double>,
                     EfpaDelassus<double>, PvOsimDelassus<double>, PvOsimrDelassus<double>>;
TYPED_TEST_SUITE(ConsistentInverse, Operators);

/// Trees with one and several roots, floating and not; rows on links, between links, on many, on joints.
TYPED_TEST(ConsistentInverse, EqualsOracle) {
  int rows = 0;
  std::vector<int> kinds(std::variant_size_v<Constraint>);
  for_each_seed(0, kCases, [&](int seed) {
    const OracleCase<double> c = random_case(seed);
    TypeParam op(c.model, c.rows);
    expect_inverse(c, inverse_by(c, op), kSolves);
    rows += c.m();
    for (const Constraint& k : c.constraints) ++kinds[k.index()];
  });
  EXPECT_GT(rows, 5 * kCases);
  for (const int count : kinds) EXPECT_GT(count, 10);
}

TYPED_TEST(ConsistentInverse, EqualsOracleOnRobots) {
  for (const char* name : {"anymal_like", "atlas", "cassie", "delta", "four_bar", "g1", "go2", "icub_like", "panda",
                           "shadow_like", "solo_like", "stewart", "talos_like"}) {
    SCOPED_TRACE(name);
    Scene scene = load_embedded_robot(name);
    const samples::State state = samples::random_state(scene.model, 5);
    const std::vector<Constraint> more = samples::random_constraints(scene.model, 5, 4);
    scene.constraints.insert(scene.constraints.end(), more.begin(), more.end());
    std::vector<Constraint> kept = independent(scene.model, scene.constraints, state.q);
    ASSERT_FALSE(kept.empty());
    const OracleCase<double> c(scene.model, std::move(kept), state);
    TypeParam op(c.model, c.rows);
    expect_inverse(c, inverse_by(c, op), kSolves);
  }
}

/// Whatever it computed before, and in any layout of the result; the damping that there is stays.
TYPED_TEST(ConsistentInverse, UsedOperatorGivesTheSameBits) {
  for_each_seed(0, 30, [](int seed) {
    const OracleCase<double> c = random_case(seed);
    const samples::State elsewhere = samples::random_state(c.model, seed + 1000);
    const OracleCase<double> other(
        c.model, independent(c.model, samples::random_constraints(c.model, seed + 1000, 5), elsewhere.q), elsewhere);
    TypeParam fresh(c.model, c.rows), used(c.model);
    inverse_by(other, used);
    const std::vector<double> want = inverse_by(c, fresh);
    EXPECT_EQ(inverse_by(c, used), want);

    const std::vector<double> b = c.random_vector(c.m(), 1);
    std::vector<double> before(c.m()), after(c.m()), by_columns(want.size());
    ASSERT_TRUE(used.update_damping(0.5).ok());
    ASSERT_TRUE(used.solve(b, before).ok());
    const MatrixView<double> columns(by_columns.data(), c.model.nv(), c.m(), 1, c.model.nv());
    ASSERT_TRUE(used.consistent_inverse(columns).ok());
    ASSERT_TRUE(used.solve(b, after).ok());
    EXPECT_EQ(before, after);
    for (int r = 0; r < c.model.nv(); ++r) {
      for (int k = 0; k < c.m(); ++k) EXPECT_EQ(columns(r, k), want[static_cast<std::size_t>(r) * c.m() + k]);
    }
  });
}

TYPED_TEST(ConsistentInverse, NamesTheRowThatDepends) {
  samples::System s = samples::duplicated_constraint();  // rows 6 to 11 are rows 0 to 5
  const OracleCase<double> c(s.model, std::move(s.constraints), s.state);
  std::vector<double> out(static_cast<std::size_t>(c.model.nv()) * c.m());
  const MatrixView<double> J_bar(out.data(), c.model.nv(), c.m());
  TypeParam op(c.model, c.rows);
  EXPECT_EQ(op.consistent_inverse(J_bar).code, Status::Code::kBadArgument) << "there is no matrix yet";
  ASSERT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
  EXPECT_EQ(op.consistent_inverse(J_bar), (Status{Status::Code::kNotPositive, 6}));
  EXPECT_EQ(op.consistent_inverse(MatrixView<double>(out.data(), c.m(), c.m())).code, Status::Code::kBadArgument);
  EXPECT_EQ(op.consistent_inverse(MatrixView<double>(out.data(), c.model.nv(), 1)).code, Status::Code::kBadArgument);
}

TYPED_TEST(ConsistentInverse, HasNoColumnsWithoutRows) {
  const Model model = samples::random_model(3);
  const OracleCase<double> c(model, {}, samples::random_state(model, 3));
  TypeParam op(c.model);
  EXPECT_TRUE(inverse_by(c, op).empty());
}

template <class Operator>
void expect_inverse_in_float() {
  for_each_seed(0, kCases, [](int seed) {
    const OracleCase<float> c = random_case<float>(seed);
    Operator op(c.model, c.rows);
    expect_inverse(c, inverse_by(c, op), kFloat);
  });
}
TEST(ConsistentInverseInFloat, EfpaEqualsOracle) { expect_inverse_in_float<EfpaDelassus<float>>(); }
TEST(ConsistentInverseInFloat, LtlEqualsOracle) { expect_inverse_in_float<LtlDelassus<float>>(); }

/// Four configurations at once, for who runs environments in lanes.
TEST(ConsistentInverseInLanes, LtlEqualsScalars) {
  const ConstrainedModel s = make_generated_scene("asimo-hf");
  std::vector<std::vector<double>> want;
  std::vector<PackDoubles> q(s.model.nq());
  for (int lane = 0; lane < PackDoubles::kWidth; ++lane) {
    const OracleCase<double> c(s.model, s.constraints, samples::random_state(s.model, lane));
    for (int k = 0; k < s.model.nq(); ++k) q[k].set(lane, c.q[k]);
    LtlDelassus<double> op(s.model, c.rows);
    want.push_back(inverse_by(c, op));
  }
  const testing::Configured<PackDoubles> at(s.model, s.constraints, q);
  PvOsimrDelassus<PackDoubles> op(s.model, at.rows);
  std::vector<PackDoubles> out(want[0].size());
  ASSERT_TRUE(op.factor({s.model, at.kin, at.rows}).ok());
  ASSERT_TRUE(op.consistent_inverse(MatrixView<PackDoubles>(out.data(), s.model.nv(), at.rows.num_rows())).ok());
  for (int lane = 0; lane < PackDoubles::kWidth; ++lane) {
    std::vector<double> got;
    for (const PackDoubles& x : out) got.push_back(x[lane]);
    EXPECT_LT(relative_difference(got, want[lane]), kSolves) << "lane " << lane;
  }
}

template <class Method>
void expect_inverse_in_link_frames() {
  for_each_seed(0, kCases, [](int seed) {
    const OracleCase<double> c = random_case(seed);
    const testing::Configured<Counted> at(c.model, c.constraints, testing::converted<Counted>(c.q));
    const int n = c.model.nv(), m = c.m();
    std::vector<Counted> A(static_cast<std::size_t>(m) * m), inverse(static_cast<std::size_t>(n) * m);
    Method method(c.model);
    method.plan(c.model, at.rows);
    method.place(c.model, at.kin, at.rows);
    ASSERT_TRUE(method.compute(c.model, at.kin, at.rows, LowerView<Counted>{A.data(), m}).ok());
    Exact one(m, m);
    for (int r = 0; r < m; ++r) one(r, r) = 1;
    const auto lambda =
        testing::converted<Counted>(testing::converted<double>(oracle::solve_positive(c.matrix, one).entries()));
    method.consistent_inverse(c.model, MatrixView<const Counted>(lambda.data(), m, m),
                              MatrixView<Counted>(inverse.data(), n, m));
    std::vector<double> got;
    for (const Counted& x : inverse) got.push_back(x.value);
    expect_inverse(c, got, kSolves);
  });
}
TEST(ConsistentInverseInLinkFrames, EfpaEqualsOracle) {
  expect_inverse_in_link_frames<Efpa<Counted, LinkFrames<Counted>>>();
}
TEST(ConsistentInverseInLinkFrames, LtlEqualsOracle) {
  expect_inverse_in_link_frames<Ltl<Counted, LinkFrames<Counted>>>();
}

}  // namespace
}  // namespace delassus
