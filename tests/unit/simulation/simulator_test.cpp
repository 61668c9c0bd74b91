// Time steps against what mechanics says of small scenes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/simulation/simulator.hpp"
#include "scenes/boxes.hpp"

namespace delassus {
namespace {

using Vector = std::vector<double>;

constexpr double kGravity = 9.81;

/// Velocities of a free joint: angular, then linear.
constexpr std::size_t kVx = 3, kVz = 5;

void run(Simulator& sim, int steps) {
  const StepStatus status = sim.advance(steps);
  ASSERT_TRUE(status.ok()) << sim.describe(status);
}

/// A free body with one shape on the plane z = 0.
Model make_free_body(ShapeKind kind, const Vec3<double>& size, const Inertial& inertial, const Vec3<double>& friction,
                     const Vec3<double>& gravity = {{0, 0, -kGravity}}) {
  ModelBuilder builder("world");
  builder.gravity(gravity);
  const int body = builder.add_body("body", kWorld, joint(JointKind::kFree, "free"), inertial);
  ShapeDescription shape;
  shape.body = body;
  shape.kind = kind;
  shape.size = size;
  shape.friction = friction;
  builder.add_shape(shape);
  return builder.make_model();
}

Model make_box(double mu, const Vec3<double>& gravity = {{0, 0, -kGravity}}) {
  const Vec3<double> half{{0.1, 0.1, 0.05}};
  return make_free_body(ShapeKind::kBox, half, box_inertial(2, half), {{mu, 0, 0}}, gravity);
}

Model make_ball(double mu) {
  return make_free_body(ShapeKind::kSphere, {{0.1, 0, 0}}, sphere_inertial(1, 0.1), {{mu, 0, 0}});
}

SimulationOptions with_ground(double mu) {
  SimulationOptions options;
  options.collision.ground_friction = {{mu, 0, 0}};
  return options;
}

Vector placed(double z, double x = 0) { return {x, 0, z, 0, 0, 0, 1}; }

/// Two rods that swing about y, the second on the end of the first.
JointDescription swing(const std::string& name, double z) { return revolute(name, {{0, 1, 0}}, translation(0, 0, z)); }
ModelDescription describe_rods() {
  ModelBuilder builder("rods");
  const Inertial rod = box_inertial(1, {{0.02, 0.02, 0.25}}, {{0, 0, -0.25}});
  builder.add_body("upper", kWorld, swing("shoulder", 2), rod);
  builder.add_body("lower", 0, swing("elbow", -0.5), rod);
  return builder.description();
}
DofProperties& dof_of(ModelDescription& description, int body) {
  return description.bodies[static_cast<std::size_t>(body)].joints[0].dofs[0];
}

/// One rod, balanced on its joint, so that it has inertia and no weight: kWheel about y.
constexpr double kWheel = 0.02;
Model make_wheel(const DofProperties& dof) {
  ModelBuilder builder("wheel");
  JointDescription axle = swing("axle", 1);
  axle.dofs[0] = dof;
  Inertial inertial = sphere_inertial(1, 0.1);
  inertial.inertia = {{kWheel, 0, kWheel, 0, 0, kWheel}};
  builder.add_body("wheel", kWorld, axle, inertial);
  return builder.make_model();
}

TEST(Simulator, FallsBySemiImplicitSteps) {
  const Model model = make_box(1);
  Simulator sim(model);
  sim.set_state(placed(10), Vector(6, 0.0));
  run(sim, 100);
  const double h = sim.options().dt;
  // Sums of a hundred terms: some roundings of the height.
  EXPECT_NEAR(sim.v()[kVz], -kGravity * 100 * h, 1e-13);
  EXPECT_NEAR(sim.q()[2], 10 - kGravity * h * h * 5050, 1e-13);
  EXPECT_NEAR(sim.time(), 0.1, 1e-15);
}

/// All forces along joints as they are at the end of the step, put into the equation of motion, with the inertia of the model itself.
TEST(Simulator, DampingSpringsAndGainsActAsAtTheEndOfTheStep) {
  ModelDescription description = describe_rods();
  dof_of(description, 0).damping = 30;
  dof_of(description, 0).armature = 0.1;
  dof_of(description, 1).stiffness = 4e4;
  dof_of(description, 1).spring_reference = 0.3;
  const Model model(description);
  const double kp = 1e5, kd = 50;
  Simulator sim(model, {}, {}, {{"shoulder", 0, ActuatorKind::kPosition, kp, kd}, {"elbow", 0, ActuatorKind::kMotor}});
  const Vector q{0.4, -0.2}, v{1, -2};
  sim.set_state(q, v);
  sim.control()[0] = 0.7;
  sim.control()[1] = 3;
  sim.target_velocity()[0] = 0.5;
  sim.forces()[0] = -2;
  run(sim, 1);

  const double h = sim.options().dt;
  Kinematics<double> kin(model);
  Velocities<double> vel(model);
  InverseDynamics<double> work(model);
  CompositeInertia<double> composite(model);
  update_kinematics<double>(model, q, kin);
  update_velocities<double>(model, kin, v, vel);
  // Forces of velocities are those of the mean velocity. What it is the mean of follows from the same laws with forces of v: two equations
  // (M + h damping + h kd + h² kp) f = M v + h (known forces - bias).
  double M[4];
  Vector bias(2);
  crba<double>(model, kin, MatrixView<double>(M, 2, 2), composite);
  bias_forces<double>(model, kin, vel, bias, work);
  const double A00 = M[0] + h * (30 + kd) + h * h * kp, A11 = M[3] + h * h * 4e4;
  const double b0 = M[0] * v[0] + M[1] * v[1] + h * (kp * (0.7 - q[0]) + kd * 0.5 - 2 - bias[0]);
  const double b1 = M[2] * v[0] + M[3] * v[1] + h * (3 - 4e4 * (q[1] - 0.3) - bias[1]);
  const double determinant = A00 * A11 - M[1] * M[2];
  const Vector mean{(v[0] + (A11 * b0 - M[1] * b1) / determinant) / 2,
                    (v[1] + (A00 * b1 - M[2] * b0) / determinant) / 2};
  update_velocities<double>(model, kin, mean, vel);
  const Vector acceleration{(sim.v()[0] - v[0]) / h, (sim.v()[1] - v[1]) / h};
  Vector needed(2);
  rnea<double>(model, kin, vel, acceleration, needed, work);
  const double servo = kp * (0.7 - sim.q()[0]) + kd * (0.5 - sim.v()[0]);
  // Forces of 1e4 N m and their differences: roundings of those, over the step's length.
  EXPECT_NEAR(needed[0], servo - 30 * sim.v()[0] - 2, 1e-6);
  EXPECT_NEAR(needed[1], 3 - 4e4 * (sim.q()[1] - 0.3), 1e-6);
  EXPECT_NEAR(sim.efforts()[0], servo, 1e-6);
  EXPECT_EQ(sim.efforts()[1], 3);
}

/// Rods of a kilogram and half a metre fall from the horizontal, and whip. A step is of first order, and gains and loses energy where they do; with the
/// forces of the velocity before the step, instead of its mean, it would gain eight times the fall at 5 ms.
TEST(Simulator, AChainThatWhipsDoesNotExplode) {
  constexpr int kRods = 10;
  ModelBuilder builder("chain");
  int parent = kWorld;
  for (int k = 0; k < kRods; ++k) {
    const Pose<double> place = k == 0 ? Pose<double>::identity() : translation(0.5, 0, 0);
    const std::string name = std::to_string(k);
    parent = builder.add_body("rod" + name, parent, revolute("hinge" + name, {{0, 1, 0}}, place),
                              box_inertial(1, {{0.25, 0.02, 0.02}}, {{0.25, 0, 0}}));
  }
  const Model model = builder.make_model();
  const double fall = kRods * kGravity * kRods * 0.25;  // of the centre of mass, to below the first hinge
  for (const double dt : {1e-3, 5e-3}) {
    SimulationOptions options;
    options.dt = dt;
    options.collision.ground = false;
    Simulator sim(model, {}, options);
    const double start = sim.potential_energy();
    double gain = 0;
    for (int k = 0; k < 10 / dt; ++k) {
      run(sim, 1);
      gain = std::max(gain, sim.kinetic_energy() + sim.potential_energy() - start);
    }
    // The motion is chaotic: twice of what was seen, 7 % and 75 % of the fall.
    EXPECT_LT(gain, (dt < 2e-3 ? 0.15 : 1.5) * fall);
  }
}

TEST(Simulator, StiffGainsHoldAPosition) {
  const Model model(describe_rods());
  Simulator sim(model, {}, {}, make_position_actuators(model, 1e8, 1e4));
  sim.control()[0] = 1;
  run(sim, 2000);
  // Weight over kp: 10 N m / 1e8.
  EXPECT_NEAR(sim.q()[0], 1, 1e-6);
  EXPECT_NEAR(sim.v()[0], 0, 1e-9);
}

/// Its force is found by the solve, after the mean velocity that Coriolis forces are of: a difference of the order of the step.
/// While no motor reaches its limit, steps are those of motors without any.
TEST(Simulator, AMotorBelowItsLimitIsAsOneWithout) {
  const Model model(describe_rods());
  std::vector<Actuator> free = make_position_actuators(model, 200, 5), limited = free;
  for (Actuator& a : limited) a.effort_limit = 1e4;
  Simulator a(model, {}, {}, free), b(model, {}, {}, limited);
  for (Simulator* sim : {&a, &b}) {
    sim->control()[0] = 1;
    run(*sim, 100);
  }
  EXPECT_EQ(a.q(), b.q());
  EXPECT_EQ(a.v(), b.v());
  EXPECT_EQ(Vector(a.efforts().begin(), a.efforts().end()), Vector(b.efforts().begin(), b.efforts().end()));
}

/// A motor that reaches its limit and leaves it: in every step its force is that of its law at the end of the step, within the limit.
TEST(Simulator, AMotorObeysItsLawOnBothSidesOfItsLimit) {
  constexpr double kp = 200, kd = 5, kLimit = 40;
  const Model model(describe_rods());
  SimulationOptions options;
  options.tolerance = 1e-8;
  Simulator sim(model, {}, options, {{"shoulder", 0, ActuatorKind::kPosition, kp, kd, kLimit}});
  sim.set_state(Vector{0, 0}, Vector{0, 0});
  sim.control()[0] = 1;
  int at_limit = 0, changes = 0;
  bool last = false;
  for (int k = 0; k < 1000; ++k) {
    const double before = sim.q()[0];
    run(sim, 1);
    const double law = kp * (1 - before - options.dt * sim.v()[0]) - kd * sim.v()[0];
    // Velocities are off by the tolerance at most, and the law feels kd + h kp times that.
    ASSERT_NEAR(sim.efforts()[0], std::clamp(law, -kLimit, kLimit), 10 * options.tolerance * kd) << "step " << k;
    const bool limited = std::abs(law) > kLimit;
    at_limit += limited ? 1 : 0;
    changes += k > 0 && limited != last ? 1 : 0;
    last = limited;
  }
  EXPECT_GT(at_limit, 5);
  EXPECT_LT(at_limit, 995);
  EXPECT_GE(changes, 1);
}

/// A tolerance above what is acceptable of solves that did not converge: steps within it are fine.
TEST(Simulator, AToleranceMayBeAnyVelocity) {
  SimulationOptions options = with_ground(0.5);
  options.tolerance = 0.02;  // gravity gives 0.01 m/s in a step
  Simulator sim(make_box(0.5), {}, options);
  sim.set_state(placed(0.05), Vector(6));
  run(sim, 200);
  EXPECT_GT(sim.q()[2], 0.04);
}

/// Forces within a coarse tolerance once let boxes drift until corners parted, and the pile rattled from then on, with 1e-5 J and more.
TEST(Simulator, APileStaysAtRestAtACoarseTolerance) {
  SimulationOptions options;
  options.tolerance = 1e-4;
  Simulator sim(Model(make_box_stack(10)), {}, options);
  run(sim, 500);
  // Of tonnes that begin at rest with forces from nothing: velocities of the first solve, 1e-9 m/s and less once they are known.
  EXPECT_LT(sim.kinetic_energy(), 1e-12);
}

TEST(Simulator, AMotorAtItsLimitGivesThatForce) {
  const Model model = make_wheel({});
  Actuator servo{"axle", 0, ActuatorKind::kPosition, 1e4, 1, 0.5};
  Simulator sim(model, {}, {}, {servo});
  sim.control()[0] = 1;
  run(sim, 100);
  // α t, with rounding and the solver's tolerance in each of a hundred steps.
  EXPECT_NEAR(sim.v()[0], 0.5 / kWheel * 0.1, 1e-6);
  EXPECT_NEAR(sim.efforts()[0], 0.5, 1e-9);
  Actuator motor{"axle", 0, ActuatorKind::kMotor, 0, 0, 0.5};
  sim.set_actuators({motor});
  sim.control()[0] = -3;
  const double before = sim.v()[0];
  run(sim, 10);
  EXPECT_NEAR(sim.v()[0], before - 0.5 / kWheel * 0.01, 1e-9);
  EXPECT_EQ(sim.efforts()[0], -0.5);
}

TEST(Simulator, VelocityActuatorReachesItsVelocity) {
  const Model model = make_wheel({});
  Simulator sim(model, {}, {}, {{"axle", 0, ActuatorKind::kVelocity, 0, 2, 10}});
  sim.control()[0] = 3;
  run(sim, 1000);
  // (1 + h kd / I)^-1000 of the first error is nothing; the solver's tolerance is left.
  EXPECT_NEAR(sim.v()[0], 3, 1e-6);
}

TEST(Simulator, DryFrictionHoldsAndThenSlips) {
  DofProperties dof;
  dof.friction_loss = 0.4;
  const Model model = make_wheel(dof);
  Simulator sim(model);
  sim.forces()[0] = 0.39;
  run(sim, 100);
  EXPECT_NEAR(sim.v()[0], 0, 1e-8);  // the solver's tolerance
  sim.forces()[0] = 0.6;
  run(sim, 100);
  EXPECT_NEAR(sim.v()[0], 0.2 / kWheel * 0.1, 1e-6);
}

TEST(Simulator, ALimitStopsAJoint) {
  ModelDescription description = describe_rods();
  dof_of(description, 0).lower = -0.5;
  const Model model(description);
  Simulator sim(model);
  sim.set_state(Vector{1.5, 0}, Vector{0, 0});
  for (int k = 0; k < 1500; ++k) {
    run(sim, 1);
    // The room is used up and no more, to what the solver leaves in a step.
    ASSERT_GT(sim.q()[0], -0.5 - 1e-8) << "step " << k;
  }
  sim.forces()[0] = -100;
  run(sim, 1500);
  EXPECT_NEAR(sim.q()[0], -0.5, 1e-8);
}

TEST(Simulator, LimitsOfTheSceneReplaceThoseOfTheModel) {
  DofProperties dof;
  dof.upper = 0.5;
  const Model model = make_wheel(dof);
  const JointLimit wider{"wider", 0, 0, true, 0.8};
  SimulationOptions without;
  without.joint_limits = false;
  Simulator own(model), scene(model, std::vector<Constraint>{wider}), none(model, {}, without);
  for (Simulator* sim : {&own, &scene, &none}) {
    sim->forces()[0] = 0.1;
    run(*sim, 1000);
  }
  EXPECT_NEAR(own.q()[0], 0.5, 1e-8);
  EXPECT_NEAR(scene.q()[0], 0.8, 1e-8);
  EXPECT_GT(none.q()[0], 1);
}

TEST(Simulator, ALoopStaysClosed) {
  const Model model(describe_rods());
  // Rods of half a metre whose ends are held 0.6 m apart, in the plane in which they swing.
  const LoopClosure pin{"pin", attach(model, "lower", {{0, 0, -0.5}}), attach(model, "world", {{-0.6, 0, 2}}), 0b010,
                        0b111};
  Simulator sim(model, std::vector<Constraint>{pin});
  const double base = std::acos(0.6);  // of the triangle's angles at its base
  sim.set_state(Vector{std::asin(0.6), 2 * base}, Vector{0, 0});
  sim.forces()[0] = 5;
  for (int k = 0; k < 1000; ++k) {
    run(sim, 1);
    const double x = -0.5 * (std::sin(sim.q()[0]) + std::sin(sim.q()[0] + sim.q()[1]));
    const double z = 2 - 0.5 * (std::cos(sim.q()[0]) + std::cos(sim.q()[0] + sim.q()[1]));
    // A step of h at these speeds leaves the loop by the square of h, and the next takes part of that back.
    ASSERT_NEAR(x, -0.6, 1e-6) << "step " << k;
    ASSERT_NEAR(z, 2, 1e-6) << "step " << k;
  }
}

TEST(Simulator, BouncesByItsRestitution) {
  const Model model = make_ball(0);
  SimulationOptions options = with_ground(0);
  options.restitution = 0.8;
  options.dt = 1e-4;
  Simulator sim(model, {}, options);
  sim.set_state(placed(1.1), Vector(6, 0.0));
  const double impact = std::sqrt(2 * kGravity * 1.0);
  while (sim.v()[kVz] <= 0) run(sim, 1);
  // The ball meets the ground within a step, so that its speed there is known up to g h.
  EXPECT_NEAR(sim.v()[kVz], 0.8 * impact, kGravity * options.dt);
  while (sim.v()[kVz] > 0) run(sim, 1);
  // Height: twice that in speed, and a step's fall in where it bounced.
  EXPECT_NEAR(sim.q()[2] - 0.1, 0.64, 3 * impact * options.dt);
}

/// Nothing but the two: what one loses the other has.
TEST(Simulator, ACollisionKeepsMomentumAndEnergy) {
  ModelBuilder builder("balls");
  builder.gravity({{0, 0, 0}});
  for (const char* name : {"left", "right"}) {
    ShapeDescription shape;
    shape.body = builder.add_body(name, kWorld, joint(JointKind::kFree, name), sphere_inertial(1, 0.1));
    shape.kind = ShapeKind::kSphere;
    shape.size = {{0.1, 0, 0}};
    shape.condim = 1;
    builder.add_shape(shape);
  }
  const Model model = builder.make_model();
  SimulationOptions options;
  options.collision.ground = false;
  options.restitution = 1;
  Simulator sim(model, {}, options);
  // Not head on: balls 0.1 m apart sideways meet at 30 degrees, and part of the velocity goes over.
  Vector v(12, 0.0);
  v[kVx] = 1;
  sim.set_state(Vector{0, 0, 1, 0, 0, 0, 1, 0.5, 0.1, 1, 0, 0, 0, 1}, v);
  run(sim, 800);
  const Vector& end = sim.v();
  // The solver's tolerance at one impact; spheres without friction do not turn, so that axes are those of the world.
  EXPECT_NEAR(end[3] + end[9], 1, 1e-7);
  EXPECT_NEAR(end[4] + end[10], 0, 1e-7);
  EXPECT_NEAR(sim.kinetic_energy(), 0.5, 1e-7);
  // Where they meet is known to a step's way: the direction of the normal, and cos² of it, to some thousandths.
  EXPECT_NEAR(end[9], 0.75, 0.01);
}

TEST(Simulator, WithoutRestitutionABallStays) {
  const Model model = make_ball(0.5);
  Simulator sim(model);
  sim.set_state(placed(0.2), Vector(6, 0.0));
  run(sim, 500);
  EXPECT_NEAR(sim.q()[2], 0.1, 1e-9);
  EXPECT_LT(sim.kinetic_energy(), 1e-12);
}

/// A slope is a plane and a gravity that is turned.
class Slope : public ::testing::TestWithParam<ContactModel> {};

TEST_P(Slope, SticksBelowTheAngleOfFrictionAndSlidesAbove) {
  constexpr double kMu = 0.5;
  for (const double angle : {0.9 * std::atan(kMu), 1.2 * std::atan(kMu)}) {
    const Model model = make_box(kMu, {{kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)}});
    SimulationOptions options = with_ground(kMu);
    options.model = GetParam();
    Simulator sim(model, {}, options);
    sim.set_state(placed(0.05), Vector(6, 0.0));
    run(sim, 1000);
    if (angle < std::atan(kMu)) {
      EXPECT_LT(std::abs(sim.v()[kVx]), 1e-6);
      EXPECT_LT(std::abs(sim.q()[0]), 1e-6);
    } else {
      const double expected = kGravity * (std::sin(angle) - kMu * std::cos(angle));
      EXPECT_NEAR(sim.v()[kVx] / expected, 1, 1e-3);
      EXPECT_NEAR(sim.q()[2], 0.05, 1e-6);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Slope, ::testing::Values(ContactModel::kRigid, ContactModel::kPgs));

TEST(Simulator, SlidesAsFarAsFrictionLets) {
  const Model model = make_box(0.5);
  Simulator sim(model, {}, with_ground(0.5));
  Vector v(6, 0.0);
  v[kVx] = 2;
  sim.set_state(placed(0.05), v);
  run(sim, 1000);
  // v² / 2 μ g, up to half a step's way at the first speed.
  EXPECT_NEAR(sim.q()[0], 4 / (2 * 0.5 * kGravity), 2 * sim.options().dt);
  EXPECT_NEAR(sim.v()[kVx], 0, 1e-6);
}

TEST(Simulator, ASlidingBallComesToRoll) {
  const Model model = make_ball(0.3);
  Simulator sim(model, {}, with_ground(0.3));
  Vector v(6, 0.0);
  v[kVx] = 2;
  sim.set_state(placed(0.1), v);
  run(sim, 1000);
  // 5/7 of the first speed, whatever the friction: angular momentum about the contact. It stays so without rolling friction.
  const double turn = std::hypot(sim.v()[kVx], sim.v()[kVx + 1], sim.v()[kVx + 2]);
  EXPECT_NEAR(turn, 10.0 / 7, 1e-3);
}

TEST(Simulator, AStackStands) {
  const Model model(make_box_stack(5));
  SimulationOptions exact;
  exact.tolerance = 1e-8;
  Simulator sim(model, {}, exact);
  sim.set_state(model.neutral(), Vector(static_cast<std::size_t>(model.nv()), 0.0));
  run(sim, 500);
  for (std::size_t k = 0; k < model.neutral().size(); ++k) EXPECT_NEAR(sim.q()[k], model.neutral()[k], 1e-8);
  double weight = 0;
  for (const ContactState& c : sim.contacts()) weight += c.body_b == kWorld ? c.force[2] : 0.0;
  EXPECT_NEAR(weight, model.mass() * kGravity, 1e-3);  // the solver's tolerance times the mass over the step
}

/// A box that lands on an edge and falls flat, with each way of computing.
TEST(Simulator, AllOperatorsGiveTheSameMotion) {
  const Model model = make_box(0.5);
  Vector expected;
  for (const Algorithm algorithm : kDirectAlgorithms) {
    SimulationOptions options;
    options.algorithm = algorithm;
    Simulator sim(model, {}, options);
    Vector q = placed(0.2);
    q[4] = 0.3;
    sim.set_state(q, Vector(6, 0.0));
    run(sim, 250);
    if (expected.empty()) expected = sim.q();
    for (std::size_t k = 0; k < expected.size(); ++k) {
      // Solver's tolerances, times the step's length, in each of 250 steps, and what an impact makes of them.
      EXPECT_NEAR(sim.q()[k], expected[k], 1e-6) << name_of(algorithm) << ", coordinate " << k;
    }
  }
}

TEST(Simulator, PenetrationIsTakenBackSlowly) {
  const Model model = make_box(0.5);
  Simulator sim(model);
  sim.set_state(placed(0.045), Vector(6, 0.0));
  run(sim, 1);
  EXPECT_NEAR(sim.report().penetration, 5e-3, 1e-12);
  EXPECT_LE(sim.v()[kVz], sim.options().recovery_speed + 1e-8);
  run(sim, 1000);
  EXPECT_NEAR(sim.q()[2], 0.05, 1e-6);
}

}  // namespace
}  // namespace delassus
