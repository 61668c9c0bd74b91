#include "delassus/solvers/assembly.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/operators/oracle.hpp"
#include "support/compare.hpp"
#include "support/embedded_robots.hpp"
#include "support/random_system.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::converted;
using testing::embedded_robot;
using Code = Status::Code;
using Vector = std::vector<double>;
using Constraints = std::vector<Constraint>;

/// Poses of a mechanism of 1 m are exact to some 1e-15 m; the assembler stops at 1e3 times the rounding.
constexpr double kAssembled = 3e-13;

Vector random_velocity(const Model& model, int seed, double size) {
  samples::Random random(static_cast<std::uint64_t>(seed), 7);
  Vector v(model.nv());
  for (double& e : v) e = random.uniform(-size, size);
  return v;
}

Vector moved(const Model& model, const Vector& q, const Vector& v) {
  Vector out(q.size());
  integrate(model, q, v, out);
  return out;
}

/// How far rows are off, by the oracle.
double farthest(const Model& model, const Constraints& constraints, const Vector& q) {
  const auto phi = oracle::constraint_position<long double>(model, constraints, converted<long double>(q));
  return testing::relative_difference(phi, Vector(phi.size()), 1);
}

oracle::Matrix<long double> column(const Vector& x) {
  return {static_cast<int>(x.size()), 1, converted<long double>(x)};
}

/// Jᵀ or M times a vector of the oracle, row by row, against zero.
double largest_entry(const oracle::Matrix<long double>& x) {
  return testing::relative_difference(x.entries(), Vector(x.entries().size()), 1);
}

class Mechanisms : public ::testing::TestWithParam<const char*> {
 protected:
  Mechanisms() : scene_(embedded_robot(GetParam())), constraints_(make_equalities(scene_.constraints)) {}

  Scene scene_;
  Constraints constraints_;
};

TEST_P(Mechanisms, AssembleFromDisturbedConfigurations) {
  Assembler<double> assembler(scene_.model, constraints_);
  // Half a radian for every joint: loops are torn open by up to the lengths of their links.
  testing::for_each_seed(0, 50, [&](int seed) {
    Vector q = moved(scene_.model, scene_.q, random_velocity(scene_.model, seed, 0.5));
    const double before = farthest(scene_.model, constraints_, q);
    ASSERT_GT(before, 1e-3);
    EXPECT_TRUE(assembler.assemble(q).ok());
    EXPECT_LT(farthest(scene_.model, constraints_, q), kAssembled);
    EXPECT_NEAR(assembler.report().before.linear, before, 1e-12);
    EXPECT_LT(assembler.report().after.linear, kAssembled);
    EXPECT_EQ(assembler.report().before.angular, 0);  // points in space have no angles
  });
}

class LongMechanisms : public Mechanisms {};

TEST_P(LongMechanisms, AssembleFromAnywhereNear) {
  Assembler<double> assembler(scene_.model, constraints_);
  for (const double size : {0.05, 0.2, 0.5, 1.0}) {
    int most = 0, sum = 0;
    testing::for_each_seed(0, 1000, [&](int seed) {
      Vector q = moved(scene_.model, scene_.q, random_velocity(scene_.model, seed, size));
      EXPECT_TRUE(assembler.assemble(q).ok()) << "moved by up to " << size;
      sum += assembler.report().iterations;
      most = std::max(most, assembler.report().iterations);
    });
    RecordProperty("iterations_" + std::to_string(size),
                   std::to_string(sum / 1000) + ", at most " + std::to_string(most));
  }
}

// Each step squares the error, but for the part that the least damping leaves: 4e-11 of the size of Λ⁻¹, over a direction that
// yields 4e-5 of it. The constant before the square is the curvature of the loops over their smallest lever, some 1e2 per metre.
TEST_P(Mechanisms, NewtonIsQuadraticNearTheLoops) {
  Vector start = scene_.q;
  ASSERT_TRUE(Assembler<double>(scene_.model, constraints_).assemble(start).ok());
  Assembler<double> one(scene_.model, constraints_, {.iterations = 1});
  for (const double size : {1e-3, 1e-4}) {
    Vector q = moved(scene_.model, start, random_velocity(scene_.model, 1, size));
    const double before = farthest(scene_.model, constraints_, q);
    EXPECT_EQ(one.assemble(q).code, Code::kNotConverged);
    EXPECT_LT(farthest(scene_.model, constraints_, q), 1e2 * before * before + 1e-6 * before);
  }
}

