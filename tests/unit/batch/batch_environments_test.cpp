// What an environment does depends on itself alone; it can be begun anew, saved and restored, to the last bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "support/batch_robots.hpp"

namespace delassus {
namespace {

using testing::motion_of;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Environments with the numbers first, first + 1, ... after some steps.
BatchSimulator make_walkers(const SimulationSetup& setup, int size, int first, const BatchSimulatorOptions& options) {
  BatchSimulator out(setup, size, options);
  for (int e = 0; e < size; ++e) testing::set_random_targets(out, e, first + e, 0.5);
  return out;
}

std::string words_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// Targets of 0.5 rad: some of them fall, and touch themselves.
TEST(BatchEnvironments, AnyNumberNeighboursAndThreads) {
  const SimulationSetup setup = testing::standing("go2-standing", 40, 1, 1e-6);
  BatchSimulator many = make_walkers(setup, 64, 0, {.threads = 2});
  many.step(40);
  BatchSimulator few = make_walkers(setup, 7, 30, {.threads = 1});
  for (int k = 0; k < 40; ++k) few.step();
  for (int e = 0; e < 7; ++e) EXPECT_EQ(motion_of(few, e), motion_of(many, 30 + e)) << e;
  for (const int number : {0, 33, 63}) {
    BatchSimulator one = make_walkers(setup, 1, number, {.threads = 1});
    for (int k = 0; k < 4; ++k) one.step(10);
    EXPECT_EQ(motion_of(one, 0), motion_of(many, number));
  }
}

TEST(BatchEnvironments, BadInputStaysWhereItIs) {
  const SimulationSetup setup = testing::standing("go2-standing", 40, 1, 1e-6);
  for (const bool lanes : {true, false}) {
    BatchSimulator good = make_walkers(setup, 5, 0, {.threads = 1, .lanes = lanes});
    BatchSimulator bad = make_walkers(setup, 5, 0, {.threads = 1, .lanes = lanes});
    const double was = bad.control()(2, 4);
    good.step(3);
    bad.step(3);
    const std::vector<double> before = motion_of(bad, 2);
    bad.control()(2, 4) = kNaN;
    EXPECT_EQ(good.step(5), 0);
    EXPECT_EQ(bad.step(5), 1);
    EXPECT_EQ(bad.summaries()[2].status.code, StepStatus::Code::kBadControl);
    EXPECT_EQ(bad.summaries()[2].status.index, 4);
    EXPECT_NE(bad.message(2), "");
    EXPECT_EQ(bad.message(1), "");
    EXPECT_EQ(motion_of(bad, 2), before);
    for (const int e : {0, 1, 3, 4}) EXPECT_EQ(motion_of(bad, e), motion_of(good, e));
    bad.control()(2, 4) = was;
    EXPECT_EQ(bad.step(5), 0);
    EXPECT_EQ(motion_of(bad, 2), motion_of(good, 2));
  }
}

/// Bounds of a step are those of each environment, and lanes, which count iterations for all that are side by side, are refused.
TEST(BatchEnvironments, BudgetsAreHonoured) {
  constexpr int kSize = 3, kMost = 4;
  SimulationSetup setup = testing::standing("go2-standing", 40, 1);
  setup.options.acceptable = 1e3;  // whatever is left
  setup.options.max_iterations = kMost;
  BatchSimulator counted = make_walkers(setup, kSize, 0, {.threads = 1});
  EXPECT_NE(counted.lanes_refused().find("bounded"), std::string::npos) << counted.lanes_refused();
  std::vector<Simulator> alone;
  for (int e = 0; e < kSize; ++e) {
    alone.push_back(setup.make_simulator());
    std::ranges::copy(testing::row_of(counted.control(), e), alone.back().control().begin());
  }
  int spent = 0;
  for (int k = 0; k < 40; ++k) {
    EXPECT_EQ(counted.step(), 0);
    for (int e = 0; e < kSize; ++e) {
      const StepSummary& summary = counted.summaries()[static_cast<std::size_t>(e)];
      Simulator& sim = alone[static_cast<std::size_t>(e)];
      ASSERT_TRUE(sim.step().ok());
      EXPECT_LE(summary.iterations, kMost);
      EXPECT_EQ(summary.iterations, sim.report().certificate.iterations);
      EXPECT_EQ(summary.inexact, sim.report().inexact);
      EXPECT_EQ(summary.residual, sim.report().certificate.worst());
      spent += summary.inexact;
    }
  }
  EXPECT_GT(spent, 10);

  // No time at all: the step of each fails by name, as the forces that it begins with do not carry it.
  setup.options.max_iterations = 0;
  setup.options.max_step_time = std::numeric_limits<double>::min();
  setup.options.acceptable = 1e-9;
  BatchSimulator timed = make_walkers(setup, kSize, 0, {.threads = 1});
  EXPECT_EQ(timed.step(), kSize);
  for (int e = 0; e < kSize; ++e) {
    EXPECT_EQ(timed.summaries()[static_cast<std::size_t>(e)].status.code, StepStatus::Code::kNotConverged);
    EXPECT_EQ(timed.summaries()[static_cast<std::size_t>(e)].iterations, 0);
    EXPECT_NE(timed.message(e), "");
  }
}

/// A lag remembers; it must not remember what is no number.
TEST(BatchEnvironments, BadInputIsForgottenByMotors) {
  SimulationSetup setup = testing::carrier(testing::box_shape(0.1, 0.1, 0.1), 0.1);
  BatchSimulator batch(setup, 1, {.threads = 1, .motors = {{.lag = 0.05}}});
  batch.control()(0, 0) = kNaN;
  EXPECT_EQ(batch.step(), 1);
  batch.control()(0, 0) = 0.1;
  EXPECT_EQ(batch.step(), 0);
}

/// A latency that grows on the way, beside one that was longer from the start: what an environment remembers depends on its own delays.
TEST(BatchEnvironments, CommandsOfOthersAreNotRemembered) {
  const SimulationSetup setup = testing::carrier(testing::box_shape(0.1, 0.1, 0.1), 0.1);
  const auto motion = [&](bool beside_a_slow_one) {
    BatchSimulator batch(setup, 2, {.threads = 1});
    std::vector<double> latency{0.01, beside_a_slow_one ? 0.2 : 0.0};
    const auto set = [&] { batch.set_parameters({}, {.latency = BatchView<const double>(latency.data(), 2, 1)}); };
    set();
    for (int k = 0; k < 10; ++k) {
      batch.control()(0, 0) = 0.02 * k;
      batch.step();
    }
    latency[0] = 0.03;
    set();
    batch.step(10);
    return motion_of(batch, 0);
  };
  EXPECT_EQ(motion(true), motion(false));
}

/// A command is felt after its delay and not before, also where the delay grew.
TEST(BatchEnvironments, LatencyIsInWholeSteps) {
  const SimulationSetup setup = testing::carrier(testing::box_shape(0.1, 0.1, 0.1), 0.1);
  BatchSimulator batch(setup, 1, {.threads = 1});
  const double latency = 3 * setup.options.dt;
  batch.set_parameters({}, {.latency = BatchView<const double>(&latency, 1, 1)});
  batch.step();
  batch.control()(0, 0) = 0.1;
  for (int k = 0; k < 3; ++k) {
    batch.step();
    EXPECT_LT(std::abs(batch.efforts()(0, 0)), 0.1) << k;  // it holds itself upright
  }
  batch.step();
  EXPECT_GT(batch.efforts()(0, 0), 1);  // of 20 Nm/rad · 0.1 rad, less the damping
}

TEST(BatchEnvironments, LooksChangeNothing) {
  const SimulationSetup setup = testing::standing("go2-standing", 40, 1, 1e-6);
  BatchSimulator alone = make_walkers(setup, 3, 0, {.threads = 1}), seen = make_walkers(setup, 3, 0, {.threads = 1});
  alone.control()(1, 2) = seen.control()(1, 2) = kNaN;
  for (BatchSimulator* x : {&alone, &seen}) x->watch_acceleration(1);
  std::vector<double> times;
  EXPECT_EQ(alone.step(10), 1);
  EXPECT_EQ(seen.step(10, 4, [&] { times.push_back(seen.times()[0]); }), 1);
  EXPECT_EQ(times, (std::vector<double>{4 * 2e-3, 8 * 2e-3, 10 * 2e-3}));
  std::vector<double> a(18), b(18);
  alone.imu({a.data(), 3, 6});
  seen.imu({b.data(), 3, 6});
  EXPECT_EQ(a, b);
  for (int e = 0; e < 3; ++e) {
    EXPECT_EQ(motion_of(alone, e), motion_of(seen, e));
    EXPECT_EQ(alone.message(e), seen.message(e));
  }
  EXPECT_THROW(seen.step(10, 0, [] {}), Error);
}

TEST(BatchEnvironments, ResetOnesAreAsNew) {
  const SimulationSetup setup = testing::standing("go2-standing", 40, 1, 1e-6);
  for (const bool lanes : {true, false}) {
    BatchSimulator fresh(setup, 9, {.threads = 1, .lanes = lanes});
    BatchSimulator used = make_walkers(setup, 9, 0, {.threads = 1, .lanes = lanes});
    BatchSimulator other = make_walkers(setup, 9, 0, {.threads = 1, .lanes = lanes});
    used.forces()(3, 5) = 20;
    used.target_velocity()(3, 5) = 1;
    used.step(15);
    other.step(15);
    std::vector<std::uint8_t> flags(9, 0);
    flags[3] = flags[8] = 1;
    used.reset(flags);
    EXPECT_EQ(used.times()[3], 0);
    other.reset(std::vector<std::uint8_t>{0, 0, 0, 0, 0, 1, 0, 0, 0}, 2.5);
    EXPECT_EQ(other.times()[5], 2.5);
    for (BatchSimulator* x : {&fresh, &used, &other}) x->step(15);
    for (const int e : {3, 8}) EXPECT_EQ(motion_of(used, e), motion_of(fresh, e));
    for (const int e : {0, 1, 2, 4, 7}) EXPECT_EQ(motion_of(used, e), motion_of(other, e));
  }
}

TEST(BatchEnvironments, BadStatesChangeNothing) {
  const SimulationSetup setup = testing::standing("go2-standing", 40, 1, 1e-6);
  BatchSimulator batch = make_walkers(setup, 3, 0, {.threads = 1});
  batch.step(3);
  const int nq = setup.model.nq(), nv = setup.model.nv();
  std::vector<double> q, v(3 * static_cast<std::size_t>(nv), 0.0);
  for (int e = 0; e < 3; ++e) q.insert(q.end(), setup.q.begin(), setup.q.end());
  q[static_cast<std::size_t>(nq) + 2] -= 0.1;  // in the ground
  const std::vector<double> before[] = {motion_of(batch, 0), motion_of(batch, 1), motion_of(batch, 2)};
  const auto reset = [&] { batch.reset({}, {q.data(), 3, nq}, {v.data(), 3, nv}); };
  EXPECT_TRUE(words_of(reset).starts_with("environment 1: ")) << words_of(reset);
  q[0] = kNaN;
  EXPECT_TRUE(words_of(reset).starts_with("environment 0: ")) << words_of(reset);
  for (int e = 0; e < 3; ++e) EXPECT_EQ(motion_of(batch, e), before[e]);
  const std::uint8_t two[] = {0, 0, 1};
  batch.reset(two, {q.data(), 3, nq}, {v.data(), 3, nv});  // rows that are not asked for are not read
  EXPECT_EQ(words_of([&] { batch.reset(std::span(two, 2)); }),
            "argument 'flags' has 2 entries, and there are 3 environments");
}

/// Twenty boxes on each other touch in 80 points. A workspace that was made anew in the middle of a run gives the bits of one that had room from the start.
TEST(BatchEnvironments, RoomForContactsGrows) {
  SimulationSetup setup = testing::standing("box-stack:20", 0, 0, 1e-6);
  Simulator alone = setup.make_simulator();
  BatchSimulator batch(setup, 3, {.threads = 1});
  ASSERT_TRUE(alone.advance(5).ok());
  ASSERT_EQ(alone.contacts().size(), 80u);
  ASSERT_EQ(batch.step(5), 0);
  for (int e = 0; e < 3; ++e) {
    for (int k = 0; k < setup.model.nq(); ++k) ASSERT_EQ(batch.q()(e, k), alone.q()[static_cast<std::size_t>(k)]);
  }
  // What has more contacts than a new workspace holds goes on where it was.
  BatchSimulator other(setup, 1, {.threads = 1});
  other.restore(0, batch.save(1));
  ASSERT_EQ(other.step(5), 0);
  ASSERT_EQ(batch.step(5), 0);
  EXPECT_EQ(motion_of(other, 0), motion_of(batch, 1));
}

TEST(BatchEnvironments, RoomEndsAtTheCapacity) {
  SimulationSetup setup = testing::standing("box-stack:20", 0, 0, 1e-6);
  setup.options.collision.capacity = 79;
  EXPECT_THAT(words_of([&] { BatchSimulator(setup, 1, {.threads = 1}); }),
              ::testing::HasSubstr("raise the option 'collision.capacity' above 79"));
  // The lowest box by itself is in order; falling on it, the others find no room.
  setup.options.collision.capacity = 78;
  for (int box = 1; box < 20; ++box) setup.q[static_cast<std::size_t>(7 * box + 2)] += 1e-2 * box;
  BatchSimulator batch(setup, 1, {.threads = 1});
  EXPECT_EQ(batch.step(500), 1);
  EXPECT_EQ(batch.summaries()[0].status.code, StepStatus::Code::kCrowded);
  EXPECT_THAT(batch.message(0), ::testing::HasSubstr("raise the option 'collision.capacity' above 78"));
}

TEST(BatchEnvironments, RestoredOnesGoOn) {
  const SimulationSetup setup = testing::standing("go2-standing", 40, 1, 1e-6);
  for (const bool lanes : {true, false}) {
    BatchSimulatorOptions options{.threads = 1, .lanes = lanes};
    options.motors.assign(setup.actuators.size(), {.delay = 6e-3, .lag = 0.02, .knee_speed = 5, .no_load_speed = 30});
    for (std::size_t k = 0; k < setup.actuators.size(); ++k)
      if (std::isinf(setup.actuators[k].effort_limit)) options.motors[k].no_load_speed = HUGE_VAL;
    BatchSimulator first = make_walkers(setup, 4, 0, options), second(setup, 2, options);
    first.step(10);
    testing::set_random_targets(first, 2, 77, 0.3);
    first.step(2);
    const EnvironmentState saved = first.save(2);
    EXPECT_EQ(first.save(2), saved);
    second.restore(1, saved);
    EXPECT_EQ(second.save(1), saved);
    first.step(30);
    second.step(30);
    EXPECT_EQ(motion_of(first, 2), motion_of(second, 1));
    EXPECT_EQ(first.times()[2], second.times()[1]);
    EnvironmentState wrong = saved;
    wrong.simulation.q.pop_back();
    EXPECT_THROW(second.restore(0, wrong), Error);
    EXPECT_THROW(second.restore(2, saved), Error);
  }
}

}  // namespace
}  // namespace delassus
