// Round cones side by side: each lane is what the cone gives by itself.
#include "solvers/cone_lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "support/random_system.hpp"

namespace delassus {
namespace {

using Vector = std::vector<double>;

/// Cones of one row after the other, with points inside, outside, in the polar cone, at the tip and without tangents; some without friction.
struct Cones {
  Cones(int seed, int count) : random(static_cast<std::uint64_t>(seed), 41) {
    for (int c = 0; c < count; ++c) {
      ForceBlock block{kConeRows * c, kConeRows, SetKind::kFrictionCone, 0, {}};
      block.mu[0] = block.mu[1] = random.chance(0.1) ? 0 : random.uniform(0.05, 1.5);
      blocks.push_back(block);
      const bool tip = random.chance(0.1), straight = random.chance(0.1);
      for (int k = 0; k < kConeRows; ++k)
        point.push_back(tip || (straight && k > 0) ? 0 : random.uniform(-1, 1) * (k == 0 ? 2 : 1));
    }
  }

  samples::Random random;
  std::vector<ForceBlock> blocks;
  Vector point;
};

template <class X>
void expect_lanes() {
  for (int seed = 0; seed < 50; ++seed) {
    const Cones c(seed, X::kWidth);
    Vector back(c.point.size()), projected(c.point.size());
    const ConeVector<X> x = load_cones<X>(c.point.data());
    store_cones(back.data(), x);
    EXPECT_EQ(back, c.point);
    X mu, shorter;
    for (int k = 0; k < X::kWidth; ++k) mu.set(k, c.blocks[static_cast<std::size_t>(k)].mu[0]);
    store_cones(projected.data(), project_cones(mu, x, shorter));
    for (int k = 0; k < X::kWidth; ++k) {
      const double* at = &c.point[static_cast<std::size_t>(kConeRows * k)];
      const double weights[] = {1, 1, 1};
      double want[kConeRows];
      project(c.blocks[static_cast<std::size_t>(k)], weights, at, want);
      // The same formula, fused differently: some roundings of numbers up to two.
      for (int r = 0; r < kConeRows; ++r)
        EXPECT_NEAR(projected[static_cast<std::size_t>(kConeRows * k + r)], want[r], 1e-15);
      EXPECT_NEAR(shorter[k], std::hypot(at[1], at[2]) - std::hypot(want[1], want[2]), 1e-15);
    }
  }
}

TEST(ConeLanes, EachIsWhatTheConeGivesByItself) {
  expect_lanes<Pack<double, 2>>();
  expect_lanes<Pack<double, 4>>();
  expect_lanes<Pack<double, 8>>();
}

TEST(ConeLanes, RunsAreConesThatFollowEachOther) {
  Cones c(0, 5);
  c.blocks[2].kind = SetKind::kNonNegative;
  c.blocks[4].row += 1;  // a gap
  ConeRuns runs;
  runs.list(c.blocks);
  ASSERT_EQ(runs.runs().size(), 3);
  EXPECT_EQ(runs.runs()[0].count, 2);
  EXPECT_EQ(runs.runs()[1].row, 9);
  EXPECT_EQ(runs.runs()[1].first, 2);
  EXPECT_EQ(runs.runs()[2].row, 13);
  EXPECT_EQ(std::vector<int>(runs.others().begin(), runs.others().end()), std::vector<int>{2});
  EXPECT_EQ(runs.mu()[3], c.blocks[4].mu[0]);
  c.blocks[0].mu[1] += 0.1;  // not round
  runs.list(c.blocks);
  EXPECT_EQ(runs.others().size(), 2);
}

/// Any number of contacts: the residuals of all are the largest of each, and the constraint is the first that has it.
TEST(ConeLanes, ResidualsOfManyAreTheLargestOfEach) {
  for (int count = 1; count <= 23; ++count) {
    SCOPED_TRACE(count);
    Cones c(count, count);
    Vector sigma, mobility, g(c.point.size());
    for (std::size_t r = 0; r < c.point.size(); ++r) {
      sigma.push_back(c.random.uniform(-1, 1));
      mobility.push_back(c.random.uniform(0.1, 2));
    }
    for (const ContactLaw law : {ContactLaw::kCoulomb, ContactLaw::kConvex}) {
      ContactProblem problem{{}, {}, g};
      problem.law = law;
      problem.time_step = 0.5;
      ContactResiduals want;
      for (int k = 0; k < count; ++k) {
        const std::span<const ForceBlock> one(&c.blocks[static_cast<std::size_t>(k)], 1);
        const ContactResiduals alone = measure_residuals(one, problem, mobility, c.point, sigma);
        if (alone.velocity > want.velocity) want.constraint = k;
        want.primal = std::max(want.primal, alone.primal);
        want.dual = std::max(want.dual, alone.dual);
        want.complementarity = std::max(want.complementarity, alone.complementarity);
        want.force = std::max(want.force, alone.force);
        want.velocity = std::max(want.velocity, alone.velocity);
      }
      const ContactResiduals got = measure_residuals(c.blocks, problem, mobility, c.point, sigma);
      EXPECT_EQ(got.constraint, want.constraint);
      // Some roundings of numbers up to ten, and of quotients by coefficients from 0.05.
      const auto expect_near = [](double a, double b) {
        if (a == b) return;  // may be infinite
        EXPECT_NEAR(a, b, 1e-13);
      };
      expect_near(got.primal, want.primal);
      expect_near(got.dual, want.dual);
      expect_near(got.complementarity, want.complementarity);
      expect_near(got.force, want.force);
      expect_near(got.velocity, want.velocity);
    }
  }
}

TEST(ConeLanes, NaNOfAnyLaneIsSeen) {
  for (int at = 0; at < 3 * 13; ++at) {
    SCOPED_TRACE(at);
    const Cones c(1, 13);
    Vector sigma(c.point.size(), 0.1), mobility(c.point.size(), 1), g(c.point.size());
    sigma[static_cast<std::size_t>(at)] = std::numeric_limits<double>::quiet_NaN();
    for (const ContactLaw law : {ContactLaw::kCoulomb, ContactLaw::kConvex}) {
      ContactProblem problem{{}, {}, g};
      problem.law = law;
      EXPECT_TRUE(std::isnan(measure_residuals(c.blocks, problem, mobility, c.point, sigma).velocity));
    }
  }
}

}  // namespace
}  // namespace delassus
