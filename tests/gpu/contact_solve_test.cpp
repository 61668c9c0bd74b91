// Contact forces of kernels, emulated: the law itself is looked at, with the oracle's Λ⁻¹ and with code of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "delassus/operators/oracle.hpp"
#include "gpu/emulated_batch.hpp"
#include "support/compare.hpp"

namespace delassus::gpu {
namespace {

using delassus::testing::converted;
using Exact = oracle::Matrix<long double>;

/// By how many m/s the forces of one constraint miss their law: how far a step along the velocity, which mobility makes a force, leads
/// out of the set.
double constraint_residual(const ForceSet& set, int rows, const long double* force, const long double* velocity,
                           double mobility) {
  long double f[3]{}, z[3]{};
  for (int k = 0; k < rows; ++k) f[k] = force[k], z[k] = force[k] - velocity[k] / mobility;
  long double off = 0;
  if (set.kind == SetKind::kEquality) {
    for (int k = 0; k < rows; ++k) off = std::max(off, std::abs(velocity[k]));
    return static_cast<double>(off);
  }
  if (set.kind == SetKind::kBox)
    return static_cast<double>(std::abs(f[0] - std::clamp<long double>(z[0], -set.bound, set.bound)) * mobility);
  const long double mu = set.kind == SetKind::kFrictionCone ? set.mu : 0;
  z[0] -= mu * std::hypot(rows > 1 ? velocity[1] : 0.0L, rows > 2 ? velocity[2] : 0.0L) / mobility;
  const long double t = std::hypot(z[1], z[2]);
  long double y[3] = {z[0], z[1], z[2]};
  if (mu * t <= -z[0]) {
    y[0] = y[1] = y[2] = 0;
  } else if (t > mu * z[0]) {
    y[0] = (z[0] + mu * t) / (1 + mu * mu);
    y[1] = mu * y[0] * z[1] / t, y[2] = mu * y[0] * z[2] / t;
  }
  for (int k = 0; k < rows; ++k) off += (f[k] - y[k]) * (f[k] - y[k]);
  return static_cast<double>(std::sqrt(off) * mobility);
}

/// The worst of all constraints.
double law_residual(const Exact& L, const std::vector<Constraint>& constraints, const std::vector<double>& forces,
                    const std::vector<double>& free) {
  const Exact lambda(L.rows(), 1, converted<long double>(forces));
  Exact sigma = L * lambda;
  for (int r = 0; r < L.rows(); ++r) sigma(r, 0) += free[static_cast<std::size_t>(r)];
  double worst = 0;
  int row = 0;
  for (const Constraint& c : constraints) {
    const int rows = row_count(c);
    double mobility = 0;
    for (int k = 0; k < rows; ++k) mobility += static_cast<double>(L(row + k, row + k)) / rows;
    worst = std::max(worst, constraint_residual(set_of(c), rows, lambda.data() + row, sigma.data() + row, mobility));
    row += rows;
  }
  return worst;
}

template <class T>
class GpuContacts : public ::testing::Test {};
using Scalars = ::testing::Types<double, float>;
TYPED_TEST_SUITE(GpuContacts, Scalars);

constexpr int kProblems = 6;

TYPED_TEST(GpuContacts, ForcesObeyTheirLaws) {
  using T = TypeParam;
  const T tolerance = std::is_same_v<T, float> ? T(1e-3) : T(1e-7);
  for (const std::string& name : gpu_robot_names()) {
    EmulatedBatch<T> batch(name, kProblems);
    if (!batch.plan.contact_fault.empty()) continue;
    SCOPED_TRACE(name);
    const std::vector<T> free = batch.free_velocities(), lambda = batch.contacts(free, tolerance, 20000);
    for (int e = 0; e < kProblems; ++e) {
      SCOPED_TRACE(e);
      EXPECT_EQ(batch.status[static_cast<std::size_t>(e)], kOk)
          << batch.outcome[static_cast<std::size_t>(2 * e)] << " after "
          << batch.outcome[static_cast<std::size_t>(2 * e + 1)];
      EXPECT_LE(batch.outcome[static_cast<std::size_t>(2 * e)], tolerance);
      const auto q = converted<long double>(batch.of(batch.q, e));
      const Exact L = oracle::delassus_matrix<long double>(batch.robot.model, batch.robot.constraints, q);
      // Mobilities are of this posture here, and of another in the kernel: a residual in one metric is several in the other.
      EXPECT_LT(law_residual(L, batch.robot.constraints, batch.of(lambda, e), batch.of(free, e)), 8 * tolerance);
    }
  }
}

TYPED_TEST(GpuContacts, SaysWhenIterationsRunOut) {
  using T = TypeParam;
  EmulatedBatch<T> batch("g1", kProblems);
  const std::vector<T> lambda = batch.contacts(batch.free_velocities(), T(1e-9), 3);
  EXPECT_EQ(batch.status, std::vector<std::uint8_t>(kProblems, kNotConverged));
  for (const T x : lambda) EXPECT_TRUE(std::isfinite(x));
  for (int e = 0; e < kProblems; ++e) EXPECT_EQ(batch.outcome[static_cast<std::size_t>(2 * e + 1)], T(3));
}

TYPED_TEST(GpuContacts, WhatIsNotFiniteIsSaid) {
  using T = TypeParam;
  EmulatedBatch<T> batch("go2", 3);
  std::vector<T> free = batch.free_velocities();
  free[static_cast<std::size_t>(batch.plan.rows + 4)] = std::numeric_limits<T>::quiet_NaN();
  const std::vector<T> lambda = batch.contacts(free, T(1e-3), 500);
  EXPECT_EQ(batch.status, (std::vector<std::uint8_t>{kOk, kNotFinite, kOk}));
  EXPECT_TRUE(std::isnan(lambda[static_cast<std::size_t>(batch.plan.rows)]));
}

TYPED_TEST(GpuContacts, EnvironmentsOfAWarpStayInStep) {
  using T = TypeParam;
  for (const std::string& name : gpu_robot_names()) {
    EmulatedBatch<T> batch(name, kProblems);
    if (!batch.plan.contact_fault.empty()) continue;
    SCOPED_TRACE(name);
    std::vector<T> free = batch.free_velocities();
    free[static_cast<std::size_t>(batch.plan.rows)] = std::numeric_limits<T>::quiet_NaN();
    const std::vector<T> alone = batch.contacts(free, T(1e-3), 200), said = batch.outcome;
    Exchanges::neighbours_go_on = true;
    const std::vector<T> together = batch.contacts(free, T(1e-3), 200);
    Exchanges::neighbours_go_on = false;
    EXPECT_TRUE(Exchanges::in_step());
    // Who is done stays as it was while others go on, to the last bit.
    EXPECT_EQ(std::memcmp(alone.data(), together.data(), alone.size() * sizeof(T)), 0);
    EXPECT_EQ(std::memcmp(said.data(), batch.outcome.data(), said.size() * sizeof(T)), 0);
  }
}

}  // namespace
}  // namespace delassus::gpu
