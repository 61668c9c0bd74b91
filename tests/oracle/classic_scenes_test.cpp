// Scenes that mechanics has formulas for, simulated. The formulas here are the books'; none is taken from the library.
#include "delassus/scenes/classic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "delassus/math/error.hpp"
#include "support/classic_run.hpp"

namespace delassus {
namespace {

constexpr double kG = 9.81, kDegree = std::numbers::pi / 180;

using testing::run;
using testing::start;

double speed(const Simulator& simulation) {
  const std::vector<double>& v = simulation.v();
  return std::hypot(v[3], v[4], v[5]);
}

TEST(ClassicScenes, ABoxSticksBelowTheFrictionAngle) {
  for (const double degrees : {0.0, 20.0, 26.5}) {  // mu 0.5: 26.565 degrees
    Simulator simulation = start("incline:" + std::to_string(degrees));
    for (int k = 0; k < 1000; ++k) {
      ASSERT_TRUE(simulation.step().ok());
      // Solved to 1e-8 m/s at each of four corners. What is promised is 1e-6.
      EXPECT_LT(speed(simulation), 1e-7) << degrees;
    }
    EXPECT_LT(std::abs(simulation.q()[0]), 1e-8);  // residuals do not add up: each step starts with impulses that hold
  }
}

TEST(ClassicScenes, ABoxSlidesAboveTheFrictionAngle) {
  for (const double degrees : {27.0, 35.0, 60.0}) {
    Simulator simulation = start("incline:" + std::to_string(degrees));
    const double a = kG * (std::sin(degrees * kDegree) - 0.5 * std::cos(degrees * kDegree));
    run(simulation, 1);
    const double before = simulation.v()[3];
    run(simulation, 1);
    // Speeds are solved to 1e-8 m/s. What is promised is 1e-3.
    EXPECT_NEAR(simulation.v()[3] - before, a, 1e-7) << degrees;
    // Steps that move with the velocity at their end go a t (t + h) / 2.
    EXPECT_NEAR(simulation.q()[0], a * 2 * (2 + 1e-3) / 2, 1e-6) << degrees;
  }
}

TEST(ClassicScenes, ABlockSlidesUntilItsEnergyIsGone) {
  for (const double mu : {0.1, 0.3}) {
    const double v = 1, h = 1e-3;
    Simulator simulation = start("sliding-block:1x" + std::to_string(mu));
    run(simulation, v / (mu * kG) + 0.1);
    EXPECT_LT(speed(simulation), 1e-7);
    // The sum of h (v - k mu g h) over its steps: theory less h v / 2, up to mu g h² / 8.
    EXPECT_NEAR(simulation.q()[0], v * v / (2 * mu * kG) - h * v / 2, mu * kG * h * h / 8 + 1e-8);
  }
}

TEST(ClassicScenes, ABallSlidesThenRolls) {
  const double v = 3, mu = 0.3, rolling = 2 * v / (7 * mu * kG);
  Simulator simulation = start("rolling-ball:3x0.3");
  run(simulation, 0.2);
  EXPECT_NEAR(speed(simulation), v - mu * kG * 0.2, 1e-6);
  EXPECT_NEAR(simulation.v()[1], 5.0 / 2 * mu * kG * 0.2 / 0.1, 1e-5);  // a speed at the rim over a tenth of a metre
  run(simulation, 0.3);
  ASSERT_GT(simulation.time(), rolling);
  EXPECT_NEAR(speed(simulation), v * 5 / 7, 1e-6);
  EXPECT_NEAR(simulation.v()[1], v * 5 / 7 / 0.1, 1e-5);
  run(simulation, 1.5);
  EXPECT_NEAR(speed(simulation), v * 5 / 7, 1e-6);  // and nothing slows it down
  // 12 v² / (49 mu g) until it rolls. A step of friction acts in the way of the step in which it began: h (v - 5/7 v) / 2 less.
  const double way = 12 * v * v / (49 * mu * kG) + v * 5 / 7 * (2 - rolling);
  EXPECT_NEAR(simulation.q()[0], way - 1e-3 * v / 7, 1e-5);
  EXPECT_LT(std::abs(simulation.q()[1]), 1e-8);
}

TEST(ClassicScenes, ABallBouncesToTheSquareOfItsRestitution) {
  const double e = 0.8, h = 1e-4, impact = std::sqrt(2 * kG * 1.0);
  Simulator simulation = start("bouncing-ball:0.8x1");
  std::vector<double> tops;
  for (double before = 0; tops.size() < 3 && simulation.time() < 10;) {
    ASSERT_TRUE(simulation.step().ok());
    const double up = simulation.v()[5];
    if (before > 0 && up <= 0) tops.push_back(1 + simulation.q()[2]);
    before = up;
  }
  ASSERT_EQ(tops.size(), 3U);
  for (int bounce = 1; bounce <= 3; ++bounce) {
    // Each begins up to one step above the floor, and tops fall between steps: less than h times the speed of the first impact.
    EXPECT_NEAR(tops[static_cast<std::size_t>(bounce - 1)], std::pow(e, 2 * bounce), h * impact) << "bounce " << bounce;
  }
}

double tilt_of(const Simulator& simulation) {
  const std::vector<double>& q = simulation.q();
  return std::acos(1 - 2 * (q[3] * q[3] + q[4] * q[4]));  // of a unit quaternion
}
double heading_of(const Simulator& simulation) {
  const std::vector<double>& q = simulation.q();
  return std::atan2(q[4] * q[5] - q[3] * q[6], q[3] * q[5] + q[4] * q[6]);
}

TEST(ClassicScenes, ATopPrecesses) {
  double drift[2];
  for (const int k : {0, 1}) {
    Simulator simulation = start("spinning-top:30x3", k == 0 ? 2e-4 : 1e-4);
    ASSERT_NEAR(heading_of(simulation), 0, 1e-12);
    run(simulation, 1);
    drift[k] = tilt_of(simulation) - 30 * kDegree;
    // First order: off by a share of h times the spin of 157 rad/s, which is 0.03 rad for the longer step; tilt, not heading, has most of it.
    EXPECT_NEAR(heading_of(simulation), 3, 5e-3);
    // Its tip turns into the floor by a second-order part of the step, and takes that back over the 200 steps and more of recovery_time.
    EXPECT_LT(simulation.report().penetration, 3e-5);
  }
  EXPECT_LT(std::abs(drift[1]), 0.6 * kDegree);
  EXPECT_NEAR(drift[1] / drift[0], 0.5, 0.05);
}

// ------------------------------------------------------------------------------------------------------- Painlevé

struct Rod {
  double mu, degrees;
  // From the centre of mass to the lowest point, and the inertia about the centre of mass over the mass.
  double x() const { return -0.5 * std::cos(degrees * kDegree); }
  double z() const { return -0.5 * std::sin(degrees * kDegree) - 0.01; }
  static constexpr double kInertia = 0.01 * 0.01 / 4 + 0.5 * 0.5 / 3;
  /// Whether a normal force with the friction that belongs to it presses the end into the ground.
  bool is_paradox() const { return 1 + x() * (x() - mu * z()) / kInertia < 0; }
};

std::string name_of(const Rod& rod) { return "painleve:" + std::to_string(rod.mu) + "x" + std::to_string(rod.degrees); }

TEST(ClassicScenes, PainlevesRodJamsWhereItHasTo) {
  int paradoxes = 0;
  for (const Rod rod : {Rod{0.5, 63}, Rod{1.2, 63}, Rod{1.5, 63}, Rod{2, 63}, Rod{2, 30}, Rod{4, 75}, Rod{10, 45}}) {
    SCOPED_TRACE(name_of(rod));
    Simulator simulation = start(name_of(rod));
    ASSERT_TRUE(simulation.step().ok());
    const std::vector<double>&q = simulation.q(), &v = simulation.v();
    const double turn = v[1], angle = 2 * std::atan2(q[4], q[6]);  // about y, which stays where it is
    const double end = std::cos(angle) * v[3] + std::sin(angle) * v[5] + turn * rod.z();
    paradoxes += rod.is_paradox();
    if (rod.is_paradox()) {
      // Solved to 1e-8 m/s, or that part of the largest velocity.
      EXPECT_NEAR(end, 0, 1e-7);
      // The end stops and bears the rod, whose angular momentum about it stays but for gravity's part.
      const double about_end = Rod::kInertia + rod.x() * rod.x() + rod.z() * rod.z();
      EXPECT_NEAR(turn, (2 * rod.z() - kG * 1e-3 * rod.x()) / about_end, 1e-6);
    } else {
      EXPECT_LT(end, -1.5);  // forces of some weights, over a millisecond
    }
  }
  EXPECT_GE(paradoxes, 4);
}

TEST(ClassicScenes, PainlevesRodNeverGainsEnergy) {
  for (const Rod rod : {Rod{0.5, 63}, Rod{1.2, 63}, Rod{2, 63}, Rod{4, 75}, Rod{10, 45}}) {
    SCOPED_TRACE(name_of(rod));
    Simulator simulation = start(name_of(rod));
    const double first = simulation.kinetic_energy() + simulation.potential_energy();
    double energy = first;
    for (int k = 0; k < 1000; ++k) {
      const StepStatus status = simulation.step();
      ASSERT_TRUE(status.ok()) << simulation.describe(status);
      ASSERT_TRUE(simulation.report().certificate.solved()) << "step " << k;
      const double now = simulation.kinetic_energy() + simulation.potential_energy();
      EXPECT_LT(now - energy, 1e-4 * first) << "step " << k;
      energy = now;
    }
    EXPECT_LT(energy, first);
    EXPECT_LT(simulation.kinetic_energy(), 1e-12);  // it lies there
  }
}

// ----------------------------------------------------------------------------------------------------------- arch

/// Statics of half an arch of `kStones`, by its line of thrust (Heyman 1966): whether there is a horizontal thrust H and a moment M at the
/// crown with which the force through each joint stays between its edges and within the friction cone. Weights over density and depth.
bool can_stand(double mu, double thickness) {
  constexpr int kStones = 9;
  const double outer = 1 + thickness / 2, inner = 1 - thickness / 2;
  double least = 0, most = 100;
  struct Joint {
    double weight, moment, c, s;
    double normal(double H) const { return H * c + weight * s; }
  } joints[(kStones + 1) / 2];
  for (int j = 0; j < (kStones + 1) / 2; ++j) {
    const double angle = (j + 0.5) * std::numbers::pi / kStones, c = std::cos(angle), s = std::sin(angle);
    const double weight = thickness * angle;
    joints[j] = {weight, (std::pow(outer, 3) - std::pow(inner, 3)) / 3 * (1 - c), c, s};
    least = std::max(least, weight * (c - mu * s) / (s + mu * c));
    if (s > mu * c) most = std::min(most, weight * (c + mu * s) / (s - mu * c));
  }
  if (least > most) return false;
  // For each H the moments that are left, which is a concave function: its top is found by thirds.
  const auto room = [&](double H) {
    double up = HUGE_VAL, down = -HUGE_VAL;
    for (const Joint& joint : joints) {
      up = std::min(up, outer * joint.normal(H) - joint.moment);
      down = std::max(down, inner * joint.normal(H) - joint.moment);
    }
    return up - down;
  };
  for (int k = 0; k < 200; ++k) {
    const double left = least + (most - least) / 3, right = most - (most - least) / 3;
    if (room(left) < room(right)) {
      least = left;
    } else {
      most = right;
    }
  }
  return room((least + most) / 2) >= 0;
}

TEST(ClassicScenes, AnArchStandsIfStaticsSaysSo) {
  struct Case {
    double mu, thickness;
  };
  // To either side of both limits, 0.309 of the friction and 0.1021 of the thickness.
  for (const Case arch : {Case{0.7, 0.2}, Case{0.32, 0.2}, Case{0.29, 0.2}, Case{1, 0.106}, Case{1, 0.097}}) {
    SCOPED_TRACE("friction " + std::to_string(arch.mu) + ", thickness " + std::to_string(arch.thickness));
    Simulator simulation = start("arch:" + std::to_string(arch.mu) + "x" + std::to_string(arch.thickness));
    double farthest = 0;
    for (int k = 0; k < 1000 && farthest < 1e-2; ++k) {
      run(simulation, simulation.options().dt);
      if (HasFatalFailure()) return;
      for (std::size_t i = 0; i < simulation.q().size(); i += 7) {
        farthest = std::max(farthest, std::hypot(simulation.q()[i], simulation.q()[i + 1], simulation.q()[i + 2]));
      }
    }
    if (can_stand(arch.mu, arch.thickness)) {
      EXPECT_LT(farthest, 1e-7);  // solved to 1e-8 m/s, as above
    } else {
      EXPECT_GE(farthest, 1e-2);  // it falls
    }
  }
  EXPECT_TRUE(can_stand(1, 0.106));
  EXPECT_FALSE(can_stand(1, 0.097));
  EXPECT_FALSE(can_stand(0.29, 0.2));
}

// --------------------------------------------------------------------------------------------------- names and texts

TEST(ClassicScenes, WhatTheyTellOfThemselvesIsTheory) {
  for (const ClassicScene& scene : classic_scenes()) {
    const std::string name(scene.name);
    SCOPED_TRACE(name);
    Simulator simulation = start(name);
    run(simulation, 0.1);
    for (const Observation& x : observe_classic_scene(name, simulation.time(), simulation.q(), simulation.v())) {
      // A step of 1 ms at up to 3 m/s, and one of 0.1 ms of the top, whose tilt is off by 1e-3 rad by then. A coin that goes round with 56 rad/s is off by as much of it.
      EXPECT_NEAR(x.measured, x.theory, 2e-3 * std::max(1.0, std::abs(x.theory))) << x.what;
    }
  }
}

TEST(ClassicScenes, NamesThatAreNoneAreExplained) {
  const auto message = [](const std::string& name) -> std::string {
    try {
      make_classic_scene(name);
    } catch (const Error& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_EQ(message("inclin"), "there is no classic scene 'inclin' (did you mean 'incline'?)");
  const std::string range = ": write incline:DEGREESxMU, DEGREES from 0 to 60, MU from 0 to 2, such as incline:20x0.5";
  for (const char* bad :
       {"incline:", "incline:70", "incline:x", "incline:20x", "incline:20x0.5x1", "incline:nan", "incline:20 "}) {
    EXPECT_EQ(message(bad), "'" + std::string(bad) + "'" + range);
  }
  EXPECT_EQ(message("incline:20"), "none");
}

}  // namespace
}  // namespace delassus
