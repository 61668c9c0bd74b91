// What lowering promises beside the numbers: sets, a structure that survives failures, values that follow moves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "delassus/delassus.hpp"
#include "support/random_system.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::for_each_seed;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A floating trunk with an arm of two revolute joints. Frames: 0 the world, then trunk, upper, lower.
Model arm_on_trunk() {
  ModelBuilder b("arm");
  const Inertial inertial = box_inertial(1, {{0.1, 0.1, 0.1}}, {{0.1, 0, 0}});
  const int trunk = b.add_body("trunk", kWorld, joint(JointKind::kFree, "base"), inertial);
  const int upper = b.add_body("upper", trunk, revolute("shoulder", {{0, 1, 0}}, translation(0.2, 0, 0)), inertial);
  b.add_body("lower", upper, revolute("elbow", {{0, 1, 0}}, translation(0.4, 0, 0)), inertial);
  return b.make_model();
}
constexpr int kTrunk = 1, kUpper = 2, kLower = 3;

CustomRows custom(int rows) {
  CustomRows c;
  c.rows = rows;
  c.bodies = {{kTrunk, std::vector<double>(6 * rows, 1.0)}};
  return c;
}

TEST(Lowering, RowsHoldTheSetsThatWereGiven) {
  const Model model = arm_on_trunk();
  std::vector<Constraint> constraints{PointContact{"contact", {kLower}},
                                      make_weld("loop", {kUpper}, {0}),
                                      Distance{"distance", {kTrunk}, {kLower}, 1},
                                      JointLimit{"limit", 1},
                                      JointFriction{"friction", 2},
                                      JointCoupling{"coupling", {{1, 0, 1}, {2, 0, -2}}},
                                      CentreOfMass{"com"},
                                      custom(2),
                                      JointPolynomial{"polynomial", 1, 0, 2, 0}};
  ASSERT_EQ(constraints.size(), std::variant_size_v<Constraint>);
  std::vector<ForceSet> sets;
  for (std::size_t e = 0; e < constraints.size(); ++e) {
    const double x = 0.1 * static_cast<double>(e);  // each its own, in every field
    sets.push_back({static_cast<SetKind>(e % 4), 1 + x, 2 + x, 3 + x, 4 + x});
    std::visit([&](auto& c) { c.set = sets[e]; }, constraints[e]);
  }
  ConstraintRows<double> rows;
  lower_structure(model, constraints, rows);
  EXPECT_EQ(rows.sets, sets);
  // Others, in another order, in the same rows.
  std::reverse(constraints.begin(), constraints.end());
  std::reverse(sets.begin(), sets.end());
  lower_structure(model, constraints, rows);
  EXPECT_EQ(rows.sets, sets);
}

template <class T>
void expect_equal_values(const ConstraintRows<T>& a, const ConstraintRows<T>& b) {
  EXPECT_EQ(a.values, b.values);
  ASSERT_EQ(a.entries.size(), b.entries.size());
  for (std::size_t k = 0; k < a.entries.size(); ++k) {
    EXPECT_EQ(a.entries[k].row, b.entries[k].row);
    EXPECT_EQ(a.entries[k].v, b.entries[k].v);
    EXPECT_EQ(a.weights[k], b.weights[k]);
  }
}

TEST(Lowering, FailureLeavesTheOldStructure) {
  const Model model = arm_on_trunk();
  Kinematics<double> kin(model);
  update_kinematics(model, samples::random_state(model, 1).q, kin);
  const std::vector<Constraint> good{PointContact{"tip", {kLower}}, JointLimit{"stop", 1}};
  ConstraintRows<double> rows;
  lower_structure(model, good, rows);
  ASSERT_TRUE(lower_values(model, kin, good, rows).ok());
  const ConstraintRows<double> before = rows;
  // The first ones are good: they must not be written either.
  const std::vector<Constraint> bad{CentreOfMass{}, JointFriction{"f", 2}, JointLimit{"no such joint", 99}};
  EXPECT_THROW(lower_structure(model, bad, rows), Error);
  EXPECT_EQ(rows.num_rows(), 4);
  EXPECT_EQ(rows.sets, before.sets);
  EXPECT_EQ(rows.blocks.size(), before.blocks.size());
  expect_equal_values(rows, before);
  EXPECT_TRUE(lower_values(model, kin, good, rows).ok());
  expect_equal_values(rows, before);
}

