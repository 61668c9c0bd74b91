// What dry friction holds, and what it does not, against statics and the work that friction does. Nothing of the library is used for either.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "support/classic_run.hpp"

namespace delassus {
namespace {

using testing::run;
using testing::start;
using Real = long double;

constexpr double kG = 9.81, kDegree = std::numbers::pi / 180;

// ------------------------------------------------------------------------------------------------------ pendulum

/// Ends of the half swings of a pendulum that is let go at an angle, with their signs: m g l (cos b - cos a) = torque (a + b).
std::vector<double> swings_by_theory(Real from, Real friction) {
  std::vector<double> out;
  for (Real sign = -1; std::sin(from) > friction; sign = -sign) {
    Real low = -std::asin(friction), high = from;
    for (int k = 0; k < 100; ++k) {
      const Real b = (low + high) / 2;
      (std::cos(b) - std::cos(from) > friction * (from + b) ? low : high) = b;
    }
    from = low;
    out.push_back(static_cast<double>(sign * from));
  }
  return out;
}

/// The same, where the velocity changes its sign or vanishes: positions of the steps before and after are within a h²/2 of the end.
std::vector<double> simulated_swings(const std::string& name, double h, std::size_t count) {
  Simulator simulation = start(name, h);
  std::vector<double> out;
  for (double before = 0; out.size() < count && simulation.time() < 20;) {
    const StepStatus status = simulation.step();
    EXPECT_TRUE(status.ok());
    const double now = simulation.v()[0];
    if (before != 0 && (now * before <= 0 || std::abs(now) < 1e-7)) out.push_back(simulation.q()[0] - h * now);
    before = std::abs(now) < 1e-7 ? 0 : now;
  }
  return out;
}

TEST(ClassicFriction, APendulumLosesTheWorkOfItsHinge) {
  for (const char* parameters : {"60x0.05", "150x0.1", "60x0.3", "20x0.2"}) {
    SCOPED_TRACE(parameters);
    const std::string text = parameters;
    const std::size_t x = text.find('x');
    const auto theory = swings_by_theory(std::stold(text.substr(0, x)) * std::numbers::pi_v<Real> / 180,
                                         std::stold(text.substr(x + 1)));
    const auto coarse = simulated_swings("dry-pendulum:" + text, 1e-3, theory.size());
    const auto fine = simulated_swings("dry-pendulum:" + text, 5e-4, theory.size());
    ASSERT_EQ(coarse.size(), theory.size());
    ASSERT_EQ(fine.size(), theory.size());
    // Steps are of first order, but symplectic: at the ends of swings, where nothing moves, what is left is the way of half a step, (g/l) h² / 2.
    for (std::size_t k = 0; k < theory.size(); ++k) {
      EXPECT_NEAR(coarse[k], theory[k], kG / 0.5 * 1e-3 * 1e-3 / 2) << "swing " << k;
      EXPECT_NEAR(fine[k], theory[k], kG / 0.5 * 5e-4 * 5e-4 / 2) << "swing " << k;
    }
  }
}

TEST(ClassicFriction, APendulumRestsWhereItsHingeHoldsIt) {
  for (const double degrees : {0.0, 2.0, 5.7, 5.8}) {  // friction 0.1: 5.739 degrees
    Simulator simulation = start("dry-pendulum:" + std::to_string(degrees) + "x0.1");
    run(simulation, 0.1);
    // Solved to 1e-8, of a torque that holds a metre per second in a thousandth.
    if (std::sin(degrees * kDegree) < 0.1) {
      EXPECT_LT(std::abs(simulation.v()[0]), 1e-7) << degrees;
    } else {
      EXPECT_LT(simulation.v()[0], -1e-3) << degrees;  // (g/l) (sin - 0.1) t is 0.002 rad/s
    }
  }
}

// -------------------------------------------------------------------------------------------------------- ladder

/// A ladder of 2 m whose ends are round, r = 1 cm, on the point of slipping at both: the angle at which moments about its middle vanish.
double critical_angle(double mu) {
  const double floor = 1 / (1 + mu * mu), wall = mu * floor;  // normal forces, over the weight
  double low = 0, high = std::numbers::pi / 2;
  for (int k = 0; k < 100; ++k) {
    const double angle = (low + high) / 2, c = std::cos(angle), s = std::sin(angle);
    const double falling = floor * c - mu * floor * (s + 0.01) - wall * s - mu * wall * (c + 0.01);
    (falling > 0 ? low : high) = angle;
  }
  return low;
}

TEST(ClassicFriction, ALadderSlipsBelowItsCriticalAngle) {
  EXPECT_NEAR(critical_angle(0.25), std::numbers::pi / 2 - 2 * std::atan(0.25),
              0.01);  // r = 0: tan = (1 - mu²) / (2 mu)
  for (const double mu : {0.1, 0.25, 0.5}) {
    for (const double aside : {-0.2, 0.2}) {
      const double degrees = critical_angle(mu) / kDegree + aside;
      Simulator simulation = start("ladder:" + std::to_string(degrees) + "x" + std::to_string(mu));
      const double height = simulation.q()[2];
      SCOPED_TRACE("mu " + std::to_string(mu) + ", degrees " + std::to_string(degrees));
      run(simulation, 0.5);
      const double fallen = height - simulation.q()[2];
      if (aside > 0) {
        EXPECT_LT(std::abs(fallen), 1e-8);  // solved to 1e-8 m/s
      } else {
        EXPECT_GT(fallen, 5e-4);  // a fifth of a degree unbalances it by 0.003 g, which is 0.4 mm and more of 0.5 s
      }
    }
  }
}

/// The height of its middle, less the ends' radius, when the wall presses no more.
double leaving_height(double degrees, double h) {
  Simulator simulation = start("ladder:" + std::to_string(degrees) + "x0", h);
  while (simulation.time() < 2) {
    run(simulation, h);
    double wall = 0;
    for (const ContactState& c : simulation.contacts()) wall += c.force[0];
    if (wall < 1e-6) return simulation.q()[2] - 0.01;  // of 98 N
  }
  return 0;
}

TEST(ClassicFriction, ALadderWithoutFrictionLeavesTheWallAtTwoThirds) {
  for (const double degrees : {80.0, 60.0, 40.0}) {
    const double first = std::sin(degrees * kDegree), last = first * 2 / 3;
    // By its energy it turns with ω² = 2 g (first - last) / (1 + 1/3) there. Steps end up to three of their ways from where the force vanishes.
    const double falling = std::sqrt(1 - last * last) * std::sqrt(kG * (first - last) * 3 / 2);
    for (const double h : {1e-3, 2.5e-4}) EXPECT_NEAR(leaving_height(degrees, h), last, 3 * h * falling) << degrees;
  }
}

// ------------------------------------------------------------------------------------------------------- capstan

constexpr int kBeads = 18;
constexpr Real kHalfAngle = std::numbers::pi_v<Real> / kBeads / 2;

/// What the rope's last piece pulls with if its first holds with 1, all beads slide, and each is sped up along the drum by `inertia` = m a / hold.
Real pull_for(Real mu, Real inertia) {
  const Real c = std::cos(kHalfAngle), s = std::sin(kHalfAngle);
  // Ends are in line with the pieces that they pull at, whose beads have a cos(δ/2) along it.
  Real tension = 1 + inertia * c;
  for (int k = 0; k < kBeads; ++k) tension = (tension * (c + mu * s) + inertia) / (c - mu * s);
  return tension + inertia * c;
}

TEST(ClassicFriction, ARopeHoldsByTheExponentialOfItsAngle) {
  for (const double mu : {0.1, 0.3}) {
    const auto limit = static_cast<double>(pull_for(mu, 0));
    // Each bead has mu (δ/2)² / 3 more of its share than a rope, which with δ = 10° is 0.003 of the exponent.
    EXPECT_NEAR(std::log(limit) / (mu * std::numbers::pi), 1, 0.004);
    for (const double share : {0.8, 0.99, 0.999, 1.001, 1.01, 1.5}) {
      const std::string pull = std::to_string(share * limit);
      SCOPED_TRACE(pull);
      Simulator simulation = start("capstan:" + pull + "x" + std::to_string(mu));
      run(simulation, 1e-3);
      // All of it is linear in the acceleration: 10 N hold, and beads have 20 g.
      const double excess = static_cast<double>((std::stod(pull) - limit) / (pull_for(mu, 1) - limit)) * 10 / 0.02;
      // Solved to 1e-8 m/s; and pieces give way by a millionth of what the mass of 20 beads does, each of 18 under at most the pull.
      const double giving = 1e-8 + 1e-6 / (20 * 0.02) * kBeads * std::stod(pull) * 10 * 1e-3;
      for (std::size_t bead = 1; bead <= kBeads; ++bead) {
        const double speed = std::hypot(simulation.v()[2 * bead], simulation.v()[2 * bead + 1]);
        EXPECT_NEAR(speed, 1e-3 * std::max(excess, 0.0), giving) << bead;
      }
    }
  }
}

TEST(ClassicFriction, ARopeThatHoldsDoesNotCreep) {
  Simulator simulation = start("capstan:2.5x0.3");
  run(simulation, 0.3);
  for (const double q : simulation.q()) EXPECT_LT(std::abs(q), 1e-7);  // where residuals of the first steps left it
}

}  // namespace
}  // namespace delassus
