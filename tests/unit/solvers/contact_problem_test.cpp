// Sets and projections by themselves.
#include "delassus/solvers/contact_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "delassus/math/error.hpp"
#include "support/contact_reference.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using Vector = std::vector<double>;
using Exactly = std::vector<long double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A cone of three to six rows, some coefficients zero, some alike, with weights that differ by up to a thousand.
struct RandomCone {
  explicit RandomCone(int seed) : random(static_cast<std::uint64_t>(seed), 5) {
    block.rows = random.integer(1, 6);
    block.kind = SetKind::kFrictionCone;
    const bool alike = random.chance(0.3), weighted = random.chance(0.7);
    const double common = random.uniform(0.1, 1.5);
    for (double& mu : block.mu) mu = alike ? common : random.chance(0.2) ? 0 : random.uniform(0.01, 1.5);
    for (int k = 0; k < block.rows; ++k) weights.push_back(weighted ? std::pow(10, random.uniform(-1.5, 1.5)) : 1);
    for (int k = 0; k < block.rows; ++k) x.push_back(random.uniform(-1, 1));
  }

  Vector projected(const Vector& point) const {
    Vector y(point.size());
    project(block, weights.data(), point.data(), y.data());
    return y;
  }
  Exactly mu() const { return {block.mu.begin(), block.mu.begin() + block.rows - 1}; }

  samples::Random random;
  ForceBlock block;
  Vector weights, x;
};

/// ‖y_k / μ_k‖ - y_0, or for the dual cone ‖μ_k y_k‖ - y_0: not positive inside.
long double outside(const Exactly& mu, const Exactly& y, bool dual) {
  long double square = 0;
  for (std::size_t k = 0; k < mu.size(); ++k) {
    const long double part = dual ? mu[k] * y[k + 1] : y[k + 1] == 0 ? 0 : y[k + 1] / mu[k];
    square += part * part;
  }
  return std::sqrt(square) - y[0];
}

/// Moreau: y is the nearest point if and only if it is in the cone, W (y - x) in the dual one, and both are orthogonal.
TEST(ContactProjection, IsTheNearestPoint) {
  for (int seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    const RandomCone c(seed);
    const Vector y = c.projected(c.x);
    Exactly force(y.begin(), y.end()), velocity;
    long double work = 0;
    for (std::size_t k = 0; k < y.size(); ++k) {
      velocity.push_back(static_cast<long double>(c.weights[k]) * (static_cast<long double>(y[k]) - c.x[k]));
      work += velocity[k] * force[k];
    }
    // Rounding of double, times weights up to 30 and inverse coefficients up to 100.
    ASSERT_LT(outside(c.mu(), force, false), 1e-13);
    ASSERT_LT(outside(c.mu(), velocity, true), 1e-12);
    ASSERT_NEAR(static_cast<double>(work), 0, 1e-12);
  }
}

TEST(ContactProjection, IsWhatBisectionFinds) {
  for (int seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const RandomCone c(seed);
    const Exactly want =
        testing::nearest_in_cone(c.mu(), {c.weights.begin(), c.weights.end()}, {c.x.begin(), c.x.end()});
    const Vector y = c.projected(c.x);
    // As above; nearest points are well conditioned in the metric of the weights, whose roots differ by up to 30.
    for (std::size_t k = 0; k < y.size(); ++k) ASSERT_NEAR(y[k], static_cast<double>(want[k]), 1e-13);
  }
}

TEST(ContactProjection, IsTheSameInPlaceAndAgain) {
  for (int seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const RandomCone c(seed);
    Vector y = c.x;
    project(c.block, c.weights.data(), y.data(), y.data());
    EXPECT_EQ(y, c.projected(c.x));
    const Vector again = c.projected(y);
    for (std::size_t k = 0; k < y.size(); ++k) EXPECT_NEAR(again[k], y[k], 1e-14);  // on the surface but for rounding
  }
}