/// Moves all that lower_values reads anew; links, joints and numbers of rows stay.
struct Move {
  samples::Random& random;
  void operator()(PointContact& c) const {
    c.a.offset = random.pose(1);
    c.axes = random.rotation();
  }
  void operator()(LoopClosure& c) const { c.first.offset = random.pose(1), c.second.offset = random.pose(1); }
  void operator()(Distance& c) const { c.first.offset = random.pose(1), c.second.offset = random.pose(1); }
  void operator()(JointLimit& c) const { c.upper = !c.upper; }
  void operator()(JointFriction&) const {}
  void operator()(JointCoupling& c) const {
    for (JointCoupling::Term& t : c.terms) t.weight = random.uniform(0.5, 2);
  }
  void operator()(JointPolynomial& c) const { c.coefficients[1] = random.uniform(0.5, 2); }
  void operator()(CentreOfMass& c) const { c.target = random.vector(1); }
  void operator()(CustomRows& c) const {
    for (auto& t : c.bodies) t.K[0] = random.uniform(-1, 1);
    for (auto& t : c.dofs) t.weights[0] = random.uniform(-1, 1);
  }
};

void values_follow_moved_constraints(int seed) {
  const Model model = samples::random_model(seed);
  Kinematics<double> kin(model);
  update_kinematics(model, samples::random_state(model, seed).q, kin);
  std::vector<Constraint> constraints = samples::random_constraints(model, seed, 8);
  ConstraintRows<double> rows, fresh;
  lower_structure(model, constraints, rows);
  ASSERT_TRUE(lower_values(model, kin, constraints, rows).ok());
  samples::Random random(seed, 11);
  for (Constraint& c : constraints) std::visit(Move{random}, c);
  ASSERT_TRUE(lower_values(model, kin, constraints, rows).ok());
  lower_structure(model, constraints, fresh);
  ASSERT_TRUE(lower_values(model, kin, constraints, fresh).ok());
  expect_equal_values(rows, fresh);
}
TEST(Lowering, ValuesFollowMovedConstraints) { for_each_seed(0, 100, values_follow_moved_constraints); }

/// The same number of rows, but not the same constraint.
TEST(Lowering, OtherConstraintsWithAsManyRowsAreRefused) {
  const Model model = arm_on_trunk();
  Kinematics<double> kin(model);
  Velocities<double> vel(model);
  const samples::State s = samples::random_state(model, 1);
  update_kinematics(model, s.q, kin);
  update_velocities(model, kin, s.v, vel);
  const LoopClosure weld = make_weld("loop", {kUpper}, {kLower});
  LoopClosure slider = weld, hinge = weld, elsewhere = weld, grounded = weld;
  slider.free_linear = 0b001;
  hinge.free_angular = 0b001;
  elsewhere.first.frame = kTrunk;
  grounded.second.frame = 0;
  const PointContact contact{"contact", {kLower}}, on_upper{"contact", {kUpper}}, between{"contact", {kLower}, kUpper};
  CustomRows by_body = custom(1), by_dof = custom(1);
  by_dof.bodies.clear();
  by_dof.dofs = {{0, {1.0}}};
  const std::vector<std::pair<Constraint, Constraint>> pairs{
      {slider, hinge},
      {hinge, slider},
      {weld, elsewhere},
      {weld, grounded},
      {grounded, weld},
      {contact, on_upper},
      {contact, between},
      {between, contact},
      {make_ball("ball", {kLower}, {0}), contact},
      {contact, CentreOfMass{}},
      {JointLimit{"limit", 1}, JointLimit{"limit", 2}},
      {JointLimit{"limit", 1}, JointFriction{"friction", 1}},
      {JointFriction{"friction", 0, 2}, JointFriction{"friction", 0, 3}},
      {JointCoupling{"c", {{1, 0, 1}}}, JointCoupling{"c", {{1, 0, 1}, {2, 0, 1}}}},
      {JointCoupling{"c", {{1, 0, 1}, {2, 0, 1}}}, JointCoupling{"c", {{1, 0, 1}}}},
      {by_body, by_dof},
      {by_dof, by_body},
  };
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    SCOPED_TRACE("pair " + std::to_string(k));
    const std::vector<Constraint> made{pairs[k].first}, other{pairs[k].second};
    ASSERT_EQ(row_count(made[0]), row_count(other[0]));
    ConstraintRows<double> rows;
    lower_structure(model, made, rows);
    EXPECT_THAT([&] { (void)lower_values(model, kin, other, rows); },
                ThrowsMessage<Error>(HasSubstr("lower_structure")));
    // Drift and positions need no blocks: they refuse another kind, and stay within their rows otherwise.
    std::vector<double> out(rows.num_rows());
    if (made[0].index() == other[0].index()) continue;
    EXPECT_THROW(constraint_drift(model, kin, vel, other, rows, out), Error);
    EXPECT_THROW(constraint_positions(model, kin, other, rows, out), Error);
  }
}