// The way to the nearest point is M⁻¹ times forces of the constraints: the free motions of the mechanism see nothing of it.
TEST_P(Mechanisms, StepIsOrthogonalToFreeMotions) {
  Vector start = scene_.q;
  Assembler<double> assembler(scene_.model, constraints_);
  ASSERT_TRUE(assembler.assemble(start).ok());
  constexpr double kSize = 1e-5;
  Vector q = moved(scene_.model, start, random_velocity(scene_.model, 3, kSize));
  const Vector disturbed = q;
  ASSERT_TRUE(assembler.assemble(q).ok());
  Vector way(scene_.model.nv()), free = random_velocity(scene_.model, 4, 1);
  difference(scene_.model, disturbed, q, way);
  ASSERT_TRUE(assembler.project_velocity(q, free).ok());
  const auto M = oracle::inertia_matrix<long double>(scene_.model, converted<long double>(q));
  const auto product = [&](const Vector& a, const Vector& b) {
    return static_cast<double>((oracle::transposed(column(a)) * M * column(b))(0, 0));
  };
  // J turns by the length of the way over the shortest lever while it goes: 1e-5 times some tens.
  EXPECT_LT(std::abs(product(way, free)), 1e-3 * std::sqrt(product(way, way) * product(free, free)));
}

TEST_P(Mechanisms, VelocityIsTheNearestThatTheLoopsAllow) {
  Vector q = scene_.q;
  Assembler<double> assembler(scene_.model, constraints_);
  ASSERT_TRUE(assembler.assemble(q).ok());
  const Vector v = random_velocity(scene_.model, 5, 1);
  Vector after = v;
  EXPECT_TRUE(assembler.project_velocity(q, after).ok());
  const auto exact_q = converted<long double>(q);
  const auto J = oracle::constraint_jacobian<long double>(scene_.model, constraints_, exact_q);
  // Proximal asks for 1e4 ε = 2e-12 of Jv, which is of order 1.
  EXPECT_LT(largest_entry(J * column(after)), 1e-11);
  // Any velocity that the loops allow has no momentum along the difference.
  Vector free = random_velocity(scene_.model, 6, 1);
  EXPECT_TRUE(assembler.project_velocity(q, free).ok());
  const auto M = oracle::inertia_matrix<long double>(scene_.model, exact_q);
  const auto momentum = M * (column(after) - column(v));
  EXPECT_LT(largest_entry(oracle::transposed(column(free)) * momentum), 1e-10 * largest_entry(momentum));
}

const auto kMechanisms = ::testing::Values("cassie", "four_bar", "delta", "stewart");
INSTANTIATE_TEST_SUITE_P(Assembly, Mechanisms, kMechanisms);
INSTANTIATE_TEST_SUITE_P(Assembly, LongMechanisms, kMechanisms);

TEST(Assembler, TakesRowsThatRepeatEachOther) {
  const Scene scene = embedded_robot("cassie");
  Constraints twice = make_equalities(scene.constraints);
  twice.insert(twice.end(), scene.constraints.begin(), scene.constraints.end());
  Assembler<double> assembler(scene.model, twice);
  Vector q = moved(scene.model, scene.q, random_velocity(scene.model, 1, 0.1)), v = random_velocity(scene.model, 2, 1);
  EXPECT_TRUE(assembler.assemble(q).ok());
  EXPECT_LT(farthest(scene.model, twice, q), kAssembled);
  EXPECT_TRUE(assembler.project_velocity(q, v).ok());
}

/// Two links of 1 m in a row, about z, in the plane.
Model planar_arm() {
  ModelBuilder builder("arm");
  const int upper =
      builder.add_body("upper", -1, revolute("shoulder", {{0, 0, 1}}), box_inertial(1, {{0.5, 0.1, 0.1}}));
  builder.add_body("lower", upper, revolute("elbow", {{0, 0, 1}}, translation(1, 0, 0)),
                   box_inertial(1, {{0.5, 0.1, 0.1}}));
  return builder.make_model();
}

Constraints tip_at(const Model& model, double x, double y) {
  return {make_ball("tip", attach(model, "lower", {{1, 0, 0}}), Attachment{0, translation(x, y, 0)})};
}

TEST(Assembler, SaysWhichRowCannotBeReached) {
  const Model model = planar_arm();
  const Constraints far = tip_at(model, 0, 3);
  Assembler<double> assembler(model, far);
  Vector q{0.3, 0.4};
  EXPECT_EQ(assembler.assemble(q), (Status{Code::kInfeasible, 1}));
  // As near as the arm goes: straight up. The sum of squares is flat there, so half the digits.
  EXPECT_NEAR(q[0], std::acos(-1.0) / 2, 1e-4);
  EXPECT_NEAR(q[1], 0, 1e-4);
  EXPECT_NEAR(assembler.report().after.linear, 1, 1e-8);
}