/// A cone without friction is a half line; so is one without tangential force to tell where it points.
TEST(ContactProjection, WithoutFrictionPullingIsRefused) {
  const double weights[] = {1, 1, 1};
  for (const int rows : {1, 3}) {
    const ForceBlock block{0, rows, SetKind::kFrictionCone, 0, {}};
    for (const Vector& x : {Vector{-1, 0, 0}, Vector{-1, 2, 0}, Vector{-0.0, 0, 0}}) {
      Vector y(3);
      project(block, weights, x.data(), y.data());
      EXPECT_EQ(y, Vector(3));
    }
    Vector x{2, 0, 0}, y(3);
    project(block, weights, x.data(), y.data());
    EXPECT_EQ(y, x);
  }
}

TEST(ContactProjection, RowsOfTheirOwn) {
  const double weights[] = {1, 5, 0.1}, x[] = {-3, 0.5, 7};
  const auto of = [&](SetKind kind, double bound) {
    Vector y(3);
    project({0, 3, kind, bound, {}}, weights, x, y.data());
    return y;
  };
  EXPECT_EQ(of(SetKind::kEquality, 0), Vector({-3, 0.5, 7}));
  EXPECT_EQ(of(SetKind::kNonNegative, 0), Vector({0, 0.5, 7}));
  EXPECT_EQ(of(SetKind::kBox, 2), Vector({-2, 0.5, 2}));
  EXPECT_EQ(of(SetKind::kBox, 0), Vector({0, 0, 0}));
  EXPECT_EQ(of(SetKind::kBox, kInfinity), Vector({-3, 0.5, 7}));
}

/// How far x is from where the projection has an edge: the surfaces of the cone and of its polar.
double from_edges(const RandomCone& c) {
  Exactly x(c.x.begin(), c.x.end()), polar;
  for (std::size_t k = 0; k < x.size(); ++k) polar.push_back(-c.weights[k] * x[k]);
  Exactly felt = x;  // rows without friction have no part in it
  for (std::size_t k = 1; k < x.size(); ++k) felt[k] = c.block.mu[k - 1] == 0 ? 0 : x[k];
  return static_cast<double>(std::min(std::abs(outside(c.mu(), felt, false)), std::abs(outside(c.mu(), polar, true))));
}

TEST(ContactProjection, DerivativesAreDifferences) {
  constexpr double kStep = 1e-6;
  int checked = 0;
  for (int seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    const RandomCone c(seed);
    if (from_edges(c) < 0.05) continue;  // a step must not meet an edge, and second derivatives grow towards the tip
    ++checked;
    const auto n = static_cast<std::size_t>(c.block.rows);
    Vector P(n * n);
    projection_derivative(c.block, c.weights.data(), c.x.data(), P.data());
    for (std::size_t j = 0; j < n; ++j) {
      Vector before = c.x, after = c.x;
      before[j] -= kStep;
      after[j] += kStep;
      const Vector low = c.projected(before), high = c.projected(after);
      for (std::size_t i = 0; i < n; ++i) {
        // Rows scaled by the roots of their weights, where it is symmetric. 1e-16 / 1e-6 of rounding times the ratio of the roots, and
        // as much by the square of the step.
        const double slope = (high[i] - low[i]) / (2 * kStep) * std::sqrt(c.weights[i] / c.weights[j]);
        ASSERT_NEAR(P[i * n + j], slope, 2e-7) << i << " " << j;
        ASSERT_NEAR(P[i * n + j], P[j * n + i], 1e-12);
      }
    }
  }
  EXPECT_GT(checked, 500);
}

/// Where points of a cone are taken, all outside of it and of its polar.
enum class Place : std::uint8_t { kOutside, kByTheCone, kByThePolar, kNoNormal, kByTheTip };