/// One joint of each sort: limits count where velocities are rates, friction everywhere.
Model joints_with_properties() {
  ModelBuilder b("properties");
  const Inertial inertial = box_inertial(1, {{0.1, 0.2, 0.3}});
  JointDescription knee = revolute("knee", {{0, 1, 0}}), slide = joint(JointKind::kCylindrical, "slide"),
                   plain = prismatic("plain", {{1, 0, 0}}), ball = joint(JointKind::kSpherical, "ball");
  knee.dofs[0].lower = -1;
  knee.dofs[0].upper = 2;
  knee.dofs[0].friction_loss = 0.5;
  slide.dofs[1].upper = 0.25;
  slide.dofs[1].friction_loss = 3;
  ball.dofs[2].friction_loss = 0.125;
  int body = b.add_body("a", kWorld, ball, inertial);
  body = b.add_body("b", body, knee, inertial);
  body = b.add_body("c", body, slide, inertial);
  b.add_body("d", body, plain, inertial);
  return b.make_model();
}

TEST(JointConstraints, OnePerFiniteLimit) {
  const std::vector<Constraint> want{JointLimit{"knee lower", 1, 0, false, -1}, JointLimit{"knee upper", 1, 0, true, 2},
                                     JointLimit{"slide[1] upper", 2, 1, true, 0.25}};
  EXPECT_EQ(make_joint_limits(joints_with_properties()), want);
}

TEST(JointConstraints, OnePerFrictionLoss) {
  const std::vector<Constraint> want{JointFriction{"ball[2] friction", 0, 2, {SetKind::kBox, 0.125}},
                                     JointFriction{"knee friction", 1, 0, {SetKind::kBox, 0.5}},
                                     JointFriction{"slide[1] friction", 2, 1, {SetKind::kBox, 3}}};
  EXPECT_EQ(make_joint_friction(joints_with_properties()), want);
}

TEST(JointConstraints, LimitsActTowardsTheirRange) {
  const Model model = joints_with_properties();
  const std::vector<Constraint> limits = make_joint_limits(model);
  Kinematics<double> kin(model);
  std::vector<double> q = model.neutral(), room(3);
  q[4] = 0.5;   // knee, of [-1, 2]
  q[6] = 0.75;  // slide, half a metre beyond its end
  update_kinematics(model, q, kin);
  ConstraintRows<double> rows;
  lower_structure(model, limits, rows);
  ASSERT_TRUE(lower_values(model, kin, limits, rows).ok());
  constraint_positions(model, kin, limits, rows, room);
  EXPECT_EQ(room, (std::vector<double>{1.5, 1.5, -0.5}));
  EXPECT_EQ(rows.weights[0], 1);
  EXPECT_EQ(rows.weights[1], -1);
  EXPECT_EQ(rows.weights[2], -1);
}

}  // namespace
}  // namespace delassus
