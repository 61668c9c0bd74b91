// Kernels, emulated, against the long-double oracle, which shares no code with them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/operators/oracle.hpp"
#include "gpu/emulated_batch.hpp"
#include "support/batch_case.hpp"
#include "support/compare.hpp"

namespace delassus::gpu {
namespace {

using delassus::testing::converted;
using delassus::testing::relative_difference;
using Exact = oracle::Matrix<long double>;

/// Rounding of some hundred operations per number.
template <class T>
constexpr double kSmall = std::is_same_v<T, float> ? 2e-5 : 2e-13;

template <class T>
class GpuVerbs : public ::testing::Test {};
using Scalars = ::testing::Types<double, float>;
TYPED_TEST_SUITE(GpuVerbs, Scalars);

constexpr int kEnvironments = 5;

Exact column(const std::vector<double>& x) { return {static_cast<int>(x.size()), 1, converted<long double>(x)}; }

/// M a - f, beside the largest sum of the numbers that cancel in it: what a itself has lost depends on the condition of M.
double dynamics_residual(const Exact& M, const std::vector<double>& a, const Exact& f) {
  const Exact product = M * column(a);
  long double worst = 0, scale = 0;
  for (int r = 0; r < M.rows(); ++r) {
    long double sum = std::abs(f(r, 0));
    for (int c = 0; c < M.rows(); ++c)
      sum += std::abs(M(r, c) * static_cast<long double>(a[static_cast<std::size_t>(c)]));
    worst = std::max(worst, std::abs(product(r, 0) - f(r, 0)));
    scale = std::max(scale, sum);
  }
  return static_cast<double>(worst / scale);
}

TYPED_TEST(GpuVerbs, DynamicsEqualTheOracle) {
  using T = TypeParam;
  for (const std::string& name : gpu_robot_names()) {
    SCOPED_TRACE(name);
    EmulatedBatch<T> batch(name, kEnvironments);
    const std::vector<T> tau = batch.run(Verb::kInverseDynamics, batch.a);
    const std::vector<T> back = batch.run(Verb::kForwardDynamics, tau);
    for (int e = 0; e < kEnvironments; ++e) {
      SCOPED_TRACE(e);
      const auto q = converted<long double>(batch.of(batch.q, e));
      const Exact M = oracle::inertia_matrix<long double>(batch.robot.model, q);
      const Exact h(
          M.rows(), 1,
          oracle::bias_forces<long double>(batch.robot.model, q, converted<long double>(batch.of(batch.v, e))));
      const Exact want = M * column(batch.of(batch.a, e)) + h;
      EXPECT_LT(relative_difference(batch.of(tau, e), want.entries()), kSmall<T>);
      EXPECT_LT(dynamics_residual(M, batch.of(back, e), column(batch.of(tau, e)) - h), kSmall<T>);
      EXPECT_EQ(batch.status[static_cast<std::size_t>(e)], kOk);
    }
  }
}

TYPED_TEST(GpuVerbs, ProductsEqualTheOracle) {
  using T = TypeParam;
  for (const std::string& name : gpu_robot_names()) {
    SCOPED_TRACE(name);
    EmulatedBatch<T> batch(name, kEnvironments);
    const std::vector<T> y = batch.run(Verb::kApply, batch.x);
    for (int e = 0; e < kEnvironments; ++e) {
      SCOPED_TRACE(e);
      const auto q = converted<long double>(batch.of(batch.q, e));
      const Exact L = oracle::delassus_matrix<long double>(batch.robot.model, batch.robot.constraints, q);
      EXPECT_LT(relative_difference(batch.of(y, e), (L * column(batch.of(batch.x, e))).entries()), kSmall<T>);
      EXPECT_EQ(batch.status[static_cast<std::size_t>(e)], kOk);
    }
  }
}

/// (R + Λ⁻¹) z - b over b, by the oracle.
template <class T>
double solve_residual(const EmulatedBatch<T>& batch, const std::vector<T>& z, const std::vector<T>& b, T damping,
                      int e) {
  const auto q = converted<long double>(batch.of(batch.q, e));
  Exact A = oracle::delassus_matrix<long double>(batch.robot.model, batch.robot.constraints, q);
  for (int r = 0; r < A.rows(); ++r) A(r, r) += static_cast<long double>(damping);
  return relative_difference((A * column(batch.of(z, e))).entries(), batch.of(b, e));
}

TYPED_TEST(GpuVerbs, DampedSolvesEqualTheOracle) {
  using T = TypeParam;
  for (const std::string& name : gpu_robot_names()) {
    SCOPED_TRACE(name);
    EmulatedBatch<T> batch(name, kEnvironments);
    const std::vector<T> z = batch.run(Verb::kSolve, batch.x, T(0.5));
    for (int e = 0; e < kEnvironments; ++e) {
      // b - J v cancels where Λ⁻¹ is large beside R: of these robots by less than 500.
      EXPECT_LT(solve_residual(batch, z, batch.x, T(0.5), e), 500 * kSmall<T>) << e;
    }
  }
}

TYPED_TEST(GpuVerbs, RefinementsBringDigitsBack) {
  using T = TypeParam;
  // What is asked of solvers: b in the range of Λ⁻¹, with a damping that float alone has few digits for.
  const T damping = std::is_same_v<T, float> ? T(1e-2) : T(1e-6);
  for (const char* name : {"go2", "g1"}) {
    SCOPED_TRACE(name);
    EmulatedBatch<T> batch(name, kEnvironments);
    const std::vector<T> b = batch.run(Verb::kApply, batch.x);
    const std::vector<T> plain = batch.solve(b, damping, 0), refined = batch.solve(b, damping, 2);
    for (int e = 0; e < kEnvironments; ++e) {
      const double before = solve_residual(batch, plain, b, damping, e),
                   after = solve_residual(batch, refined, b, damping, e);
      EXPECT_GT(before, 3 * after) << e;
      EXPECT_LT(after, kSmall<T>) << e;
    }
  }
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TYPED_TEST(GpuVerbs, EnvironmentsKnowNothingOfEachOther) {
  using T = TypeParam;
  EmulatedBatch<T> many("g1", 37), few("g1", 5), spoilt("g1", 5);
  spoilt.q[static_cast<std::size_t>(3 * spoilt.robot.model.nq() + 9)] = std::numeric_limits<T>::quiet_NaN();
  for (const Verb verb : {Verb::kInverseDynamics, Verb::kForwardDynamics, Verb::kApply, Verb::kSolve}) {
    SCOPED_TRACE(static_cast<int>(verb));
    const bool of_rows = verb == Verb::kApply || verb == Verb::kSolve;
    const auto run = [&](EmulatedBatch<T>& batch) { return batch.run(verb, of_rows ? batch.x : batch.a); };
    std::vector<T> from_many = run(many), from_few = run(few), from_spoilt = run(spoilt);
    const std::size_t n = from_few.size() / 5;
    from_many.resize(from_few.size());
    EXPECT_TRUE(same_bits(from_many, from_few));
    EXPECT_EQ(spoilt.status, (std::vector<std::uint8_t>{kOk, kOk, kOk, kNotFinite, kOk}));
    for (std::size_t k = 0; k < from_few.size(); ++k) {
      if (k / n == 3) {
        EXPECT_TRUE(std::isnan(from_spoilt[k]));
        from_spoilt[k] = from_few[k];
      }
    }
    EXPECT_TRUE(same_bits(from_spoilt, from_few));
  }
}

TYPED_TEST(GpuVerbs, MasslessLeavesAreSingular) {
  using T = TypeParam;
  EmulatedBatch<T> batch("chain", 2);
  const auto last = (batch.plan.elements.size() - 1) * element::kNumbers;
  for (int k = element::kMass; k <= element::kArmature; ++k) batch.numbers[last + static_cast<std::size_t>(k)] = 0;
  for (const Verb verb : {Verb::kForwardDynamics, Verb::kApply}) {
    const std::vector<T> out = batch.run(verb, verb == Verb::kApply ? batch.x : batch.a);
    EXPECT_EQ(batch.status, (std::vector<std::uint8_t>{kSingularJoint, kSingularJoint}));
    for (const T x : out) EXPECT_TRUE(std::isnan(x));
  }
}

}  // namespace
}  // namespace delassus::gpu