/// A cone of three to six rows with a point there. `clear`: how far from the edges, relative to the point.
struct PlacedCone : RandomCone {
  PlacedCone(int seed, Place place) : RandomCone(seed) {
    block.rows = random.integer(3, 6);
    weights.resize(6, 1.0);
    x.resize(6, 0.3);
    const bool round = random.chance(0.5);
    for (double& mu : block.mu) mu = round ? 0.7 : random.uniform(0.1, 1.5);
    if (round) std::fill(weights.begin(), weights.end(), weights[0]);
    long double reach = 0, push = 0;  // normals at the cone and at its polar
    for (std::size_t k = 1; k < static_cast<std::size_t>(block.rows); ++k) {
      const long double mu = block.mu[k - 1];
      reach += (x[k] / mu) * (x[k] / mu);
      push += (mu * weights[k] * x[k]) * (mu * weights[k] * x[k]);
    }
    reach = std::sqrt(reach);
    push = std::sqrt(push) / weights[0];
    clear = place == Place::kByTheCone || place == Place::kByThePolar ? 1e-6 : 0.1;
    const double part = place == Place::kByTheCone    ? 1 - clear
                        : place == Place::kByThePolar ? clear
                                                      : random.uniform(clear, 1 - clear);
    x[0] = place == Place::kNoNormal ? 0 : static_cast<double>(part * reach - (1 - part) * push);
    size = place == Place::kByTheTip ? 1e-12 : 1;
    for (double& e : x) e *= size;
    x.resize(static_cast<std::size_t>(block.rows));
  }

  double clear = 0, size = 1;
};

/// By bisection in long double, differenced: nothing of it knows multipliers or closed forms. Newton's method divides by what a derivative leaves of
/// some directions, so that it has to be exact to rounding everywhere; at points without a normal part, where the multiplier is one, it once was not.
TEST(ContactProjection, DerivativesAreExactUpToTheEdges) {
  for (int seed = 0; seed < 50; ++seed) {
    const auto place = static_cast<Place>(seed % 5);
    SCOPED_TRACE(seed);
    const PlacedCone c(seed, place);
    const auto n = static_cast<std::size_t>(c.block.rows);
    Vector P(n * n);
    projection_derivative(c.block, c.weights.data(), c.x.data(), P.data());
    const Exactly weights(c.weights.begin(), c.weights.begin() + static_cast<std::ptrdiff_t>(n));
    const double step = std::min(1e-7, 1e-2 * c.clear) * c.size;
    for (std::size_t j = 0; j < n; ++j) {
      Exactly before(c.x.begin(), c.x.end()), after = before;
      before[j] -= step;
      after[j] += step;
      const Exactly low = testing::nearest_in_cone(c.mu(), weights, before);
      const Exactly high = testing::nearest_in_cone(c.mu(), weights, after);
      for (std::size_t i = 0; i < n; ++i) {
        const long double slope = (high[i] - low[i]) / (2 * step) * std::sqrt(weights[i] / weights[j]);
        // Times the ratio of roots of weights, 30: 1e-19 of rounding over the least step of 1e-8, and the square of the largest, 1e-7, by third
        // derivatives of up to 1e3.
        ASSERT_NEAR(P[i * n + j], static_cast<double>(slope), 1e-9) << i << " " << j;
      }
    }
  }
}

/// Between 0 and 1: Newton's method divides by it.
TEST(ContactProjection, DerivativesContract) {
  for (int seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    RandomCone c(seed);
    const auto n = static_cast<std::size_t>(c.block.rows);
    Vector P(n * n), x(n);
    projection_derivative(c.block, c.weights.data(), c.x.data(), P.data());
    for (int k = 0; k < 10; ++k) {
      double product = 0, square = 0;
      for (double& e : x) e = c.random.uniform(-1, 1);
      for (std::size_t i = 0; i < n; ++i) {
        square += x[i] * x[i];
        for (std::size_t j = 0; j < n; ++j) product += x[i] * P[i * n + j] * x[j];
      }
      // Sums of 36 products below one each; multipliers are exact to some roundings.
      ASSERT_GE(product, -1e-13);
      ASSERT_LE(product, square + 1e-13);
    }
  }
}

// ------------------------------------------------------------------------------------------------------- problems

