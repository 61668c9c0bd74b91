// Rows of cases beside simulations that know nothing of sweeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "delassus/math/rotation.hpp"
#include "delassus/scenes/load_named.hpp"
#include "delassus/simulation/simulation_setup.hpp"
#include "sweep/sweep.hpp"

namespace delassus {
namespace {

using ::testing::HasSubstr;

ParameterSweep sweep_of(const std::string& text) {
  return ParameterSweep::parse(R"({"format": "delassus-sweep-1", )" + text + "}", "study.json", ".");
}

/// A column of rows, by its name.
std::vector<double> column(const ParameterSweep& sweep, const SweepRows& rows, const std::string& name) {
  for (std::size_t k = 0; k < sweep.columns().size(); ++k) {
    if (sweep.columns()[k].name == name) return rows.columns[k];
  }
  ADD_FAILURE() << "there is no column " << name;
  return {};
}

SimulationSetup standing_go2(double kp, double kd, double dt) {
  const Scene scene = load_named("go2-standing");
  SimulationSetup out(scene.model);
  out.constraints = scene.constraints;
  out.q = scene.q;
  out.v = scene.v;
  out.forces = scene.tau;
  out.assemble();
  out.options.dt = dt;
  out.actuators = make_position_actuators(out.model, kp, kd);
  return out;
}

/// By the Simulator, which shares neither lanes nor batches with it; both keep contact forces to 1e-9 m/s, and 0.2 s let that grow a little.
TEST(SweepRun, CasesAreWhatASimulatorDoes) {
  const ParameterSweep sweep = sweep_of(R"("scene": "go2-standing", "seconds": 0.2, "motors": {"kp": 60, "kd": 2},
    "options": {"dt": 0.002, "tolerance": 1e-9},
    "parameters": {"height": {"list": [0, 0.02, 0.05]}},
    "keep": {"final": ["q", "v"], "min": ["height"], "events": {"low": {"quantity": "height", "below": 0.26}},
             "trajectory": {"of": ["height"], "rate": 100}})");
  const SweepRows rows = sweep.run({0, 3});
  EXPECT_TRUE(rows.failures.empty());
  const std::vector<double> q = column(sweep, rows, "final/q"), heights = column(sweep, rows, "trajectory/height");
  const std::vector<double> least = column(sweep, rows, "min/height"), low = column(sweep, rows, "events/low");
  for (int i = 0; i < 3; ++i) {
    SimulationSetup setup = standing_go2(60, 2, 0.002);
    setup.options.tolerance = 1e-9;
    setup.q[2] += sweep.values(i)[0];
    Simulator alone = setup.make_simulator();
    double lowest = setup.q[2], first_low = setup.q[2] < 0.26 ? 0 : std::nan("");
    for (int step = 0; step <= 100; ++step) {
      if (step % 5 == 0) {
        EXPECT_NEAR(heights[static_cast<std::size_t>(21 * i + step / 5)], alone.q()[2], 1e-6);
        lowest = std::min(lowest, alone.q()[2]);
        if (std::isnan(first_low) && alone.q()[2] < 0.26) first_low = 0.002 * step;
      }
      if (step == 100) break;
      ASSERT_TRUE(alone.step().ok());
    }
    for (std::size_t k = 0; k < 19; ++k) EXPECT_NEAR(q[19 * static_cast<std::size_t>(i) + k], alone.q()[k], 1e-6);
    EXPECT_NEAR(least[static_cast<std::size_t>(i)], lowest, 1e-6);
    EXPECT_EQ(std::isnan(low[static_cast<std::size_t>(i)]), std::isnan(first_low));
    if (!std::isnan(first_low)) {
      EXPECT_NEAR(low[static_cast<std::size_t>(i)], first_low, 1e-9);
    }
  }
}

/// A body that nothing touches: impulse and momentum. The push lasts 0.05 s of 0.3; what is not pushed falls as Galilei has it, up to the first order of the integrator.
TEST(SweepRun, PushesGravityAndMassesAreThoseOfMechanics) {
  const ParameterSweep sweep = sweep_of(R"("scene": "box-stack:1", "seconds": 0.3,
    "options": {"dt": 0.001, "ground": false},
    "push": {"body": "box1", "start": 0.1, "seconds": 0.05},
    "parameters": {"push.x": {"list": [0, 40, 40]}, "mass_scale": {"list": [1, 1, 2]}, "gravity.z": {"list": [-9.81, -1.62, 0]},
                   "height": 1},
    "keep": {"final": ["position", "speed"]})");
  const SweepRows rows = sweep.run({0, 3});
  const double mass = load_named("box-stack:1").model.mass();
  const std::vector<double> position = column(sweep, rows, "final/position");
  const std::vector<double> speed = column(sweep, rows, "final/speed");
  const double start = 0.25 + 1, gravity[] = {-9.81, -1.62, 0}, scale[] = {1, 1, 2};
  for (std::size_t i = 0; i < 3; ++i) {
    const double pushed = (i > 0 ? 40 * 0.05 : 0) / (mass * scale[i]), fallen = gravity[i] * 0.3;
    EXPECT_NEAR(speed[i], std::hypot(pushed, fallen), 1e-9);
    EXPECT_NEAR(position[3 * i], pushed * (0.3 - 0.125), 1e-3 * pushed + 1e-12);  // half a step of the push
    EXPECT_NEAR(position[3 * i + 2], start + fallen * 0.15, 1e-3 * std::abs(fallen) + 1e-12);
  }
}

TEST(SweepRun, WhatFloatsIsTurnedByRollThenPitchThenYaw) {
  const ParameterSweep sweep = sweep_of(R"("scene": "box-stack:1", "seconds": 0.001,
    "options": {"dt": 0.001, "ground": false}, "cases": 2,
    "parameters": {"roll": 1.5707963267948966, "yaw": 1.5707963267948966, "gravity.z": 0},
    "keep": {"final": ["orientation", "tilt"]})");
  const std::vector<double> o = column(sweep, sweep.run({0, 2}), "final/orientation");
  // z goes to -y by the roll, and from there to x by the yaw.
  const Mat3<double> R = rotation_of(Quaternion<double>{{o[0], o[1], o[2], o[3]}});
  EXPECT_NEAR(R(0, 2), 1, 1e-12);
  EXPECT_NEAR(R(1, 0), 1, 1e-12);
}

std::vector<std::vector<double>> together(const std::vector<SweepRows>& parts) {
  std::vector<std::vector<double>> out(parts[0].columns.size());
  for (const SweepRows& part : parts) {
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k].insert(out[k].end(), part.columns[k].begin(), part.columns[k].end());
  }
  return out;
}

/// To the last bit; NaN of events equal themselves here.
bool same_bits(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k].size() != b[k].size() || std::memcmp(a[k].data(), b[k].data(), 8 * a[k].size()) != 0) return false;
  }
  return true;
}

