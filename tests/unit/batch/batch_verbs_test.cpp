// Every verb that runs in lanes gives what the long-double oracle says.
#include <gtest/gtest.h>

#include "delassus/operators/oracle.hpp"
#include "support/batch_case.hpp"

namespace delassus {
namespace {

using testing::BatchCase;
using testing::converted;
using testing::relative_difference;

using Exact = oracle::Matrix<long double>;

/// Two vectors and a bit of eight doubles, one and a bit of sixteen floats.
constexpr int kTwoVectors = 19;
/// Environments that are looked at: the oracle takes its time.
constexpr int kLooked[] = {0, 7, 8, 18};

/// Rounding of some hundred operations per number, times the condition of M, which is some thousand for these robots.
template <class T>
constexpr double kVerbBound = std::is_same_v<T, float> ? 2e-3 : 1e-11;

template <class T>
class BatchVerbs : public ::testing::Test {};
using Numbers = ::testing::Types<double, float>;
TYPED_TEST_SUITE(BatchVerbs, Numbers);

const std::vector<std::string>& mechanisms() {
  static const std::vector<std::string> kNames{"go2-standing", "g1-standing", "cassie-standing",
                                               "chain",        "random 3",    "random 12"};
  return kNames;
}

Exact column(const std::vector<double>& x) { return {static_cast<int>(x.size()), 1, converted<long double>(x)}; }

TYPED_TEST(BatchVerbs, DynamicsWithoutConstraints) {
  using T = TypeParam;
  for (const std::string& name : mechanisms()) {
    SCOPED_TRACE(name);
    const BatchCase<T> c(name, kTwoVectors);
    const int nv = c.model.nv();
    Batch<T> batch(c.model, kTwoVectors, {.threads = 1});
    std::vector<T> tau, a, M;
    EXPECT_EQ(batch.inverse_dynamics(c.in(c.qs), c.in(c.vs), c.in(c.as), c.out(tau, nv)), 0);
    EXPECT_EQ(batch.forward_dynamics(c.in(c.qs), c.in(c.vs), c.in(tau), c.out(a, nv)), 0);
    EXPECT_EQ(batch.inertia_matrix(c.in(c.qs), c.matrix(M, nv)), 0);
    for (const int e : kLooked) {
      const auto q = converted<long double>(c.of(c.qs, e));
      const Exact inertia = oracle::inertia_matrix<long double>(c.model, q);
      EXPECT_LT(relative_difference(c.of(M, e), inertia.entries()), kVerbBound<T>);
      const Exact h(nv, 1, oracle::bias_forces<long double>(c.model, q, converted<long double>(c.of(c.vs, e))));
      const Exact want = inertia * column(c.of(c.as, e)) + h;
      EXPECT_LT(relative_difference(c.of(tau, e), want.entries()), kVerbBound<T>);
      const Exact back = oracle::solve_positive(inertia, column(c.of(tau, e)) - h);
      EXPECT_LT(relative_difference(c.of(a, e), back.entries()), 10 * kVerbBound<T>);
    }
  }
}

TYPED_TEST(BatchVerbs, ProductsAndMatrix) {
  using T = TypeParam;
  for (const std::string& name : mechanisms()) {
    SCOPED_TRACE(name);
    const BatchCase<T> c(name, kTwoVectors);
    Batch<T> batch(c.model, kTwoVectors, {.threads = 1});
    batch.set_constraints(c.constraints);
    const int m = batch.max_rows();
    ASSERT_EQ(m, c.batch_rows);
    std::vector<T> y, again, matrix, kept;
    EXPECT_EQ(batch.apply_at(c.in(c.qs), c.in(c.xs), c.out(y, m)), 0);
    EXPECT_EQ(batch.dense(c.in(c.qs), c.matrix(matrix, m)), 0);
    EXPECT_EQ(batch.update(c.in(c.qs)), 0);
    EXPECT_EQ(batch.apply(c.in(c.xs), c.out(again, m)), 0);
    EXPECT_EQ(batch.dense(c.matrix(kept, m)), 0);
    EXPECT_TRUE(testing::same_bits(y, again));
    for (const int e : kLooked) {
      const auto q = converted<long double>(c.of(c.qs, e));
      const Exact want = oracle::delassus_matrix<long double>(c.model, c.constraints, q);
      EXPECT_LT(relative_difference(c.of(matrix, e), want.entries()), kVerbBound<T>);
      EXPECT_LT(relative_difference(c.of(kept, e), want.entries()), kVerbBound<T>);
      EXPECT_LT(relative_difference(c.of(y, e), (want * column(c.of(c.xs, e))).entries()), kVerbBound<T>);
    }
  }
}

/// b - (R⁻¹ + Λ⁻¹) z over b, by the oracle.
template <class T>
double residual(const BatchCase<T>& c, const std::vector<T>& z, const std::vector<double>& damping, int e) {
  const auto q = converted<long double>(c.of(c.qs, e));
  Exact A = oracle::delassus_matrix<long double>(c.model, c.constraints, q);
  for (int r = 0; r < A.rows(); ++r) A(r, r) += static_cast<long double>(damping[static_cast<std::size_t>(r)]);
  const std::vector<double> b = c.of(c.xs, e);
  return relative_difference((A * column(c.of(z, e))).entries(), b);
}

TYPED_TEST(BatchVerbs, DampedSolves) {
  using T = TypeParam;
  // What CondensedOptions::tolerance promises, and what float has the digits for.
  const double bound = std::is_same_v<T, float> ? 2e-3 : 2e-7;
  for (const std::string& name : mechanisms()) {
    SCOPED_TRACE(name);
    const BatchCase<T> c(name, kTwoVectors);
    Batch<T> batch(c.model, kTwoVectors, {.threads = 1});
    batch.set_constraints(c.constraints);
    const int m = batch.max_rows();
    std::vector<T> each;
    for (int e = 0; e < kTwoVectors; ++e) each.push_back(static_cast<T>(0.05 + 0.01 * e));
    const std::vector<BatchDamping<T>> dampings{BatchDamping<T>(T(0.03125)),
                                                BatchDamping<T>::per_environment(c.in(each)),
                                                BatchDamping<T>::per_row(c.in(c.dampings))};
    EXPECT_EQ(batch.update(c.in(c.qs)), 0);
    for (int kind = 0; kind < 3; ++kind) {
      std::vector<T> z, kept;
      EXPECT_EQ(batch.solve_at(c.in(c.qs), dampings[kind], c.in(c.xs), c.out(z, m)), 0);
      EXPECT_EQ(batch.update_damping(dampings[kind]), 0);
      EXPECT_EQ(batch.solve(c.in(c.xs), c.out(kept, m)), 0);
      EXPECT_TRUE(testing::same_bits(z, kept));
      for (const int e : kLooked) {
        std::vector<double> numbers(m, kind == 0 ? 0.03125 : static_cast<double>(each[e]));
        if (kind == 2) numbers = c.of(c.dampings, e);
        EXPECT_LT(residual(c, z, numbers, e), bound) << "kind " << kind << ", environment " << e;
      }
    }
  }
}

}  // namespace
}  // namespace delassus