struct Stated {
  std::vector<RowSpan> spans{{0, 0, 3, 0, 0, 0, 0}, {0, 3, 1, 0, 0, 0, 0}};
  std::vector<ForceSet> sets{{SetKind::kFrictionCone, 0, 0.5}, {SetKind::kBox, 7}};
  Vector g = Vector(4), compliance = Vector(4);
  ContactProblem problem() const {
    ContactProblem out{spans, sets, g};
    out.compliance = compliance;
    out.time_step = 0.01;
    return out;
  }
  std::string error(const ContactProblem& problem) const {
    std::vector<ForceBlock> blocks;
    try {
      list_force_blocks(problem, blocks);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
};

TEST(ContactProblem, BoundsAreImpulsesAndCoefficientsRows) {
  Stated s;
  s.sets[0].mu_across = 0.2;
  s.sets[0].mu_torsion = 0.03;
  s.sets[0].mu_rolling = 0.004;
  std::vector<ForceBlock> blocks;
  list_force_blocks(s.problem(), blocks);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].mu, (std::array<double, 5>{0.5, 0.2, 0.03, 0.004, 0.004}));
  EXPECT_EQ(blocks[1].bound, 7 * 0.01);
  EXPECT_EQ(blocks[1].row, 3);
  s.sets[0].mu_across = 0;
  list_force_blocks(s.problem(), blocks);
  EXPECT_EQ(blocks[0].mu[1], 0.5);
}

TEST(ContactProblem, WhatMakesNoSenseIsNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto with = [](auto change) {
    Stated s;
    change(s);
    return s.error(s.problem());
  };
  EXPECT_EQ(with([](Stated&) {}), "");
  for (const double bad : {-1.0, nan, kInfinity}) {
    EXPECT_NE(with([&](Stated& s) { s.sets[0].mu = bad; }).find("constraint 0: its coefficients"), std::string::npos);
    EXPECT_NE(with([&](Stated& s) { s.sets[0].mu_rolling = bad; }).find("constraint 0: its coeff"), std::string::npos);
  }
  for (const double bad : {-1.0, nan}) {
    EXPECT_NE(with([&](Stated& s) { s.sets[0].mu_across = bad; }).find("constraint 0: its coefficients"),
              std::string::npos);
    EXPECT_NE(with([&](Stated& s) { s.sets[1].bound = bad; }).find("constraint 1: the bound"), std::string::npos);
    EXPECT_NE(with([&](Stated& s) { s.compliance[3] = bad; }).find("constraint 1: its compliance"), std::string::npos);
  }
  EXPECT_NE(with([](Stated& s) { s.sets.pop_back(); }).find("2 constraints and 1 sets"), std::string::npos);
  EXPECT_NE(with([](Stated& s) { s.g.pop_back(); }).find("free_velocity"), std::string::npos);
  EXPECT_NE(with([](Stated& s) { s.compliance.pop_back(); }).find("compliance"), std::string::npos);
  EXPECT_NE(with([](Stated& s) {
              s.spans[0].rows = 7, s.spans[1].first_row = 7, s.g.resize(8), s.compliance.resize(8);
            }).find("constraint 0: a friction cone has at most six rows"),
            std::string::npos);
  const Stated s;
  for (const double bad : {0.0, -1.0, nan, kInfinity}) {
    ContactProblem problem = s.problem();
    problem.time_step = bad;
    EXPECT_NE(s.error(problem).find("time_step"), std::string::npos);
  }
}

ContactResiduals residuals_of(const ForceBlock& block, ContactLaw law, const Vector& lambda, const Vector& sigma) {
  ContactProblem problem{{}, {}, sigma};
  problem.law = law;
  return measure_residuals({&block, 1}, problem, Vector(lambda.size(), 1.0), lambda, sigma);
}

/// What approaches does so however much friction there is: the shift ‖μ σ_t‖ has 16 digits, and the normal velocity is not among them.
TEST(ContactCertificate, HugeFrictionHidesNothing) {
  for (const double mu : {1.0, 1e8, 1e17, 1e200, 1e300}) {
    SCOPED_TRACE(mu);
    const ForceBlock round{0, 3, SetKind::kFrictionCone, 0, {mu, mu}},
        other{0, 3, SetKind::kFrictionCone, 0, {mu, mu / 2}};
    for (const ForceBlock& block : {round, other}) {
      const ContactResiduals none = residuals_of(block, ContactLaw::kCoulomb, {0, 0, 0}, {-1, 0.1, 0.3});
      EXPECT_EQ(none.dual, 1);
      EXPECT_GE(none.worst(), 1);
      EXPECT_FALSE(is_within(none, 0.999));
      // The law's own velocity is what a force without friction misses while it slides.
      const ContactResiduals push = residuals_of(block, ContactLaw::kCoulomb, {0.4, 0, 0}, {0, 0.1, 0.3});
      EXPECT_GE(push.velocity, mu < 1e300 ? 0.05 : 0) << "0.4 N s without friction at 0.1 m/s";
      EXPECT_EQ(residuals_of(block, ContactLaw::kCoulomb, {0, 0, 0}, {0, 0.1, 0.3}).worst(), 0);
      EXPECT_EQ(residuals_of(block, ContactLaw::kCoulomb, {0, 0, 0}, {0.5, 0.1, 0.3}).worst(), 0);
    }
  }
}

