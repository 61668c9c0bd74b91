// Bad arguments throw an Error that names them; numerical trouble is a Status that names the joint or the constraint.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "delassus/delassus.hpp"
#include "dynamics/articulate.hpp"

namespace delassus {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Model pendulum(double mass = 1) {
  ModelBuilder b("pendulum");
  const int arm =
      b.add_body("arm", kWorld, revolute("shoulder", {{0, 1, 0}}), box_inertial(1, {{0.1, 0.1, 0.1}}, {{0, 0, -1}}));
  b.add_body("tip", arm, revolute("wrist", {{0, 1, 0}}, translation(0, 0, -1)), box_inertial(mass, {{0.1, 0.1, 0.1}}));
  return b.make_model();
}

TEST(Errors, WrongVectorSizesAreNamed) {
  const Model model = pendulum();
  Kinematics<double> kin(model);
  EXPECT_THAT([&] { update_kinematics(model, std::vector<double>(3), kin); },
              ThrowsMessage<Error>(HasSubstr("argument 'q' has 3 entries, but 2 are needed")));
  ForwardDynamics<double> work(model);
  std::vector<double> two(2), one(1);
  EXPECT_THAT([&] { (void)aba(model, two, two, one, two, work); }, ThrowsMessage<Error>(HasSubstr("'tau'")));
  EXPECT_THAT([&] { (void)aba(model, two, one, two, two, work); }, ThrowsMessage<Error>(HasSubstr("'v'")));
  std::vector<double> J(12);
  EXPECT_THAT([&] { frame_jacobian(model, kin, 1, JacobianAxes::kWorldAxes, MatrixView<double>(J.data(), 4, 3)); },
              ThrowsMessage<Error>(HasSubstr("'J' is 4 x 3, but 6 x 2 is needed")));
}

TEST(Errors, UnknownNamesGetASuggestion) {
  const Model model = pendulum();
  EXPECT_THAT([&] { model.find_frame("ar"); }, ThrowsMessage<Error>(HasSubstr("did you mean 'arm'?")));
  EXPECT_THAT([&] { model.find_joint("shoulde"); },
              ThrowsMessage<Error>(HasSubstr("no joint named 'shoulde' (did you mean 'shoulder'?)")));
  EXPECT_THAT([&] { attach(model, "nothing like it at all"); }, ThrowsMessage<Error>(HasSubstr("no frame named")));
}

TEST(Errors, ConstraintsThatDoNotFitAreNamed) {
  const Model model = pendulum();
  ConstraintRows<double> rows;
  const auto lower = [&](const Constraint& c) {
    return [&model, &rows, c] { lower_structure(model, std::vector<Constraint>{c}, rows); };
  };
  PointContact contact{"heel", {99}};
  EXPECT_THAT(lower(contact),
              ThrowsMessage<Error>(HasSubstr("contact constraint 'heel' is attached to a frame that does not exist")));
  contact.a.frame = 1;
  contact.axes(0, 2) = 2;
  EXPECT_THAT(lower(contact), ThrowsMessage<Error>(HasSubstr("orthogonal unit vectors and right-handed")));
  contact.axes = {{0, 1, 0, 1, 0, 0, 0, 0, 1}};
  EXPECT_THAT(lower(contact), ThrowsMessage<Error>(HasSubstr("right-handed")));
  EXPECT_THAT(lower(LoopClosure{"flat", {1, {}}, {2}}), ThrowsMessage<Error>(HasSubstr("matrix is not a rotation")));
  EXPECT_THAT(lower(JointLimit{"stop", 0, 1}), ThrowsMessage<Error>(HasSubstr("joint 'shoulder' does not have")));
  EXPECT_THAT(lower(LoopClosure{"open", {1}, {2}, 7, 7}), ThrowsMessage<Error>(HasSubstr("frees every axis")));
  EXPECT_THAT(lower(Distance{"rope", {1}, {2}, -1}), ThrowsMessage<Error>(HasSubstr("length above zero")));
  EXPECT_THAT(lower(CustomRows{"own", 2, {{1, {1, 2, 3}}}, {}, {}}),
              ThrowsMessage<Error>(HasSubstr("six entries of K for each row")));
}

TEST(Errors, ConstraintsOfAnotherStructureAreRefused) {
  const Model model = pendulum();
  Kinematics<double> kin(model);
  update_kinematics(model, model.neutral(), kin);
  ConstraintRows<double> rows;
  const std::vector<Constraint> two{JointFriction{"a", 0}, JointFriction{"b", 1}}, one{JointFriction{"a", 0}};
  lower_structure(model, two, rows);
  EXPECT_THAT([&] { (void)lower_values(model, kin, one, rows); },
              ThrowsMessage<Error>(HasSubstr("'constraints' has 1")));
}

/// Values read constraints anew, so what was valid for the structure may not be any more.
TEST(Errors, ConstraintsThatBecameInvalidAreRefused) {
  const Model model = pendulum();
  Kinematics<double> kin(model);
  Velocities<double> vel(model);
  update_kinematics(model, model.neutral(), kin);
  update_velocities(model, kin, std::vector<double>(2), vel);
  const auto refuse = [&](const Constraint& before, const Constraint& after) {
    ConstraintRows<double> rows;
    lower_structure(model, std::vector<Constraint>{before}, rows);
    EXPECT_THROW((void)lower_values(model, kin, std::vector<Constraint>{after}, rows), Error);
  };
  const CustomRows own{"own", 1, {{1, {1, 2, 3, 4, 5, 6}}}, {{0, {1}}}, {}};
  CustomRows short_K = own, no_weight = own, far = own;
  short_K.bodies[0].K.resize(3);
  no_weight.dofs[0].weights.clear();
  far.bodies[0].frame = 99;
  for (const CustomRows& x : {short_K, no_weight, far}) refuse(own, x);
  refuse(PointContact{"c", {1}}, PointContact{"c", {-1}});
  refuse(JointFriction{"f", 0}, JointFriction{"f", 99});
  // More positions than rows must not be written.
  CustomRows long_position = own;
  long_position.position.assign(100, 1.0);
  ConstraintRows<double> rows;
  lower_structure(model, std::vector<Constraint>{own}, rows);
  std::vector<double> position(1);
  EXPECT_THROW(constraint_positions(model, kin, std::vector<Constraint>{long_position}, rows, position), Error);
}

TEST(Errors, MasslessLeafIsASingularJoint) {
  ModelBuilder b("light");
  const int arm = b.add_body("arm", kWorld, revolute("shoulder", {{0, 1, 0}}), box_inertial(1, {{0.1, 0.1, 0.1}}));
  b.add_body("ghost", arm, revolute("wrist", {{0, 1, 0}}), Inertial{});
  const Model model = b.make_model();
  Kinematics<double> kin(model);
  Articulation<double> art(model);
  update_kinematics(model, model.neutral(), kin);
  const Status status = articulate(model, kin, art);
  EXPECT_EQ(status.code, Status::Code::kSingularJoint);
  EXPECT_EQ(model.joint_name(status.index), "wrist");

  // Armature makes it regular.
  ModelDescription d = b.description();
  d.bodies[1].joints[0].dofs[0].armature = 1e-3;
  const Model armed(std::move(d));
  EXPECT_TRUE(articulate(armed, kin, art).ok());
}

TEST(Errors, CoincidentPointsHaveNoDistanceDirection) {
  const Model model = pendulum();
  Kinematics<double> kin(model);
  update_kinematics(model, model.neutral(), kin);
  const std::vector<Constraint> rope{Distance{"rope", {1, translation(0, 0, -1)}, {2}, 1}};
  ConstraintRows<double> rows;
  lower_structure(model, rope, rows);
  const Status status = lower_values(model, kin, rope, rows);
  EXPECT_EQ(status, (Status{Status::Code::kDegenerate, 0}));
}

TEST(Errors, ParallelArmsHaveNoUniversalDirection) {
  const Model model = pendulum();
  Kinematics<double> kin(model);
  update_kinematics(model, model.neutral(), kin);
  // Axis y of frame 1 and axis z of frame 2, which is turned so that its z is their common y.
  const Mat3<double> turned{{1, 0, 0, 0, 0, 1, 0, -1, 0}};
  const std::vector<Constraint> cardan{LoopClosure{"cardan", {1}, {2, {turned, {{0, 0, 0}}}}, 0, 0b110}};
  ConstraintRows<double> rows;
  lower_structure(model, cardan, rows);
  EXPECT_EQ(lower_values(model, kin, cardan, rows), (Status{Status::Code::kDegenerate, 0}));
}

TEST(Errors, SolveNeedsDamping) {
  const Model model = pendulum();
  Kinematics<double> kin(model);
  update_kinematics(model, model.neutral(), kin);
  const std::vector<Constraint> friction{JointFriction{"a", 0}};
  ConstraintRows<double> rows;
  lower_structure(model, friction, rows);
  ASSERT_TRUE(lower_values(model, kin, friction, rows).ok());
  DenseDelassus<double> op(model, rows);
  ASSERT_TRUE(op.factor({model, kin, rows}).ok());
  std::vector<double> one(1);
  EXPECT_EQ(op.solve(one, one), kTooEarly);
  const std::vector<double> bad{-1e9};
  EXPECT_EQ(op.update_damping(bad).code, Status::Code::kNotPositive);
  EXPECT_EQ(op.solve(one, one), kTooEarly);
  ASSERT_TRUE(op.update_damping(std::vector<double>{0.5}).ok());  // and it stays usable
  EXPECT_TRUE(op.solve(std::vector<double>{1.0}, one).ok());
  EXPECT_GT(one[0], 0);
}

TEST(Errors, WrongSizesOfDampingAndPanelsAreNamed) {
  const Model model = pendulum();
  Kinematics<double> kin(model);
  update_kinematics(model, model.neutral(), kin);
  const std::vector<Constraint> two{JointFriction{"a", 0}, JointFriction{"b", 1}};
  ConstraintRows<double> rows;
  lower_structure(model, two, rows);
  ASSERT_TRUE(lower_values(model, kin, two, rows).ok());
  DenseDelassus<double> op(model, rows);
  const std::vector<double> three(3, 1.0);
  EXPECT_EQ(op.update_damping(Damping<double>::blocks(three)),
            (Status{Status::Code::kBadArgument, 0}));  // no rows before factor
  ASSERT_TRUE(op.factor({model, kin, rows}).ok());
  EXPECT_EQ(op.update_damping(three), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_EQ(op.update_damping(Damping<double>::blocks(three)), (Status{Status::Code::kBadArgument, 0}));
  ASSERT_TRUE(op.update_damping(1.0).ok());  // and it stays usable
  EXPECT_EQ(op.update_damping(three).code, Status::Code::kBadArgument);

  std::vector<double> a(12), b(12);
  const auto panel = [](std::vector<double>& x, int r, int c) { return MatrixView<double>(x.data(), r, c); };
  const auto read = [](const std::vector<double>& x, int r, int c) { return MatrixView<const double>(x.data(), r, c); };
  EXPECT_EQ(op.solve_panel(read(a, 3, 4), panel(b, 2, 4)), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_EQ(op.solve_panel(read(a, 2, 4), panel(b, 3, 4)), (Status{Status::Code::kBadArgument, 1}));
  EXPECT_EQ(op.solve_panel(read(a, 2, 4), panel(b, 2, 3)), (Status{Status::Code::kBadArgument, 1}));
  EXPECT_EQ(op.apply_panel(read(a, 1, 4), panel(b, 2, 4)), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_EQ(op.apply_panel(read(a, 2, 4), panel(b, 1, 4)), (Status{Status::Code::kBadArgument, 1}));
  EXPECT_EQ(op.apply_panel(read(a, 2, 4), panel(b, 2, 5)), (Status{Status::Code::kBadArgument, 1}));
  EXPECT_EQ(op.apply_panel(read(a, 2, 4), panel(a, 2, 4)), (Status{Status::Code::kBadArgument, 1}));
  // The damping is still that of the last update that was taken.
  EXPECT_TRUE(op.solve_panel(read(a, 2, 6), panel(b, 2, 6)).ok());
}

TEST(Errors, ZeroQuaternionsAreNamed) {
  ModelBuilder b("ball");
  b.add_body("ball", kWorld, joint(JointKind::kSpherical, "socket"), sphere_inertial(1, 0.1));
  const Model model = b.make_model();
  std::vector<double> q(4, 0.0);
  EXPECT_THAT([&] { normalise(model, q); }, ThrowsMessage<Error>(HasSubstr("joint 'socket'")));
  q = {0, 0, 0, 2};
  normalise(model, q);
  EXPECT_EQ(q[3], 1);
}

TEST(Errors, EveryStatusHasWords) {
  const Model model = pendulum();
  const std::vector<Constraint> constraints{JointFriction{"first", 0}, Distance{"rope", {1}, {2}, 1}};
  EXPECT_EQ(describe(Status{}, model), "ok");
  EXPECT_THAT(describe(Status{Status::Code::kSingularJoint, 1}, model), HasSubstr("joint 'wrist' is singular"));
  EXPECT_THAT(describe(Status{Status::Code::kNotPositive, 7}, model), HasSubstr("not positive definite at row 7"));
  EXPECT_THAT(describe(Status{Status::Code::kNotPositive, 7}, model),
              HasSubstr("row 7 has a damping that is not positive, which 'condensed', 'limbs' and 'lcaba' divide by"));
  EXPECT_THAT(describe(Status{Status::Code::kNotFinite, 7}, model), HasSubstr("dampings"));
  EXPECT_THAT(describe(Status{Status::Code::kDegenerate, 1}, model, constraints),
              HasSubstr("distance constraint 'rope' has no direction"));
  EXPECT_THAT(describe(Status{Status::Code::kDegenerate, 1}, model), HasSubstr("constraint 1 has no direction"));
  EXPECT_THAT(describe(Status{Status::Code::kNotFinite, 3}, model), HasSubstr("entry 3 is not a finite number"));
  EXPECT_THAT(describe(Status{Status::Code::kInaccurate, 4}, model),
              HasSubstr("row 4: the damped solve left a residual"));
  EXPECT_THAT(describe(Status{Status::Code::kInfeasible, 4}, model), HasSubstr("row 4 cannot have its target"));
  EXPECT_THAT(describe(Status{Status::Code::kNotConverged, 4}, model), HasSubstr("row 4 is not at its target"));
  EXPECT_THAT(describe(Status{Status::Code::kUnbalanced, 1}, model),
              HasSubstr("degree of freedom 1 (joint 'wrist') has no motor"));
  EXPECT_THAT(describe(Status{Status::Code::kSingularTask, 4}, model), HasSubstr("row 4 cannot be moved freely here"));
  EXPECT_THAT(describe(Status{Status::Code::kBadArgument, 2}, model), HasSubstr("argument 2 (counted from 0)"));
}

}  // namespace
}  // namespace delassus
