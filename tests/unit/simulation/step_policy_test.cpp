// What a step may take and how exact it is: tolerance, iterations, time; and contacts that have rows only where they can be reached.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "delassus/model/builder.hpp"
#include "delassus/scenes/classic.hpp"
#include "delassus/simulation/simulator.hpp"
#include "scenes/boxes.hpp"

namespace delassus {
namespace {

/// Boxes that fall askew onto each other, so that many contacts slide at once.
Simulator make_heap(const SimulationOptions& options, double speed = 0.4) {
  const Model model(make_box_stack(5));
  Simulator sim(model, {}, options);
  std::vector<double> v(static_cast<std::size_t>(model.nv()), 0.0);
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = k % 6 == 3 ? speed : 0.0;  // along x
  v[v.size() - 6] = 2;                                                         // the uppermost turns
  sim.set_state(model.neutral(), v);
  return sim;
}

TEST(StepPolicy, EveryStepIsWithinTheTolerance) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    SimulationOptions options;
    options.tolerance = tolerance;
    Simulator sim = make_heap(options);
    double worst = 0;
    for (int k = 0; k < 200; ++k) {
      const StepStatus status = sim.step();
      ASSERT_TRUE(status.ok()) << sim.describe(status);
      EXPECT_FALSE(sim.report().inexact) << k;
      worst = std::max(worst, sim.report().certificate.worst());
    }
    EXPECT_LE(worst, tolerance);
    EXPECT_GT(worst, 1e-3 * tolerance);  // and not much better than was asked for
  }
}

/// However fast bodies are: 1e-9 of their velocity, which solvers take as good by themselves, would be four times the tolerance.
TEST(StepPolicy, TheToleranceIsThatOfFastBodiesToo) {
  SimulationOptions options;
  options.tolerance = 1e-8;
  Simulator sim = make_heap(options, 40);
  for (int k = 0; k < 50; ++k) {
    const StepStatus status = sim.step();
    ASSERT_TRUE(status.ok()) << sim.describe(status);
    EXPECT_FALSE(sim.report().inexact) << k;
    EXPECT_LE(sim.report().certificate.worst(), options.tolerance);
  }
}

/// A rope that is drawn over a drum: solves let loops give way by a millionth, which is 7e-8 m/s here, and are made again where that is above the tolerance.
TEST(StepPolicy, LoopsHoldToTheTolerance) {
  SimulationSetup setup = make_classic_scene("capstan:2.57");
  for (const double tolerance : {1e-6, 1e-8}) {
    setup.options.tolerance = tolerance;
    Simulator sim = setup.make_simulator();
    for (int k = 0; k < 100; ++k) {
      const StepStatus status = sim.step();
      ASSERT_TRUE(status.ok()) << sim.describe(status);
      // That of the last solve, and a millionth of the millionth.
      EXPECT_LE(sim.report().certificate.worst(), 1.001 * tolerance) << k;
    }
  }
}

TEST(StepPolicy, IterationsAreCounted) {
  SimulationOptions options;
  options.tolerance = 1e-8;
  options.acceptable = 1e3;
  options.max_iterations = 7;
  Simulator sim = make_heap(options);
  int spent = 0;
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(sim.step().ok());
    const ContactCertificate& certificate = sim.report().certificate;
    EXPECT_LE(certificate.iterations, 7);
    if (certificate.iterations < 7) continue;
    ++spent;
    EXPECT_EQ(certificate.reason, StopReason::kIterations);
    EXPECT_TRUE(sim.report().inexact);
    EXPECT_GT(certificate.velocity, 1e-8);
  }
  EXPECT_GT(spent, 10);
}

/// Where there is no time at all, forces are those of the step before, judged and said to be so.
TEST(StepPolicy, TimeIsOver) {
  SimulationOptions options;
  options.max_step_time = std::numeric_limits<double>::min();
  options.acceptable = 1e3;
  Simulator sim = make_heap(options);
  ASSERT_TRUE(sim.step().ok());
  EXPECT_EQ(sim.report().certificate.reason, StopReason::kTime);
  EXPECT_EQ(sim.report().certificate.iterations, 0);
  EXPECT_TRUE(sim.report().inexact);
  EXPECT_GT(sim.report().certificate.velocity, options.tolerance);

  options.acceptable = 1e-9;
  Simulator strict = make_heap(options);
  const SimulationState before = strict.save();
  EXPECT_EQ(strict.step().code, StepStatus::Code::kNotConverged);
  EXPECT_EQ(strict.save(), before);
}

TEST(StepPolicy, OptionsThatMakeNoSenseAreNamed) {
  const Model model(make_box_stack(1));
  const auto message = [&](const SimulationOptions& options) -> std::string {
    try {
      const Simulator sim(model, {}, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  SimulationOptions options;
  options.tolerance = 0;
  EXPECT_THAT(message(options), ::testing::HasSubstr("'tolerance'"));
  options.tolerance = 1e-6;
  options.max_iterations = -1;
  EXPECT_THAT(message(options), ::testing::HasSubstr("'max_iterations'"));
  options.max_iterations = 0;
  options.max_step_time = std::numeric_limits<double>::infinity();
  EXPECT_THAT(message(options), ::testing::HasSubstr("'max_step_time'"));
}

/// Two balls on one rail: the lower one rests 1.5 mm above the floor, which it would not reach by itself, and the upper one drives it there.
TEST(StepPolicy, AContactThatForcesBringTogetherIsTakenIn) {
  constexpr double kGap = 1.5e-3, kRadius = 0.1;
  ModelBuilder builder("rail");
  for (int k = 0; k < 2; ++k) {
    ShapeDescription shape;
    const std::string name = k == 0 ? "lower" : "upper";
    shape.body = builder.add_body(name, kWorld,
                                  prismatic(name, {{0, 0, 1}}, translation(0, 0, kRadius + kGap + 2 * kRadius * k)),
                                  sphere_inertial(1, kRadius));
    shape.size = {{kRadius, 0, 0}};
    builder.add_shape(shape);
  }
  Simulator sim(builder.make_model());
  sim.set_state(std::vector<double>{0, 0}, std::vector<double>{0, -10});
  ASSERT_TRUE(sim.step().ok());
  // Together they would go 5 mm down. The floor stops them at its surface, to the tolerance of velocities times the step.
  EXPECT_NEAR(sim.q()[0], -kGap, 1e-8);
  EXPECT_EQ(sim.contacts().size(), 2U);

  // Left alone, the lower one is found near the floor and has no rows.
  Simulator still(sim.model());
  still.set_state(std::vector<double>{0, 1}, std::vector<double>{0, 0});
  ASSERT_TRUE(still.step().ok());
  EXPECT_EQ(still.report().contacts, 1);
  EXPECT_EQ(still.report().rows, 0);
  EXPECT_TRUE(still.contacts().empty());
}

}  // namespace
}  // namespace delassus
