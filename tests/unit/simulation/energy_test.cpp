// Where the energy of steps goes, against what mechanics says of small scenes; and steps that are refused because energy came out of nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "delassus/model/builder.hpp"
#include "delassus/simulation/simulator.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Vector = std::vector<double>;
using Code = StepStatus::Code;

constexpr double kGravity = 9.81, kMass = 2;
constexpr std::size_t kVx = 3, kVz = 5;  // of a free joint: angular, then linear

/// A box on the plane z = 0.
Model make_box(double mu) {
  const Vec3<double> half{{0.1, 0.1, 0.05}};
  ModelBuilder builder("world");
  ShapeDescription shape;
  shape.body = builder.add_body("box", kWorld, joint(JointKind::kFree, "free"), box_inertial(kMass, half));
  shape.kind = ShapeKind::kBox;
  shape.size = half;
  shape.friction = {{mu, 0, 0}};
  builder.add_shape(shape);
  return builder.make_model();
}

SimulationOptions with_ground(double mu) {
  SimulationOptions options;
  options.collision.ground_friction = {{mu, 0, 0}};
  return options;
}

Vector placed(double z) { return {0, 0, z, 0, 0, 0, 1}; }

/// One rod, balanced on its joint, so that it has inertia and no weight.
constexpr double kWheel = 0.02;
Model make_wheel(const DofProperties& dof) {
  ModelBuilder builder("wheel");
  JointDescription axle = revolute("axle", {{0, 1, 0}}, translation(0, 0, 1));
  axle.dofs[0] = dof;
  Inertial inertial = sphere_inertial(1, 0.1);
  inertial.inertia = {{kWheel, 0, kWheel, 0, 0, kWheel}};
  builder.add_body("wheel", kWorld, axle, inertial);
  return builder.make_model();
}

/// Sums over steps that all go well.
StepEnergy run(Simulator& sim, int steps) {
  StepEnergy sum;
  for (int k = 0; k < steps; ++k) {
    const StepStatus status = sim.step();
    EXPECT_TRUE(status.ok()) << sim.describe(status);
    sum.add(sim.report().energy);
  }
  return sum;
}

/// Semi-implicit Euler moves with the velocity after the step and so falls by g h²/2 too far: the only error of a step in free fall.
TEST(StepEnergy, FreeFallLosesWhatTheStepFallsTooFar) {
  Simulator sim(make_box(1));
  sim.set_state(placed(10), Vector(6, 0.0));
  const double h = sim.options().dt;
  const StepEnergy sum = run(sim, 100);
  // Energies of 200 J, rounded some times in each of 100 steps.
  EXPECT_NEAR(sum.drift, -100 * 0.5 * kMass * kGravity * kGravity * h * h, 1e-10);
  EXPECT_EQ(sum.work(), 0);
  EXPECT_EQ(sum.solve, 0);
  EXPECT_NEAR(sum.kinetic, sim.kinetic_energy(), 0);
  EXPECT_NEAR(sum.potential, sim.potential_energy(), 0);
}

TEST(StepEnergy, ABoxAtRestKeepsWhatItHas) {
  Simulator sim(make_box(1));
  sim.set_state(placed(0.05), Vector(6, 0.0));
  const StepEnergy sum = run(sim, 100);
  // Weight times what the solver's 1e-8 m/s and the margins of the contact let it sink.
  EXPECT_NEAR(sum.contacts, 0, 1e-6);
  EXPECT_NEAR(sum.drift, 0, 1e-6);
}

TEST(StepEnergy, FrictionTakesTheEnergyOfTheSlide) {
  constexpr double kMu = 0.3, kSpeed = 2;
  Simulator sim(make_box(kMu), {}, with_ground(kMu));
  Vector v(6, 0.0);
  v[kVx] = kSpeed;
  sim.set_state(placed(0.05), v);
  const StepEnergy sum = run(sim, 1500);
  ASSERT_NEAR(sim.v()[kVx], 0, 1e-7);
  EXPECT_NEAR(sum.contacts, -0.5 * kMass * kSpeed * kSpeed, 1e-5);
  EXPECT_LE(sum.solve, 0);
}

TEST(StepEnergy, AnImpactIsWorkOfTheContact) {
  Simulator sim(make_box(1));
  Vector v(6, 0.0);
  v[kVz] = -3;
  sim.set_state(placed(0.05), v);
  const StepEnergy sum = run(sim, 1);
  // All of it, and the impulse of the weight in the step.
  const double speed = 3 + kGravity * sim.options().dt / 2;
  EXPECT_NEAR(sum.contacts, -0.5 * kMass * speed * speed, 1e-3);
  EXPECT_LT(sum.solve, -0.5 * kMass * 9);
}

