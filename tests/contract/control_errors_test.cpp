// Bad arguments of controllers: a status for each in the loop, which leaves the torques alone, and an Error before it.
#include <gtest/gtest.h>

#include <limits>

#include "support/controllers.hpp"

namespace delassus {
namespace {

using testing::Carrying;
using testing::Standing;
using Code = Status::Code;
using Vector = std::vector<double>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// What a call answers, and that it leaves torques alone.
class ControlErrors : public ::testing::Test {
 protected:
  void expect(const ControlStatus& got, const ControlStatus& want) {
    EXPECT_EQ(got, want);
    EXPECT_EQ(s_.tau, Vector(s_.tau.size(), 7.0));
  }
  void SetUp() override { s_.tau.assign(s_.tau.size(), 7.0); }

  Standing<double> s_;
  const Vector short_{1, 2, 3};
};

TEST_F(ControlErrors, OfStates) {
  expect(s_.controller.solve(s_.tau), kTooEarly);  // never updated
  expect(s_.controller.compute(short_, s_.v, s_.tau), {Code::kBadArgument, 0});
  expect(s_.controller.compute(s_.q, short_, s_.tau), {Code::kBadArgument, 1});
  expect(s_.controller.solve(s_.tau), {Code::kBadArgument, 1});  // as the last update was
  Vector q = s_.q, v = s_.v;
  q[9] = v[11] = kNan;
  expect(s_.controller.compute(q, s_.v, s_.tau), {Code::kNotFinite, 9});
  expect(s_.controller.compute(s_.q, v, s_.tau), {Code::kNotFinite, 11});
  Vector little(3, 7.0);
  EXPECT_EQ(s_.controller.compute(s_.q, s_.v, little).code, Code::kBadArgument);
  EXPECT_EQ(little, Vector(3, 7.0));
  EXPECT_TRUE(s_.controller.compute(s_.q, s_.v, s_.tau).numerics().ok()) << "and all is well after";
}

/// Numbers whose squares are none, and rotations that are none.
TEST_F(ControlErrors, OfStatesThatOverflow) {
  Vector q = s_.q, v(s_.v.size(), 1e200);
  EXPECT_FALSE(s_.controller.compute(s_.q, v, s_.tau).ok());
  expect({}, {});
  for (int k = 3; k < 7; ++k) q[k] = 0;
  EXPECT_FALSE(s_.controller.compute(q, s_.v, s_.tau).ok());
  expect({}, {});
  EXPECT_TRUE(s_.controller.set_posture(Vector(q.size(), 1e308)).ok());
  EXPECT_FALSE(s_.controller.compute(s_.q, s_.v, s_.tau).ok());
  expect({}, {});
}

TEST_F(ControlErrors, OfTargets) {
  PoseTarget bent = s_.target, unknown = s_.target;
  bent.pose.R(0, 0) = 2;
  unknown.velocity.angular[1] = kNan;
  expect(s_.controller.set_target(-1, s_.target), {Code::kBadArgument, 0});
  expect(s_.controller.set_target(99, s_.target), {Code::kBadArgument, 0});
  expect(s_.controller.set_target(s_.hand, bent), {Code::kBadArgument, 1});
  expect(s_.controller.set_target(s_.hand, unknown), {Code::kNotFinite, 1});
  EXPECT_TRUE(s_.controller.set_target(s_.balance, s_.target).ok());  // of which it takes the point
  expect(s_.controller.set_target(s_.balance, bent), {Code::kBadArgument, 1});
  expect(s_.controller.set_target(s_.waist, s_.target), {Code::kBadArgument, 1});
  expect(s_.controller.set_target(s_.hand, ScalarTarget{}), {Code::kBadArgument, 1});
  expect(s_.controller.set_target(s_.waist, PointTarget{}), {Code::kBadArgument, 1});
  expect(s_.controller.set_target(s_.waist, ScalarTarget{kNan}), {Code::kNotFinite, 0});
  expect(s_.controller.set_target(s_.waist, ScalarTarget{0, kNan}), {Code::kNotFinite, 0});
  expect(s_.controller.set_target(s_.balance, PointTarget{{{0, kNan, 0}}}), {Code::kNotFinite, 1});
  const Constraint turn = make_orientation_task("turn", {1}, s_.target.pose.R);
  OperationalController<double> turning(s_.scene.model, std::vector<TaskLevel>{{"turn", {turn}}});
  expect(turning.set_target(0, PointTarget{}), {Code::kBadArgument, 1});
  EXPECT_TRUE(turning.set_target(0, s_.target).ok());
  expect(s_.controller.set_acceleration(s_.hand, short_), {Code::kBadArgument, 1});
  expect(s_.controller.set_acceleration(99, short_), {Code::kBadArgument, 0});
  expect(s_.controller.set_force(s_.balance, Vector{0, 0, kNan}), {Code::kNotFinite, 2});
  expect(s_.controller.set_posture(short_), {Code::kBadArgument, 0});
  expect(s_.controller.set_posture(Vector(s_.q.size(), kNan)), {Code::kNotFinite, 0});
  expect(s_.controller.set_posture_force(short_), {Code::kBadArgument, 0});
  expect(s_.controller.set_posture_force(Vector(s_.v.size(), kNan)), {Code::kNotFinite, 0});
  expect(s_.controller.set_held_force(short_), {Code::kBadArgument, 0});
}

TEST_F(ControlErrors, OfVerbs) {
  OperationalSpace<double> space(s_.scene.model, s_.levels, s_.scene.constraints);
  Vector six(6), joints(s_.tau.size()), matrix(36);
  const MatrixView<double> square(matrix.data(), 6, 6);
  EXPECT_EQ(space.inertia(0, square), kTooEarly) << "never updated";
  EXPECT_EQ(space.accelerate(six, joints, joints, six), kTooEarly);
  ASSERT_TRUE(space.update(s_.q, s_.v).ok() && space.inertia(0, square).ok());
  EXPECT_EQ(space.update(s_.q, short_), (Status{Code::kBadArgument, 1}));
  EXPECT_EQ(space.inertia(0, square), (Status{Code::kBadArgument, 1})) << "the last update failed";
  ASSERT_TRUE(space.update(s_.q, s_.v).ok());
  for (const int level : {-1, 4}) {
    EXPECT_EQ(space.inertia(level, square), (Status{Code::kBadArgument, 0}));
    EXPECT_EQ(space.bias_force(level, six), (Status{Code::kBadArgument, 0}));
    EXPECT_EQ(space.project_motion(level, joints), (Status{Code::kBadArgument, 0}));
  }
  EXPECT_EQ(space.inertia(1, square), (Status{Code::kBadArgument, 1}));
  EXPECT_EQ(space.null_space(0, square), (Status{Code::kBadArgument, 1}));
  EXPECT_EQ(space.apply_inertia(0, short_, six), (Status{Code::kBadArgument, 1}));
  EXPECT_EQ(space.apply_inertia(0, six, joints), (Status{Code::kBadArgument, 2}));
  EXPECT_EQ(space.bias_force(1, six), (Status{Code::kBadArgument, 1}));
  EXPECT_EQ(space.accelerate(six, joints, joints, six), (Status{Code::kBadArgument, 0}));
  joints[1] = kNan;
  EXPECT_EQ(space.project_force(0, joints), (Status{Code::kNotFinite, 1}));
  EXPECT_EQ(space.apply_inverse_mass(joints, joints), (Status{Code::kNotFinite, 1}));
}

TEST_F(ControlErrors, OfGrasps) {
  Carrying s;
  s.tau.assign(s.tau.size(), 7.0);
  PoseTarget bent, unknown;
  bent.pose.R(0, 0) = 2;
  unknown.acceleration.linear[2] = kNan;
  EXPECT_EQ(s.grasp.set_target(bent), (Status{Code::kBadArgument, 0}));
  EXPECT_EQ(s.grasp.set_target(unknown), (Status{Code::kNotFinite, 2}));
  EXPECT_EQ(s.grasp.compute(short_, s.state.v, s.tau), (Status{Code::kBadArgument, 0}));
  EXPECT_EQ(s.grasp.compute(s.state.q, Vector(s.tau.size(), kNan), s.tau), (Status{Code::kNotFinite, 0}));
  EXPECT_EQ(s.tau, Vector(s.tau.size(), 7.0));
  // The object is not between the hands of some posture.
  GraspController<double> strict(s.model, s.hands, s.grasp.object().object());
  EXPECT_EQ(strict.compute(s.state.q, s.state.v, s.tau), (Status{Code::kInfeasible, 6}));
  EXPECT_EQ(s.tau, Vector(s.tau.size(), 7.0));
  Vector six(6);
  EXPECT_EQ(s.grasp.inertia(MatrixView<double>(six.data(), 3, 2)), (Status{Code::kBadArgument, 0}));
}

TEST_F(ControlErrors, OfConstructorsThrow) {
  const Model& model = s_.scene.model;
  const auto make = [&](const std::vector<TaskLevel>& levels, const ControllerOptions& options = {}) {
    OperationalController<double>(model, levels, s_.scene.constraints, options);
  };
  for (const double threshold : {0.0, 1.0, -1.0, kNan}) {
    std::vector<TaskLevel> levels = s_.levels;
    levels[1].singular.threshold = threshold;
    EXPECT_THROW(make(levels), Error);
  }
  std::vector<TaskLevel> levels = s_.levels;
  levels[2].gains.damping = -1;
  EXPECT_THROW(make(levels), Error);
  EXPECT_THROW(make(s_.levels, {.posture = {kNan, 1}}), Error);
  EXPECT_THROW(make(s_.levels, {.held = {-1, 1}}), Error);
  EXPECT_THROW(make({s_.levels[0], s_.levels[0]}), Error);
  EXPECT_THROW(make_joint_task("no", model, "no such joint", 0), Error);
  EXPECT_THROW((void)s_.controller.find_task("no such task"), Error);
  const Carrying s;
  EXPECT_THROW(GraspController<double>(s.model, std::span(s.hands).first(1), s.grasp.object().object()), Error);
  GraspOptions pushing, namesake, blind, other_hands;
  blind.tolerance = 0;
  other_hands.below.push_back({"hands", {}});
  pushing.object.stiffness = -1;
  namesake.held.emplace_back(make_ball("hand 0", s.hands[0], {0}));
  for (const GraspOptions& wrong : {pushing, namesake, blind, other_hands}) {
    EXPECT_THROW(GraspController<double>(s.model, s.hands, s.grasp.object().object(), wrong), Error);
  }
}

}  // namespace
}  // namespace delassus
