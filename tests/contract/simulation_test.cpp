// What simulations promise: the same bits again, no allocation, and steps that fail by name and change nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "delassus/model/builder.hpp"
#include "delassus/scenes/load_named.hpp"
#include "delassus/simulation/simulator.hpp"
#include "scenes/boxes.hpp"
#include "support/allocation_count.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Code = StepStatus::Code;
using Vector = std::vector<double>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Boxes, and beside them a rod that swings into them, with a motor, dry friction and limits.
Model make_yard() {
  BoxOptions box;
  box.half_extents = {{0.1, 0.1, 0.1}};
  box.mass = 1;
  ModelDescription description = make_box_stack(3, box);
  description.name = "yard";
  JointDescription swing = revolute("swing", {{0, 1, 0}}, translation(0.6, 0, 0.95));
  swing.dofs[0].friction_loss = 0.1;
  swing.dofs[0].damping = 0.05;
  swing.dofs[0].lower = -2;
  swing.dofs[0].upper = 2;
  BodyDescription rod;
  rod.name = "rod";
  rod.joints = {swing};
  rod.inertial = box_inertial(2, {{0.05, 0.05, 0.4}}, {{0, 0, -0.4}});
  description.bodies.push_back(rod);
  ShapeDescription shape;
  shape.body = static_cast<int>(description.bodies.size()) - 1;
  shape.kind = ShapeKind::kCapsule;
  shape.size = {{0.05, 0.4, 0}};
  shape.placement = translation(0, 0, -0.4);
  description.shapes.push_back(shape);
  return Model(description);
}

Simulator make_simulator(const Model& model, const SimulationOptions& options = {}) {
  Simulator sim(model, {}, options, {{"swing", 0, ActuatorKind::kPosition, 20, 2, 15}});
  Vector q = model.neutral(), v(static_cast<std::size_t>(model.nv()), 0.0);
  q.back() = -1.5;  // the rod, raised away from the boxes
  sim.set_state(q, v);
  sim.control()[0] = 1;
  return sim;
}

void run(Simulator& sim, int steps) {
  const StepStatus status = sim.advance(steps);
  ASSERT_TRUE(status.ok()) << sim.describe(status);
}

TEST(Simulation, TheSameAgainBitForBit) {
  const Model model = make_yard();
  Simulator a = make_simulator(model), b = make_simulator(model);
  run(a, 700);
  run(b, 700);
  EXPECT_EQ(a.save(), b.save());
  EXPECT_NE(a.q()[2], model.neutral()[2]) << "the rod should have hit the boxes";
}

TEST(Simulation, WhatIsRestoredGoesOnBitForBit) {
  const Model model = make_yard();
  Simulator sim = make_simulator(model), other = make_simulator(model);
  run(sim, 400);
  const SimulationState saved = sim.save();
  EXPECT_FALSE(saved.contacts.empty());
  run(sim, 500);
  const SimulationState first = sim.save();
  // Into the one that went on, and into one that has done something else before.
  sim.restore(saved);
  EXPECT_EQ(sim.save(), saved);
  run(sim, 500);
  EXPECT_EQ(sim.save(), first);
  run(other, 150);
  other.restore(saved);
  run(other, 500);
  EXPECT_EQ(other.save(), first);
}

TEST(Simulation, EveryModelOfContactRestoresAndAllocatesNothing) {
  const Model model = make_yard();
  for (const ContactModel kind : kContactModels) {
    SimulationOptions options;
    options.model = kind;
    Simulator sim = make_simulator(model, options);
    run(sim, 100);
    const SimulationState saved = sim.save();
    EXPECT_EQ(testing::allocations_of([&] { run(sim, 300); }), 0) << name_of(kind);
    const SimulationState first = sim.save();
    sim.restore(saved);
    run(sim, 300);
    EXPECT_EQ(sim.save(), first) << name_of(kind);
  }
}

TEST(Simulation, ImpactsRestoreAndAllocateNothing) {
  const Model model = make_yard();
  SimulationOptions options;
  options.restitution = 0.5;
  Simulator sim = make_simulator(model, options);
  run(sim, 100);
  const SimulationState saved = sim.save();
  EXPECT_EQ(testing::allocations_of([&] { run(sim, 800); }), 0);  // the rod hits boxes that touch
  const SimulationState first = sim.save();
  sim.restore(saved);
  run(sim, 800);
  EXPECT_EQ(sim.save(), first);
}

TEST(Simulation, AStateOfAnotherIsRefused) {
  const Model model = make_yard(), boxes(make_box_stack(2));
  Simulator sim = make_simulator(model), other(boxes);
  EXPECT_THROW(sim.restore(other.save()), Error);
}

TEST(Simulation, AStepAllocatesNothing) {
  const Model model = make_yard();
  Simulator sim = make_simulator(model);
  int restructured = 0;
  // Contacts and limits come and go meanwhile.
  const auto work = [&] {
    for (int k = 0; k < 900; ++k) {
      ASSERT_TRUE(sim.step().ok());
      restructured += sim.report().restructured ? 1 : 0;
    }
  };
  EXPECT_EQ(testing::allocations_of(work), 0);
  EXPECT_GT(restructured, 3);
}

