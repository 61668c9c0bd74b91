// Blows that pass through bodies which touch, against the laws of elastic impacts. Nothing of the library is used for those.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "delassus/model/builder.hpp"
#include "support/classic_run.hpp"

namespace delassus {
namespace {

using testing::run;
using testing::start;

constexpr double kG = 9.81;

double energy_of(Simulator& simulation) { return simulation.kinetic_energy() + simulation.potential_energy(); }

// -------------------------------------------------------------------------------------------------------- cradle

constexpr double kLift = std::numbers::pi / 9, kLength = 0.3, kInertia = kLength * kLength + 0.4 * 0.02 * 0.02;

/// Seconds from rest at the angle kLift to the bottom: Runge and Kutta's method for the pendulum, and a straight line through the last step.
double quarter_swing() {
  const auto pull = [](long double angle) {
    return -static_cast<long double>(kG * kLength / kInertia) * std::sin(angle);
  };
  constexpr long double h = 1e-4L;
  long double q = kLift, v = 0;
  for (int k = 0;; ++k) {
    const long double a = pull(q), b = pull(q + h / 2 * v), c = pull(q + h / 2 * (v + h / 2 * a)),
                      d = pull(q + h * (v + h / 2 * b));
    const long double next = q + h * v + h * h / 6 * (a + b + c);
    if (next <= 0) return static_cast<double>((k + q / (q - next)) * h);
    v += h / 6 * (a + 2 * b + 2 * c + d);
    q = next;
  }
}

struct Cradle {
  int balls, lifted;
};

TEST(ClassicCradle, AsManyBallsLeaveAsComeIn) {
  const double bottom = quarter_swing(), h = 1e-4;
  const double fastest = std::sqrt(2 * kG * kLength / kInertia * (1 - std::cos(kLift)));
  for (const Cradle cradle : {Cradle{2, 1}, {5, 1}, {5, 2}, {5, 3}, {5, 4}, {9, 1}}) {
    const std::string name = "cradle:" + std::to_string(cradle.balls) + "x" + std::to_string(cradle.lifted);
    SCOPED_TRACE(name);
    Simulator simulation = start(name, h);
    double before = 0;
    while (simulation.v().back() > -1 && simulation.time() < 1) {
      before = simulation.v()[0];
      run(simulation, h);
      if (HasFatalFailure()) return;
    }
    // Steps are first order in time: (g/l) h is 33e-4/s of the speed's rate, and a step is one of the time's.
    EXPECT_NEAR(simulation.time(), bottom, 2 * h);
    EXPECT_NEAR(before, -fastest, kG / kLength * h);
    for (int k = 0; k < cradle.balls; ++k) {
      // All that comes in goes out. Balls meet up to a step's way before the bottom, at an angle of 2e-4 whose square they keep of their speed; solved to 1e-8.
      const double after = k < cradle.balls - cradle.lifted ? 0 : before;
      EXPECT_NEAR(simulation.v()[static_cast<std::size_t>(k)], after, 1e-6) << "ball " << k;
    }
  }
}

TEST(ClassicCradle, BallsComeAndGoForSeconds) {
  for (const Cradle cradle : {Cradle{5, 1}, {5, 2}}) {
    const std::string name = "cradle:" + std::to_string(cradle.balls) + "x" + std::to_string(cradle.lifted);
    SCOPED_TRACE(name);
    SimulationSetup setup = make_classic_scene(name);
    for (const double h : {1e-3, 2.5e-4}) {
      setup.options.dt = h;
      Simulator simulation = setup.make_simulator();
      const double first = energy_of(simulation);
      run(simulation, 4 * quarter_swing() * 3);
      // The first ball is at the top of its swing again, after six blows. Each may come a step early and leave a step ahead; at the top that counts squared.
      const double early = 12 * h * std::sqrt(kG * kLength / kInertia);
      EXPECT_NEAR(simulation.q()[0], kLift, kLift * early * early / 2);
      // A step that begins or ends at a blow has the wrong half of h g sin(angle) in it, with angles up to h ω: some h² of the energy, and solves have 1e-8 m/s.
      EXPECT_NEAR(energy_of(simulation), first, 1e-3 * cradle.lifted * kLength * 0.1 * kG * (1 - std::cos(kLift)));
    }
  }
}

// --------------------------------------------------------------------------------------------------------- others

struct Ball {
  double mass, radius, height;
};

/// Balls without friction above the floor, one above the other.
SimulationSetup make_column(const std::vector<Ball>& balls, double restitution) {
  ModelBuilder builder("column");
  for (std::size_t k = 0; k < balls.size(); ++k) {
    const std::string name = "ball" + std::to_string(k);
    ShapeDescription shape;
    shape.body = builder.add_body(name, kWorld, prismatic(name, {{0, 0, 1}}, translation(0, 0, balls[k].height)),
                                  sphere_inertial(balls[k].mass, balls[k].radius));
    shape.size = {{balls[k].radius, 0, 0}};
    shape.friction[0] = 0;
    builder.add_shape(shape);
  }
  SimulationSetup out(builder.make_model());
  out.options.restitution = restitution;
  out.options.dt = 1e-4;
  out.options.tolerance = 1e-8;
  return out;
}

/// A light ball on a heavy one: the floor turns that one round, and it throws up the light one.
TEST(ClassicCradle, AHeavyBallThrowsUpALightOneThatItCarries) {
  const double M = 1, m = 0.1, e = 0.9, h = 1e-4, v = std::sqrt(2 * kG * 0.5);
  Simulator simulation = make_column({{M, 0.1, 0.6}, {m, 0.04, 0.74}}, e).make_simulator();
  while (simulation.v()[1] <= 0 && simulation.time() < 1) run(simulation, h);
  // The heavy one goes up with e v when it meets the other, which comes with v. Gravity of two rounds, and of where in a step they meet: 3 g h.
  const double together = (M * e * v - m * v) / (M + m), apart = e * (v + e * v);
  EXPECT_NEAR(simulation.v()[1], together + M / (M + m) * apart, 3 * kG * h);
  EXPECT_NEAR(simulation.v()[0], together - m / (M + m) * apart, 3 * kG * h);
}

TEST(ClassicCradle, WhatFallsFlatComesBackFlat) {
  ModelBuilder builder("plate");
  const Vec3<double> half{{0.2, 0.1, 0.02}};
  ShapeDescription shape;
  shape.body = builder.add_body("plate", kWorld, joint(JointKind::kFree, "plate_free"), box_inertial(1, half));
  shape.kind = ShapeKind::kBox;
  shape.size = half;
  builder.add_shape(shape);
  SimulationSetup setup(builder.make_model());
  setup.options.restitution = 0.5;
  setup.q[2] = 0.52;
  Simulator simulation = setup.make_simulator();
  double before = 0;
  while (simulation.v()[5] <= 0 && simulation.time() < 1) {
    before = simulation.v()[5];
    run(simulation, 1e-3);
  }
  // All corners in one round; solved to 1e-8 m/s.
  EXPECT_NEAR(simulation.v()[5], -0.5 * before, 1e-7);
  for (int k = 0; k < 3; ++k) EXPECT_LT(std::abs(simulation.v()[static_cast<std::size_t>(k)]), 1e-6);
}

/// Whatever touches what: no round gains energy without friction.
TEST(ClassicCradle, ColumnsThatFallNeverGainEnergy) {
  for (const double e : {0.3, 0.8, 1.0}) {
    SCOPED_TRACE(e);
    Simulator simulation =
        make_column({{1, 0.1, 0.3}, {2, 0.1, 0.5}, {0.5, 0.05, 0.65}, {1, 0.05, 0.75}}, e).make_simulator();
    const double first = energy_of(simulation);
    double work = 0;
    for (int k = 0; k < 5000; ++k) {
      run(simulation, 1e-4);
      if (HasFatalFailure()) return;
      work += simulation.report().energy.contacts;
      EXPECT_LE(simulation.report().energy.solve, 1e-7);  // solved to 1e-8 m/s, times impulses of some N s
    }
    if (e < 1) {
      EXPECT_LT(energy_of(simulation), 0.7 * first);  // all but the energy of balls on each other, by and by
    } else {
      EXPECT_NEAR(work, 0, 1e-6);  // as above, of some ten impacts
    }
  }
}

}  // namespace
}  // namespace delassus