/// Of the convex law the shift is a part of what is asked.
TEST(ContactCertificate, DualOfBothLaws) {
  const ForceBlock block{0, 3, SetKind::kFrictionCone, 0, {0.5, 0.5}};
  EXPECT_DOUBLE_EQ(residuals_of(block, ContactLaw::kConvex, {0, 0, 0}, {-1, 3, 4}).dual, 3.5);
  EXPECT_DOUBLE_EQ(residuals_of(block, ContactLaw::kCoulomb, {0, 0, 0}, {-1, 3, 4}).dual, 1);
}

TEST(ContactCertificate, TheWorstIsTheLargerOne) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  ContactResiduals r;
  r.velocity = 2;
  r.dual = 3;
  EXPECT_EQ(r.worst(), 3);
  EXPECT_FALSE(is_within(r, 2.5));
  r.velocity = 4;
  EXPECT_EQ(r.worst(), 4);
  for (double ContactResiduals::*residual : {&ContactResiduals::velocity, &ContactResiduals::dual}) {
    ContactResiduals bad;
    bad.*residual = kNaN;
    EXPECT_TRUE(std::isnan(bad.worst()));
    EXPECT_FALSE(is_within(bad, 1));
  }
}

/// Of every set, round cones in lanes and all others.
TEST(ContactCertificate, NaNIsTheWorst) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const SetKind kind : {SetKind::kEquality, SetKind::kNonNegative, SetKind::kBox, SetKind::kFrictionCone}) {
    for (const double mu : {0.5, 0.7}) {
      for (int k = 0; k < 3; ++k) {
        const ForceBlock block{0, 3, kind, 1, {0.5, mu}};
        Vector sigma(3);
        sigma[static_cast<std::size_t>(k)] = kNaN;
        EXPECT_TRUE(std::isnan(residuals_of(block, ContactLaw::kCoulomb, {0, 0, 0}, sigma).worst()))
            << static_cast<int>(kind) << " " << mu << " " << k;
      }
    }
  }
}

/// q = (-1, 0.3, 0.1), (0, 0.24978537, 1.03145308): what Coulomb's law asks of the second contact without a force, -(q + Γ(q)), lies at the edge of
/// the polar cone, and rounding says on which side: the derivative is 0 or d dᵀ with d the ray of the cone that is next to it.
TEST(ContactProjection, DerivativeAtTheEdgeOfThePolarCone) {
  constexpr double kMu = 0.7;
  const double weights[] = {1, 1, 1};
  const ForceBlock block{0, 3, SetKind::kFrictionCone, 0, {kMu, kMu}};
  int outside = 0;
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    const double turn = 2 * M_PI * k / 300, t1 = std::cos(turn) * 0.24978537 - std::sin(turn) * 1.03145308,
                 t2 = std::sin(turn) * 0.24978537 + std::cos(turn) * 1.03145308, norm = std::hypot(t1, t2);
    const double velocity[] = {0, t1, t2};
    const double point[] = {-sliding_speed(block, velocity), -t1, -t2};
    double P[9];
    projection_derivative(block, weights, point, P);
    const double length = std::sqrt(1 + kMu * kMu),
                 d[] = {1 / length, -kMu * t1 / norm / length, -kMu * t2 / norm / length};
    const double side = P[0] > 0.1 ? 1 : 0;
    outside += side > 0;
    // Some roundings of numbers of the size of one.
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(P[i], side * d[i / 3] * d[i % 3], 1e-14);
  }
  RecordProperty("outside", outside);
}

}  // namespace
}  // namespace delassus