TEST(StepEnergy, ForcesMotorsAndDampingHaveAccountsOfTheirOwn) {
  DofProperties dof;
  dof.damping = 0.01;
  const Model model = make_wheel(dof);
  Simulator sim(model, {}, {}, {{"axle", 0, ActuatorKind::kMotor}});
  sim.control()[0] = 0.3;
  sim.forces()[0] = 0.1;
  const StepEnergy sum = run(sim, 500);
  const double angle = sim.q()[0];
  // Mean velocities times steps are the angle, but for half of the last velocity times a step.
  const double half = sim.v()[0] * sim.options().dt / 2;
  EXPECT_NEAR(sum.motors, 0.3 * (angle - half), 1e-9);
  EXPECT_NEAR(sum.forces, 0.1 * (angle - half), 1e-9);
  EXPECT_LT(sum.damping, 0);
  EXPECT_NEAR(sum.kinetic, sum.work(), 1e-9);  // it began at rest, and nothing else acts
  EXPECT_NEAR(sum.drift, 0, 1e-9);
}

/// A motor with a limit of force is a row of the solve; its work is its own all the same.
TEST(StepEnergy, AMotorWithALimitPutsNothingIntoTheSolve) {
  Simulator sim(make_wheel({}), {}, {}, {{"axle", 0, ActuatorKind::kPosition, 20, 0.5, 0.4}});
  sim.control()[0] = 1;
  const StepEnergy sum = run(sim, 100);
  EXPECT_GT(sum.motors, 0.03);
  EXPECT_NEAR(sum.motors, sim.kinetic_energy(), 1e-9);
  EXPECT_NEAR(sum.solve, 0, 1e-12);
}

TEST(StepEnergy, ALimitTakesTheEnergyOfTheImpact) {
  DofProperties dof;
  dof.upper = 0.5;
  Simulator sim(make_wheel(dof));
  sim.set_state(Vector{0}, Vector{3});
  const StepEnergy sum = run(sim, 300);
  EXPECT_NEAR(sum.limits, -0.5 * kWheel * 9, 1e-6);
}

/// What is taken back of an overlap is velocity, and energy that nobody gave: it has an account and a bound.
TEST(StepEnergy, OverlapsThatAreTakenBackAreGain) {
  const double overlap = 5e-3;
  SimulationOptions exact;
  exact.tolerance = 1e-8;
  Simulator sim(make_box(0.5), {}, exact);
  sim.set_state(placed(0.05 - overlap), Vector(6, 0.0));
  const StepEnergy first = run(sim, 1);
  const double speed = overlap / sim.options().recovery_time;
  EXPECT_NEAR(sim.v()[kVz], speed, 1e-7);
  EXPECT_GT(first.solve, 0.9 * 0.5 * kMass * speed * speed);

  SimulationOptions strict = exact;
  strict.gain_per_mass = 1e-3;
  Simulator refused(make_box(0.5), {}, strict);
  refused.set_state(placed(0.05 - overlap), Vector(6, 0.0));
  const SimulationState before = refused.save();
  const StepStatus status = refused.step();
  EXPECT_EQ(status.code, Code::kSolveGain);
  EXPECT_NEAR(status.value, first.solve, 1e-12);
  EXPECT_THAT(refused.describe(status),
              AllOf(HasSubstr("step 1 (t = 0 s)"), HasSubstr("'box'"), HasSubstr("gain_per_mass")));
  EXPECT_EQ(refused.save(), before);
}

/// Long steps of a fast pendulum gain energy: the integrator's, not the solve's.
TEST(StepEnergy, WhatTheIntegratorGainsIsRefusedBeyondItsBound) {
  ModelBuilder builder("pendulum");
  const Inertial bob = sphere_inertial(1, 0.05);
  int parent = builder.add_body("upper", kWorld, revolute("shoulder", {{0, 1, 0}}, translation(0, 0, 2)), bob);
  Inertial far = bob;
  far.com = {{0, 0, -0.5}};
  builder.add_body("lower", parent, revolute("elbow", {{0, 1, 0}}, translation(0, 0, -0.5)), far);
  SimulationOptions options;
  options.dt = 0.05;
  options.collision.ground = false;
  options.gain_per_mass = options.gain_share = 0;
  Simulator sim(builder.make_model(), {}, options);
  sim.set_state(Vector{1.2, 0.5}, Vector{6, -9});
  StepStatus status;
  for (int k = 0; k < 200 && status.ok(); ++k) status = sim.step();
  EXPECT_EQ(status.code, Code::kEnergyGain);
  EXPECT_GT(status.value, 0);
  EXPECT_THAT(sim.describe(status), AllOf(HasSubstr("out of nothing"), HasSubstr("er'")));
}

}  // namespace
}  // namespace delassus
