// How simulations start: on their limits and loops, on the ground, or not at all; and constraints that contradict each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "delassus/constraints/lower.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/scenes/load_named.hpp"
#include "delassus/simulation/simulation_setup.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using Vector = std::vector<double>;
using Code = StepStatus::Code;

SimulationSetup setup_of(const char* name) {
  const Scene scene = load_named(name);
  SimulationSetup out(scene.model);
  out.constraints = scene.constraints;
  out.q = scene.q;
  out.v = scene.v;
  return out;
}

/// Of limits that joints of the model have: how far the worst is exceeded.
double beyond_limits(const SimulationSetup& setup) {
  double most = 0;
  for (const Constraint& c : make_joint_limits(setup.model)) {
    const auto& limit = std::get<JointLimit>(c);
    const double at = setup.q[static_cast<std::size_t>(setup.model.link(limit.link).q + limit.dof)];
    most = std::max(most, limit.upper ? at - limit.bound : limit.bound - at);
  }
  return most;
}

/// Of all rows that loops have.
double loops_open(const SimulationSetup& setup) {
  Kinematics<double> kin(setup.model);
  update_kinematics<double>(setup.model, setup.q, kin);
  ConstraintRows<double> rows;
  lower_structure<double>(setup.model, setup.constraints, rows);
  Vector position(static_cast<std::size_t>(rows.num_rows()));
  constraint_positions<double>(setup.model, kin, setup.constraints, rows, position);
  double most = 0;
  for (const double x : position) most = std::max(most, std::abs(x));
  return most;
}

double energy_of(Simulator& sim) { return sim.kinetic_energy() + sim.potential_energy(); }

/// In its file, feet and cranks of Cassie are beyond their limits by half a radian, and a loop ties them: limits that pulled on it gave 11 000 J in the first step.
TEST(SimulationStart, CassieIsBroughtOntoLimitsAndLoops) {
  SimulationSetup setup = setup_of("cassie");
  ASSERT_GT(beyond_limits(setup), 0.5);
  EXPECT_THROW(setup.make_simulator(), Error);
  EXPECT_THAT(setup.assemble(), Contains("left-foot"));
  EXPECT_LE(beyond_limits(setup), 1e-9);
  EXPECT_LE(loops_open(setup), 1e-12);
  EXPECT_TRUE(setup.assemble().empty());

  setup.options.collision.ground = false;
  Simulator sim = setup.make_simulator();
  const double start = energy_of(sim);
  for (int k = 0; k < 300; ++k) {
    const StepStatus status = sim.step();
    ASSERT_TRUE(status.ok()) << sim.describe(status);
    // 33 kg that fall for 0.3 s have 140 J: one part in a thousand for the integrator.
    ASSERT_LE(energy_of(sim), start + 0.15) << "step " << k;
  }
}