/// Batches of options of their own among them, pushes that begin at other times, and cases that fall.
TEST(SweepRun, RowsDependOnTheirCaseAlone) {
  const ParameterSweep sweep =
      sweep_of(R"("scene": "go2-standing", "seconds": 0.1, "cases": 40, "seed": 5, "motors": {"kp": 40, "kd": 1},
    "options": {"tolerance": 1e-5}, "push": {"body": "base", "seconds": 0.02},
    "parameters": {"dt": {"choice": {"of": [0.002, 0.004]}}, "friction": {"uniform": [0.1, 1]}, "push.start": {"uniform": [0, 0.05]},
                   "push.y": {"uniform": [0, 500]}, "kp": {"uniform": [20, 60]}, "latency": {"choice": {"of": [0, 0.004]}},
                   "com_offset.x:base": {"normal": {"mean": 0, "deviation": 0.02}}, "roll": {"normal": {"mean": 0, "deviation": 0.2}},
                   "height": 0.05, "target:FL_calf_joint": {"uniform": [-2, -1]}},
    "keep": {"final": ["q", "v", "efforts", "contact_forces"], "max": ["contact_force", "effort"], "min": ["height"],
             "events": {"low": {"quantity": "height", "below": 0.3}}, "trajectory": {"of": ["q"], "rate": 125}})");
  const SweepRows all = sweep.run({0, 40});
  EXPECT_TRUE(same_bits(all.columns,
                        together({sweep.run({0, 7}), sweep.run({7, 8}), sweep.run({8, 33}), sweep.run({33, 40})})));
  const std::vector<double> steps = column(sweep, all, "steps"), dt = column(sweep, all, "parameters/dt");
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(steps[i], std::round(0.1 / dt[i]));
}