// Stretched out, the arm can be pulled in by no small motion, though the point is within its reach.
TEST(Assembler, SaysSoAtADeadCentre) {
  const Model model = planar_arm();
  const Constraints near = tip_at(model, 1, 0);
  Assembler<double> assembler(model, near);
  Vector q{0, 0};
  EXPECT_EQ(assembler.assemble(q), (Status{Code::kInfeasible, 0}));
  EXPECT_EQ(q, (Vector{0, 0}));
  q = {0, 1e-3};
  EXPECT_TRUE(assembler.assemble(q).ok());
  EXPECT_LT(farthest(model, near, q), kAssembled);
  // Onto the dead centre itself the error falls to a quarter with each step, until the arm yields less than the least
  // damping, 4e-11. 1e-11 m are 6e-6 rad of the elbow there.
  const Constraints stretched = tip_at(model, 2, 0);
  q = {0.1, -0.3};
  EXPECT_TRUE(Assembler<double>(model, stretched, {.tolerance = 1e-11}).assemble(q).ok());
  EXPECT_NEAR(q[1], 0, 1e-5);
}

TEST(Assembler, ComesCloserEvenWhereItFails) {
  const Scene scene = embedded_robot("delta");
  const Vector start = moved(scene.model, scene.q, random_velocity(scene.model, 1, 0.5));
  Vector q = start;
  const Status status = Assembler<double>(scene.model, scene.constraints, {.iterations = 2}).assemble(q);
  EXPECT_EQ(status.code, Code::kNotConverged);
  EXPECT_LT(farthest(scene.model, scene.constraints, q), farthest(scene.model, scene.constraints, start));
  q = start;
  q[0] = std::nan("");
  EXPECT_EQ(Assembler<double>(scene.model, scene.constraints).assemble(q).code, Code::kNotFinite);
  EXPECT_TRUE(std::equal(q.begin() + 1, q.end(), start.begin() + 1));
}

// Welds, hinges and universal joints between bodies that are anywhere: rotation vectors, cross and dot products.
TEST(Assembler, TurnsFramesOntoEachOther) {
  ModelBuilder builder("bodies");
  for (const char* name : {"a", "b"}) {
    builder.add_body(name, -1, joint(JointKind::kFree, name), box_inertial(1, {{0.1, 0.2, 0.3}}));
  }
  const Model model = builder.make_model();
  for (const int free_axes : {0, 1, 4, 3, 6}) {
    SCOPED_TRACE("free angular axes " + std::to_string(free_axes));
    LoopClosure loop = make_weld("loop", attach(model, "a", {{0.1, 0, 0}}), attach(model, "b", {{0, 0.3, 0}}));
    loop.free_angular = static_cast<std::uint8_t>(free_axes);
    const Constraints constraints{loop};
    Assembler<double> assembler(model, constraints);
    Vector q = moved(model, model.neutral(), random_velocity(model, 1 + free_axes, 0.4));
    EXPECT_TRUE(assembler.assemble(q).ok());
    EXPECT_LT(farthest(model, constraints, q), kAssembled);
    EXPECT_GT(assembler.report().before.angular, 0.01);
    EXPECT_LT(assembler.report().after.angular, kAssembled);
    EXPECT_LT(assembler.report().iterations, 10);
  }
}

TEST(Assembler, WorksInFloat) {
  const Scene scene = embedded_robot("four_bar");
  auto q = converted<float>(moved(scene.model, scene.q, random_velocity(scene.model, 1, 0.2)));
  auto v = converted<float>(random_velocity(scene.model, 2, 1));
  Assembler<float> assembler(scene.model, scene.constraints);
  EXPECT_TRUE(assembler.assemble(q).ok());
  EXPECT_TRUE(assembler.project_velocity(q, v).ok());
  EXPECT_LT(farthest(scene.model, scene.constraints, converted<double>(q)), 1e3 * 1.2e-7);
}

TEST(Assembler, TakesNoLimits) {
  const Model model = planar_arm();
  Constraints list = tip_at(model, 1, 1);
  list.push_back(JointLimit{.name = "stop", .link = 1, .bound = 0});
  try {
    Assembler<double> assembler(model, list);
    FAIL() << "a limit was taken";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("'stop'"), std::string::npos) << e.what();
  }
  EXPECT_EQ(make_equalities(list), tip_at(model, 1, 1));
}

// A foot on the ground stays where it is while the loops of the leg are closed, to the second order of the step.
TEST(Assembler, ContactsAreKeptFromMoving) {
  const Scene scene = embedded_robot("cassie");
  Vector q = scene.q;
  Constraints list = make_equalities(scene.constraints);
  for (const char* toe : {"left-toe", "left-heel"})
    list.push_back(PointContact{.name = toe, .a = attach(scene.model, toe)});
  Assembler<double> assembler(scene.model, list);
  ASSERT_TRUE(assembler.assemble(q).ok());
  q = moved(scene.model, q, random_velocity(scene.model, 3, 1e-4));
  const Constraints foot = make_pins_to_world(scene.model, q, std::vector<std::string>{"left-toe"});
  EXPECT_TRUE(assembler.assemble(q).ok());
  // Steps of 1e-4 over levers of 0.05 m: 1e-7 m for the square, of a leg that would move by 1e-4 m.
  EXPECT_LT(farthest(scene.model, foot, q), 1e-6);
}

}  // namespace
}  // namespace delassus