/// 72 boxes with 288 contacts: the first blow is more than ADMM can do, and what goes on with it has 864 rows as unknowns.
TEST(Simulation, AStepOfAPileAllocatesNothing) {
  const Scene scene = load_named("pyramid");
  Simulator sim(scene.model, scene.constraints);
  sim.set_state(scene.q, scene.v);
  int most_rows = 0, most_dampings = 0;
  const auto work = [&] {
    for (int k = 0; k < 90; ++k) {
      ASSERT_TRUE(sim.step().ok());
      most_rows = std::max(most_rows, sim.report().rows);
      most_dampings = std::max(most_dampings, sim.report().certificate.dampings);
    }
  };
  EXPECT_EQ(testing::allocations_of(work), 0);
  EXPECT_GT(most_rows, 512);
  EXPECT_GE(most_dampings, 5) << "no step needed the interior-point method, which damps once for each iteration";
}

TEST(Simulation, InputsThatAreNoNumbersAreNamed) {
  const Model model = make_yard();
  Simulator sim = make_simulator(model);
  run(sim, 10);
  const SimulationState before = sim.save();
  sim.control()[0] = kNaN;
  StepStatus status = sim.step();
  EXPECT_EQ(status.code, Code::kBadControl);
  EXPECT_THAT(sim.describe(status), AllOf(HasSubstr("step 11"), HasSubstr("t = 0.01 s"), HasSubstr("'swing'")));
  sim.control()[0] = before.control[0];
  sim.forces()[7] = kNaN;
  status = sim.step();
  EXPECT_EQ(status.code, Code::kBadForce);
  EXPECT_EQ(status.index, 7);
  EXPECT_THAT(sim.describe(status), HasSubstr(model.joint_name(1)));
  sim.forces()[7] = 0;
  EXPECT_EQ(sim.save(), before);
  run(sim, 1);
}

TEST(Simulation, AnOverlapAtTheStartIsNamedAndKeepsTheState) {
  const Model model(make_box_stack(2));
  Simulator sim(model);
  const SimulationState before = sim.save();
  Vector q = model.neutral();
  q[9] -= 0.1;
  const Vector v(static_cast<std::size_t>(model.nv()), 0.0);
  try {
    sim.set_state(q, v);
    FAIL() << "boxes overlap";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("'box1'"), HasSubstr("'box2'"), HasSubstr("0.1 m"), HasSubstr("start_penetration")));
  }
  EXPECT_EQ(sim.save(), before);
  q[9] = kNaN;
  try {
    sim.set_state(q, v);
    FAIL() << "a coordinate is no number";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("entry 9"), HasSubstr(model.joint_name(1))));
  }
  EXPECT_EQ(sim.save(), before);
}

TEST(Simulation, TooManyContactsAreNamed) {
  const Model model(make_box_stack(3));
  SimulationOptions options;
  options.collision.capacity = 10;
  Simulator sim(model, {}, options);
  const SimulationState before = sim.save();
  const StepStatus status = sim.step();
  EXPECT_EQ(status.code, Code::kCrowded);
  EXPECT_THAT(sim.describe(status), AllOf(HasSubstr("collision.capacity"), HasSubstr("box")));
  EXPECT_EQ(sim.save(), before);
}

TEST(Simulation, AnExplosionIsNamedAndKeepsTheState) {
  const Model model = make_yard();
  Simulator sim = make_simulator(model);
  run(sim, 5);
  sim.forces()[17] = 1e12;  // the uppermost box, upwards
  const SimulationState before = sim.save();
  const StepStatus status = sim.step();
  EXPECT_EQ(status.code, Code::kDiverged);
  EXPECT_THAT(sim.describe(status), AllOf(HasSubstr("step 6"), HasSubstr("'" + model.joint_name(2) + "'")));
  EXPECT_EQ(sim.save(), before);
}

TEST(Simulation, AnUnsolvedStepIsNotTaken) {
  const Model model(make_box_stack(3));
  SimulationOptions options;
  options.model = ContactModel::kPgs;
  options.max_iterations = 1;
  options.acceptable = 1e-9;
  Simulator sim(model, {}, options);
  const SimulationState before = sim.save();
  const StepStatus status = sim.step();
  EXPECT_EQ(status.code, Code::kNotConverged);
  EXPECT_THAT(sim.describe(status), AllOf(HasSubstr("contact of"), HasSubstr("box"), HasSubstr("acceptable")));
  EXPECT_EQ(sim.save(), before);

  options.acceptable = 1;
  Simulator lax(model, {}, options);
  run(lax, 1);
  EXPECT_TRUE(lax.report().inexact);
  EXPECT_EQ(lax.inexact_steps(), 1);
}

TEST(Simulation, OptionsAndActuatorsThatMakeNoSenseAreNamed) {
  const Model model = make_yard();
  const auto message = [&](const SimulationOptions& options, std::vector<Actuator> actuators) -> std::string {
    try {
      Simulator sim(model, {}, options, std::move(actuators));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  SimulationOptions bad;
  bad.dt = 0;
  EXPECT_THAT(message(bad, {}), HasSubstr("'dt'"));
  bad = {};
  bad.restitution = 2;
  EXPECT_THAT(message(bad, {}), HasSubstr("'restitution'"));
  const Actuator good{"swing", 0, ActuatorKind::kPosition, 1, 0};
  Actuator broken = good;
  broken.kp = kNaN;
  EXPECT_THAT(message({}, {broken}), AllOf(HasSubstr("'swing'"), HasSubstr("kp")));
  EXPECT_THAT(message({}, {good, good}), HasSubstr("another"));
  broken = good;
  broken.kp = 1e308;
  broken.kd = 1e308;
  EXPECT_THAT(message({.dt = 1e3}, {broken}), AllOf(HasSubstr("'swing'"), HasSubstr("finite")));
  broken = good;
  broken.joint = "box1";
  EXPECT_THAT(message({}, {broken}), HasSubstr("box1"));
}

}  // namespace
}  // namespace delassus