/// A normal law has frictions below zero sometimes: those cases are rows with a status, and the others are as if they were not there.
TEST(SweepRun, CasesThatFailAreRows) {
  const std::string rest =
      R"("scene": "go2-standing", "seconds": 0.02, "cases": 30, "seed": 1, "options": {"dt": 0.002},
    "keep": {"final": ["height"]}, "parameters": {"friction": )";
  const ParameterSweep sweep = sweep_of(rest + R"({"normal": {"mean": 0.5, "deviation": 0.5}}})");
  const SweepRows rows = sweep.run({0, 30});
  const std::vector<double> status = column(sweep, rows, "status"), height = column(sweep, rows, "final/height");
  const std::vector<double> friction = column(sweep, rows, "parameters/friction");
  ASSERT_FALSE(rows.failures.empty());
  ASSERT_LT(rows.failures.size(), 15u);
  std::size_t failed = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_EQ(status[i] != 0, friction[i] < 0) << i;
    EXPECT_EQ(std::isnan(height[i]), friction[i] < 0) << i;
    if (status[i] == 0) continue;
    EXPECT_EQ(sweep.status_words()[static_cast<std::size_t>(status[i])], "bad_start");
    EXPECT_EQ(rows.failures[failed].index, static_cast<std::int64_t>(i));
    EXPECT_THAT(rows.failures[failed++].message, HasSubstr("parameter 'friction' is -"));
  }
  EXPECT_EQ(failed, rows.failures.size());
}

/// Deep in the floor: who starts so fails, and says which bodies overlap.
TEST(SweepRun, StartsThatMakeNoSenseFailAlone) {
  const ParameterSweep sweep = sweep_of(R"("scene": "go2-standing", "seconds": 0.02, "options": {"dt": 0.002},
    "parameters": {"height": {"list": [0, -0.1, 0.1]}}, "keep": {"final": ["height"]})");
  const SweepRows rows = sweep.run({0, 3});
  ASSERT_EQ(rows.failures.size(), 1u);
  EXPECT_EQ(rows.failures[0].index, 1);
  EXPECT_THAT(rows.failures[0].message, HasSubstr("step 1 (t = 0 s): '"));
  const SweepRows alone = sweep.run({2, 3});
  for (std::size_t k = 0; k < rows.columns.size(); ++k) EXPECT_EQ(rows.columns[k].back(), alone.columns[k].back());
}

/// Times that no number of steps has: a push that never begins or never ends, and looking at the start and at the end alone.
TEST(SweepRun, TimesMayBeLongerThanAnyCase) {
  const ParameterSweep sweep = sweep_of(R"("scene": "incline:35", "seconds": 0.1, "push": {"body": "box"},
    "parameters": {"friction": 0.2, "push.z": 1000, "push.start": {"list": [1e300, 0, 0]}, "push.seconds": {"list": [1e300, 1e300, 0.2]}},
    "keep": {"sample": 1e300, "final": ["speed"], "events": {"moves": {"quantity": "speed", "above": 1e-3}}})");
  const SweepRows rows = sweep.run({0, 3});
  ASSERT_TRUE(rows.failures.empty());
  const std::vector<double> speed = column(sweep, rows, "final/speed"), moves = column(sweep, rows, "events/moves");
  EXPECT_LT(speed[0], 9.81 * 0.1);  // slides, no faster than it could fall
  EXPECT_GT(speed[1], 9.81 * 0.1);  // flies
  EXPECT_EQ(speed[1], speed[2]);
  EXPECT_EQ(moves, column(sweep, rows, "time"));
}

TEST(SweepRun, StopsWhenItIsAsked) {
  const ParameterSweep sweep = sweep_of(R"("scene": "go2-standing", "seconds": 100, "cases": 1000)");
  int asked = 0;
  EXPECT_THROW((void)sweep.run({0, 1000}, [&] { return ++asked > 3; }), SweepStopped);
}

}  // namespace
}  // namespace delassus