TEST(SimulationStart, RefusalsNameTheLimitOrTheLoop) {
  ModelBuilder builder("wheel");
  JointDescription axle = revolute("axle", {{0, 1, 0}}, translation(0, 0, 1));
  axle.dofs[0].upper = 0.5;
  builder.add_body("wheel", kWorld, axle, sphere_inertial(1, 0.1, {{0.1, 0, 0}}));
  const Model model = builder.make_model();
  const auto message = [&](std::vector<Constraint> constraints, const SimulationOptions& options = {}) -> std::string {
    Simulator sim(model, constraints, options);
    try {
      sim.set_state(Vector{0.6}, Vector{0});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message({}), AllOf(HasSubstr("axle"), HasSubstr("0.1"), HasSubstr("start_violation")));
  SimulationOptions lax;
  lax.start_violation = 0.2;
  EXPECT_EQ(message({}, lax), "");
  lax.joint_limits = false;
  const LoopClosure pin{"pin", attach(model, "wheel", {{0.1, 0, 0}}), attach(model, "world", {{0.1, 0, 1}}), 0b010,
                        0b111};
  lax.start_violation = 1e-2;
  EXPECT_THAT(message({pin}, lax), AllOf(HasSubstr("'pin'"), HasSubstr("0.05")));
}

/// Its platform floats, but rods tie it to arms that are bolted to the world: lifting it onto the ground tore the loops open by 0.554 m.
TEST(SimulationStart, WhatLoopsTieToTheWorldIsNotLifted) {
  SimulationSetup setup = setup_of("delta");
  ASSERT_LE(loops_open(setup), 1e-12);
  EXPECT_EQ(lift_onto_ground(setup), 0);
  EXPECT_LE(loops_open(setup), 1e-12);
  EXPECT_TRUE(leave_out_ground_above(setup));
  EXPECT_FALSE(leave_out_ground_above(setup));
  Simulator sim = setup.make_simulator();
  const double start = energy_of(sim);
  const StepStatus status = sim.advance(200);
  ASSERT_TRUE(status.ok()) << sim.describe(status);
  EXPECT_LE(energy_of(sim), start);
}

TEST(SimulationStart, WhatFloatsIsLiftedWithItsLoops) {
  SimulationSetup setup = setup_of("cassie");
  setup.assemble();
  setup.q[2] -= 1;
  EXPECT_GT(lift_onto_ground(setup), 0.5);
  EXPECT_LE(loops_open(setup), 1e-12);
  EXPECT_FALSE(leave_out_ground_above(setup));
}

/// A wheel that a weld holds where its limit does not let it be.
TEST(SimulationStart, LoopsAndLimitsThatContradictAreNamed) {
  ModelBuilder builder("wheel");
  JointDescription axle = revolute("axle", {{0, 1, 0}}, translation(0, 0, 1));
  axle.dofs[0].upper = -0.5;
  builder.add_body("wheel", kWorld, axle, sphere_inertial(1, 0.1));
  const Model model = builder.make_model();
  Attachment here;
  here.offset.p = {{0, 0, 1}};
  const std::vector<Constraint> held{make_weld("held", attach(model, "wheel"), here)};
  SimulationOptions options;
  options.start_violation = 1;
  options.collision.ground = false;
  Simulator sim(model, held, options);
  const SimulationState before = sim.save();
  const StepStatus status = sim.step();
  EXPECT_EQ(status.code, Code::kContradiction);
  EXPECT_THAT(sim.describe(status), AllOf(HasSubstr("'held'"), HasSubstr("axle"), HasSubstr("contradict")));
  EXPECT_EQ(sim.save(), before);

  SimulationSetup setup(model);
  setup.constraints = held;
  EXPECT_THROW(setup.assemble(), Error);
}

/// A rail holds the cart where it overlaps the floor by a nanometre. Nothing moves it up: the force against that, and friction with it, was 8.5e11 N.
TEST(SimulationStart, ARailBesideTheFloorIsNoBrake) {
  ModelBuilder builder("cart");
  const Vec3<double> half{{0.2, 0.1, 0.05}};
  ShapeDescription shape;
  const JointDescription rail = prismatic("rail", {{1, 0, 0}}, translation(0, 0, 0.05 - 1e-9));
  shape.body = builder.add_body("cart", kWorld, rail, box_inertial(1, half));
  shape.kind = ShapeKind::kBox;
  shape.size = half;
  builder.add_shape(shape);
  ShapeDescription floor;
  floor.body = kWorld;
  floor.kind = ShapeKind::kPlane;
  builder.add_shape(floor);
  SimulationOptions exact;
  exact.tolerance = 1e-8;  // what approaches more slowly is solved without a force
  Simulator sim(builder.make_model(), {}, exact);
  sim.set_state(Vector{0}, Vector{1});
  const StepStatus status = sim.advance(10);
  ASSERT_TRUE(status.ok()) << sim.describe(status);
  ASSERT_GT(sim.report().contacts, 0);
  EXPECT_NEAR(sim.v()[0], 1, 1e-9);
  for (const ContactState& contact : sim.contacts()) EXPECT_LE(norm(contact.force), 1e-6);
  EXPECT_TRUE(sim.report().inexact);

  // Where it overlaps by more than is acceptable to leave, the contact and the step are refused.
  ModelDescription deeper = sim.model().description();
  deeper.bodies[0].joints[0].placement.p[2] -= 1e-3;
  Simulator stuck{Model(deeper)};
  stuck.set_state(Vector{0}, Vector{1});
  const StepStatus refused = stuck.step();
  EXPECT_EQ(refused.code, Code::kContradiction);
  EXPECT_THAT(stuck.describe(refused), AllOf(HasSubstr("contact of"), HasSubstr("'cart'")));
}

}  // namespace
}  // namespace delassus
