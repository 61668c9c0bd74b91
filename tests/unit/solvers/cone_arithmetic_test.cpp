// The arithmetic of cones by its laws.
#include "solvers/cone_arithmetic.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_system.hpp"

namespace delassus::cone {
namespace {

/// Rounding of some tens of operations on numbers up to ten, for points that are at least a thousandth inside.
constexpr double kNear = 1e-10;

struct RandomCone {
  explicit RandomCone(int seed) : random(static_cast<std::uint64_t>(seed), 7), n(random.integer(1, kMostRows)) {
    z = inside();
    s = inside();
    for (int k = 0; k < n; ++k) d[static_cast<std::size_t>(k)] = random.uniform(-3, 3);
  }
  Point inside() {
    Point x{};
    for (int k = 1; k < n; ++k) x[static_cast<std::size_t>(k)] = random.uniform(-3, 3);
    x[0] = tail(n, x.data()) + random.uniform(1e-3, 2);
    return x;
  }
  void expect_near(const Point& got, const Point& want, double scale = 1) const {
    for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k) EXPECT_NEAR(got[k], want[k], kNear * scale) << k;
  }

  samples::Random random;
  int n;
  Point z{}, s{}, d{};
};

template <class Check>
void for_each_cone(Check&& check) {
  for (int seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    check(RandomCone(seed));
  }
}

TEST(ConeArithmetic, QuotientsUndoProducts) {
  for_each_cone([](const RandomCone& c) {
    Point x{};
    multiply(c.n, c.z.data(), c.d.data(), x.data());
    divide(c.n, c.z.data(), x.data(), x.data());
    // Division is by the determinant, which is a thousand times smaller than its terms.
    c.expect_near(x, c.d, 100);
  });
}

TEST(ConeArithmetic, ScalingsMakeForcesAndVelocitiesAlike) {
  for_each_cone([](const RandomCone& c) {
    Scaling N;
    N.find(c.n, c.z.data(), c.s.data());
    Point forces{}, velocities{}, back{}, twice{};
    N.apply(c.n, c.z.data(), forces.data());
    N.apply_inverse(c.n, c.s.data(), velocities.data());
    c.expect_near(forces, velocities);
    N.apply_inverse(c.n, forces.data(), back.data());
    c.expect_near(back, c.z);
    for (int i = 0; i < c.n; ++i) {
      for (int j = 0; j < c.n; ++j) {
        twice[static_cast<std::size_t>(i)] += N.square(i, j) * c.z[static_cast<std::size_t>(j)];
        EXPECT_EQ(N.square(i, j), N.square(j, i));
      }
    }
    c.expect_near(twice, c.s, 10);
  });
}

TEST(ConeArithmetic, LongestStepsEndOnTheSurface) {
  int ends = 0;
  for_each_cone([&](const RandomCone& c) {
    const double length = longest_step(c.n, c.z.data(), c.d.data());
    const double far = std::isinf(length) ? 1e3 : length;
    Point x{};
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = c.z[k] + far * c.d[k];
    const double margin = x[0] - tail(c.n, x.data());
    if (std::isinf(length)) {
      EXPECT_GT(margin, 0);
    } else {
      EXPECT_NEAR(margin, 0, kNear * (1 + x[0]));
      EXPECT_GE(x[0], -kNear);
      ++ends;
    }
  });
  EXPECT_GT(ends, 100);
}

TEST(ConeArithmetic, LiftedPointsAreOnThePath) {
  const double gap = 1e-3;
  for_each_cone([&](const RandomCone& c) {
    Point z = c.z, s = c.d, product{};
    lift(c.n, gap, z.data(), s.data());
    multiply(c.n, z.data(), s.data(), product.data());
    c.expect_near(product, {gap});
    for (std::size_t k = 0; k < static_cast<std::size_t>(c.n); ++k) EXPECT_NEAR(z[k] - s[k], c.z[k] - c.d[k], kNear);
    EXPECT_GT(z[0], tail(c.n, z.data()));
    EXPECT_GT(s[0], tail(c.n, s.data()));
  });
}

}  // namespace
}  // namespace delassus::cone
