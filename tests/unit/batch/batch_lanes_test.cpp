// Steps in lanes are those of the Simulator.
#include <gtest/gtest.h>

#include "delassus/model/surface.hpp"
#include "support/batch_robots.hpp"
#include "support/surfaces.hpp"

namespace delassus {
namespace {

using testing::largest_difference;

/// Both solve each step to the tolerance, so velocities differ by some of it for each step, and those move the state: h times as much. Standing on feet with
/// gains is stable: differences die out or add up, they do not grow by themselves.
double bound_of(const SimulationSetup& setup, int steps) {
  constexpr double kSeveralRows = 10;  // velocities of joints for a velocity of contacts
  return kSeveralRows * steps * setup.options.tolerance * std::max(setup.options.dt * steps, 0.1);
}

/// How many steps of five environments were in lanes; expects that all agree with simulators of their own.
int expect_agreement(const SimulationSetup& setup, double spread, int steps, double bound) {
  constexpr int kSize = 5;
  BatchSimulator batch(setup, kSize, {.threads = 1});
  EXPECT_EQ(batch.lanes_refused(), "");
  std::vector<Simulator> alone;
  for (int e = 0; e < kSize; ++e) {
    testing::set_random_targets(batch, e, e, spread);
    alone.push_back(setup.make_simulator());
    std::ranges::copy(testing::row_of(batch.control(), e), alone.back().control().begin());
  }
  int in_lanes = 0;
  for (int k = 0; k < steps; ++k) {
    EXPECT_EQ(batch.step(), 0) << batch.message(0);
    for (int e = 0; e < kSize; ++e) in_lanes += batch.summaries()[static_cast<std::size_t>(e)].in_lanes ? 1 : 0;
  }
  for (int e = 0; e < kSize; ++e) {
    Simulator& sim = alone[static_cast<std::size_t>(e)];
    const StepStatus status = sim.advance(steps);
    EXPECT_TRUE(status.ok()) << sim.describe(status);
    EXPECT_LE(largest_difference(testing::row_of(batch.q(), e), sim.q()), bound) << "environment " << e;
    EXPECT_DOUBLE_EQ(batch.times()[static_cast<std::size_t>(e)], sim.time());
  }
  return in_lanes;
}

/// Feet that stick: while soles with redundant points slide, Coulomb's law may have several answers, and two solvers two of them.
TEST(BatchLanes, Go2AndG1OnTheirFeet) {
  const SimulationSetup go2 = testing::standing("go2-standing", 40, 1), g1 = testing::standing("g1-standing", 200, 5);
  EXPECT_GT(expect_agreement(go2, 0.1, 100, bound_of(go2, 100)), 4 * 100);
  EXPECT_GT(expect_agreement(g1, 0.02, 100, bound_of(g1, 100)), 4 * 100);
}

/// Targets far beyond the limits of joints, and gains that ask for more than motors have. Where one motor saturates, the Simulator makes rows of all motors
/// with a limit, and lanes of those alone that saturate. The others' damping is in the forces of the first half of the step in the one, and in its rows in the
/// other, so that velocities of such a step differ by h² times the change of acceleration: 1e-6 s² times some 10 rad/s² there. Some steps saturate, then the limits hold.
TEST(BatchLanes, LimitsAndSaturatedMotors) {
  ModelBuilder builder("arm");
  int parent = kWorld;
  for (const int k : {0, 1, 2}) {
    JointDescription j =
        revolute("j" + std::to_string(k), {{k == 1 ? 1.0 : 0.0, 1, 0}}, translation(0, 0, k ? 0.4 : 0));
    j.dofs[0].lower = -0.4 - 0.1 * k;
    j.dofs[0].upper = 0.5;
    parent = builder.add_body("b" + std::to_string(k), parent, j, box_inertial(1, {{0.02, 0.03, 0.2}}, {{0, 0, 0.2}}));
  }
  SimulationSetup setup{builder.make_model()};
  setup.options.tolerance = 1e-8;
  setup.actuators = make_position_actuators(setup.model, 500, 10);
  for (std::size_t k = 0; k < 3; ++k) setup.actuators[k].effort_limit = 18 - 5 * static_cast<double>(k);
  constexpr double kSecondOrder = 1e-4;  // rad
  EXPECT_GT(expect_agreement(setup, 4, 150, kSecondOrder), 4 * 150);
}

TEST(BatchLanes, SpringsDampingAndDryFriction) {
  ModelBuilder builder("chain");
  int parent = kWorld;
  for (const int k : {0, 1, 2}) {
    JointDescription j =
        revolute("j" + std::to_string(k), {{k == 1 ? 1.0 : 0.0, 1, 0}}, translation(0, 0, k ? -0.4 : 3));
    j.dofs[0].stiffness = k == 0 ? 30 : 0;
    j.dofs[0].spring_reference = 0.4;
    j.dofs[0].damping = 0.1 * k;
    j.dofs[0].friction_loss = k == 2 ? 0 : 0.3;
    parent = builder.add_body("b" + std::to_string(k), parent, j, box_inertial(1, {{0.02, 0.03, 0.2}}, {{0, 0, -0.2}}));
  }
  SimulationSetup setup{builder.make_model()};
  setup.options.tolerance = 1e-8;
  setup.q = {0.5, -0.3, 1};
  setup.actuators = {{"j0", 0, ActuatorKind::kMotor, 0, 0, 1}, {"j1", 0, ActuatorKind::kVelocity, 0, 2, 0.5}};
  EXPECT_EQ(expect_agreement(setup, 2, 200, bound_of(setup, 200)), 5 * 200);
}

/// Each kind of shape where it lies, stands or leans; falls from a centimetre.
TEST(BatchLanes, ShapesOnThePlane) {
  const auto shape = [](ShapeKind kind, double x, double y, double z) {
    ShapeDescription s = testing::box_shape(x, y, z);
    s.kind = kind;
    return s;
  };
  ShapeDescription hull = testing::box_shape(0, 0, 0);
  hull.kind = ShapeKind::kHull;
  hull.surface = make_surface({{{-0.2, -0.1, -0.1}}, {{0.2, -0.1, -0.1}}, {{0, 0.2, -0.1}}, {{0, 0, 0.1}}},
                              {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
  struct Case {
    const char* name;
    ShapeDescription shape;
    double turn, height;  // about x
  };
  // Leaning ones touch with one point and tip over.
  const std::vector<Case> cases = {
      {"sphere", shape(ShapeKind::kSphere, 0.1, 0, 0), 0.3, 0.11},
      {"box", testing::box_shape(0.15, 0.12, 0.1), 0, 0.105},
      {"box on an edge", testing::box_shape(0.15, 0.12, 0.1), 0.5, 0.155},
      {"capsule", shape(ShapeKind::kCapsule, 0.1, 0.15, 0), M_PI / 2, 0.105},
      {"cylinder that stands", shape(ShapeKind::kCylinder, 0.12, 0.1, 0), 0, 0.105},
      {"cylinder that lies", shape(ShapeKind::kCylinder, 0.12, 0.1, 0), M_PI / 2, 0.125},
      {"cylinder that leans", shape(ShapeKind::kCylinder, 0.12, 0.1, 0), 0.4, 0.145},
      {"ellipsoid", shape(ShapeKind::kEllipsoid, 0.15, 0.12, 0.1), 0.2, 0.108},
      {"hull", hull, 0, 0.105},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    SimulationSetup setup = testing::carrier(c.shape, c.height);
    setup.q[3] = std::sin(c.turn / 2);
    setup.q[6] = std::cos(c.turn / 2);
    // A third of a second: bodies that tip over part by a factor of e in about 0.1 s, as a pendulum of that height does upside down.
    EXPECT_GT(expect_agreement(setup, 0.2, 60, bound_of(setup, 60) * std::exp(0.12 / 0.1)), 5 * 60 / 2);
  }
}

}  // namespace
}  // namespace delassus
