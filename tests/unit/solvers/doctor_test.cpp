// The constraint doctor on patients whose illness is known.
#include "delassus/solvers/doctor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "delassus/constraints/describe.hpp"
#include "delassus/io/mjcf.hpp"
#include "delassus/model/builder.hpp"
#include "scenes/boxes.hpp"
#include "support/embedded_robots.hpp"
#include "support/quadruped.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Kind = ConstraintFinding::Kind;

std::vector<Kind> kinds_of(const ConstraintReport& report) {
  std::vector<Kind> out;
  for (const ConstraintFinding& f : report.findings) out.push_back(f.kind);
  return out;
}

const ConstraintFinding& finding(const ConstraintReport& report, Kind kind) {
  for (const ConstraintFinding& f : report.findings) {
    if (f.kind == kind) return f;
  }
  throw std::runtime_error("no such finding in\n" + to_text(report));
}

/// A point mass in space, by three sliders.
Model point_mass() {
  ModelBuilder b("point");
  int body = kWorld;
  for (int k = 0; k < 3; ++k) {
    Vec3<double> axis{{0, 0, 0}};
    axis[k] = 1;
    JointDescription slider = joint(JointKind::kPrismatic, std::string("slide") + "xyz"[k]);
    slider.axis = axis;
    body = b.add_body(std::string("part") + "xyz"[k], body, slider, box_inertial(k == 2 ? 1 : 1e-3, {{0.1, 0.1, 0.1}}));
  }
  return b.make_model();
}

Distance distance_to(const Model& model, const std::string& name, const Vec3<double>& point, double length) {
  Distance out;
  out.name = name;
  out.first = attach(model, "partz");
  out.second = {0, translation(point[0], point[1], point[2])};
  out.length = length;
  return out;
}

Scene parse(const std::string& inside) { return parse_mjcf("<mujoco>" + inside + "</mujoco>", "m.xml", ""); }

/// A bar on three rods of the same length: one row too many, but only where all rods are parallel.
Scene double_parallelogram() {
  const auto rod = [](const std::string& name, double x, const std::string& inside) {
    return "<body name='" + name + "' pos='" + std::to_string(x) +
           " 0 0'><joint axis='0 1 0'/><geom type='capsule' size='0.02' fromto='0 0 0 0 0 0.5'/>" + inside + "</body>";
  };
  return parse("<worldbody>" +
               rod("r1", 0,
                   "<body name='bar' pos='0 0 0.5'><joint axis='0 1 0'/><geom type='capsule' size='0.02' "
                   "fromto='0 0 0 1 0 0'/></body>") +
               rod("r2", 0.5, "") + rod("r3", 1, "") +
               "</worldbody><equality><connect name='c2' body1='bar' body2='r2' anchor='0.5 0 0'/>"
               "<connect name='c3' body1='bar' body2='r3' anchor='1 0 0'/></equality>");
}

TEST(Doctor, AHealthyRobotIsHealthy) {
  const Model model = testing::quadruped(2);
  std::vector<double> q = make_general_configuration(model);
  const ConstraintReport r = diagnose(model, testing::feet(model), q);
  EXPECT_TRUE(r.status.ok());
  EXPECT_EQ(r.health, Health::kHealthy);
  EXPECT_EQ(r.rank, 12);
  EXPECT_EQ(r.mobility(), 20 - 12);
  EXPECT_TRUE(r.findings.empty()) << to_text(r);
  EXPECT_TRUE(r.dependencies.empty());
  EXPECT_EQ(r.independent.size(), 12U);
  EXPECT_THAT(to_text(r), AllOf(StartsWith("healthy: 12 independent rows\n"), HasSubstr("8 of 20 degrees of freedom")));
  // The eigenvalues of a matrix with a unit diagonal: their sum is its size, to rounding of twelve numbers.
  double sum = 0;
  for (const double x : r.eigenvalues) sum += x;
  EXPECT_NEAR(sum, 12, 1e-12);
}

TEST(Doctor, EachRowOfAWeldStatedTwiceIsPairedWithItsTwin) {
  const samples::System s = samples::duplicated_constraint();
  const ConstraintReport r = diagnose(s.model, s.constraints, s.state.q);
  EXPECT_EQ(r.health, Health::kRedundant);
  EXPECT_EQ(r.rank, s.rank);
  EXPECT_EQ(r.mobility(), 0);
  EXPECT_THAT(r.independent, ElementsAre(0, 1, 2, 3, 4, 5));
  ASSERT_EQ(r.dependencies.size(), 6U);
  for (int k = 0; k < 6; ++k) {
    EXPECT_THAT(r.dependencies[k].rows, ElementsAre(6 + k, k));
    // Solving with six rows of condition 1e4 or so.
    EXPECT_THAT(r.dependencies[k].weights, ElementsAre(1, DoubleNear(-1, 1e-10)));
    EXPECT_TRUE(r.dependencies[k].exact);
  }
  EXPECT_THAT(to_text(r), HasSubstr("loop 'weld again' angular z = loop 'weld' angular z\n"));
}

TEST(Doctor, NamesakesAreToldApart) {
  const Model model = testing::quadruped(0);
  const Constraint foot = testing::feet(model)[0];
  const ConstraintReport r = diagnose(model, std::vector<Constraint>{foot, foot}, make_general_configuration(model));
  EXPECT_THAT(to_text(r), HasSubstr("contact 'foot0' (number 2) normal = contact 'foot0' (number 1) normal\n"));
}

TEST(Doctor, FourPointsOnAFootAreSixRows) {
  const samples::System s = samples::foot_with_four_points();
  const ConstraintReport r = diagnose(s.model, s.constraints, s.state.q);
  EXPECT_EQ(r.rank, 6);
  EXPECT_EQ(r.mobility(), 3);
  EXPECT_EQ(r.health, Health::kRedundant);
  EXPECT_EQ(r.dependencies.size(), 6U);
  EXPECT_EQ(r.num_rows(), 12);
  EXPECT_EQ(finding(r, Kind::kDependent).rows.size(), 6U);
  // Corners 0 and 1 differ in y, 2 and 3 in x too: the fourth is what closes the parallelogram.
  bool closes = false;
  for (const RowDependency& d : r.dependencies) closes |= d.rows[0] == 9 && d.rows.size() >= 4;
  EXPECT_TRUE(closes) << to_text(r);
}

TEST(Doctor, AStretchedChainHasRowsThatNothingMoves) {
  const samples::System s = samples::straight_chain_with_end_contact(3);
  const ConstraintReport r = diagnose(s.model, s.constraints, s.state.q);
  EXPECT_EQ(r.rank, 1);
  EXPECT_EQ(r.health, Health::kRedundant);
  EXPECT_THAT(kinds_of(r), ElementsAre(Kind::kStuck));
  EXPECT_THAT(r.findings[0].rows, ElementsAre(1, 2));
  EXPECT_THAT(r.findings[0].details[0],
              AllOf(StartsWith("contact 'tip' tangent 1: not moved here by"), HasSubstr("'joint0'")));
  EXPECT_THAT(r.dependencies[0].rows, ElementsAre(1));
  EXPECT_GT(r.rows[0].strength, 0.1);
  EXPECT_LT(r.rows[1].strength, 1e-15);
}

/// Bent by ten millionths of a radian the row along the chain moves, but hardly.
TEST(Doctor, ANearlyStretchedChainIsNotHealthy) {
  samples::System s = samples::straight_chain_with_end_contact(2);
  s.state.q[1] = 1e-5;
  const ConstraintReport r = diagnose(s.model, s.constraints, s.state.q);
  EXPECT_EQ(r.rank, 2);
  EXPECT_EQ(r.health, Health::kUnhealthy);
  EXPECT_THAT(finding(r, Kind::kNearlyStuck).rows, ElementsAre(1));
  EXPECT_THAT(to_text(r),
              AllOf(StartsWith("not healthy: joints hardly move some rows\n"), HasSubstr("bend the joints")));

  // In other axes no row is weak, but two of them are nearly parallel.
  auto& tip = std::get<PointContact>(s.constraints[0]);
  tip.axes = contact_axes({{1, 0, 1}});
  const ConstraintReport turned = diagnose(s.model, s.constraints, s.state.q);
  EXPECT_EQ(turned.rank, 2);
  EXPECT_EQ(turned.health, Health::kUnhealthy);
  EXPECT_GT(turned.condition, 1e8);
  const auto& near = finding(turned, Kind::kNearlyDependent);
  EXPECT_THAT(near.rows.size(), 2U);
  EXPECT_THAT(near.details[0], AllOf(HasSubstr("≈"), HasSubstr("'joint1'")));
}

/// Two cranks that are pinned together on the line between them: along it nothing moves the pin here.
TEST(Doctor, ADeadCentreIsASingularPosture) {
  const Scene s = parse(
      "<worldbody><body name='a'><joint axis='0 1 0'/><geom size='0.1'/></body>"
      "<body name='b' pos='1 0 0'><joint axis='0 1 0'/><geom size='0.1'/></body></worldbody>"
      "<equality><connect name='c' body1='a' body2='b' anchor='0.5 0 0'/></equality>");
  const ConstraintReport r = diagnose(s.model, s.constraints, s.q);
  const ConstraintFinding& f = finding(r, Kind::kStuck);
  EXPECT_THAT(f.details, ElementsAre("loop 'c' linear x: not moved here, but in other postures",
                                     "loop 'c' linear y: no joint moves it in any posture"));
  EXPECT_THAT(f.text, HasSubstr("singular posture"));
  EXPECT_THAT(f.advice, AllOf(HasSubstr("move a joint"), Not(HasSubstr("forces are unique"))));
}

/// Pinned a tenth of a metre short it has to bend, which no small motion does; beside its plane it never can be.
TEST(Doctor, AStretchedArmPinnedShortMayOnlyBeSingular) {
  const Scene s = parse(
      "<worldbody><body name='l1'><joint axis='0 1 0'/><geom type='capsule' size='0.02' fromto='0 0 0 1 0 0'/>"
      "<body name='l2' pos='1 0 0'><joint axis='0 1 0'/><geom type='capsule' size='0.02' fromto='0 0 0 1 0 0'/>"
      "</body></body></worldbody>");
  const Attachment tip = attach(s.model, "l2", {{1, 0, 0}});
  const auto pinned = [&](double x, double y) {
    const std::vector<Constraint> pin{make_ball("pin", tip, {0, translation(x, y, 0)})};
    return finding(diagnose(s.model, pin, s.q), Kind::kContradiction);
  };
  EXPECT_THAT(pinned(1.9, 0).text, AllOf(HasSubstr("may be a singular posture"), HasSubstr("'pin' linear x by")));
  EXPECT_THAT(pinned(1.9, 0).advice,
              AllOf(StartsWith("move a joint a little and assemble again"), HasSubstr("Assembler")));
  EXPECT_THAT(pinned(2, 0.1).text, StartsWith("constraints contradict each other"));
  EXPECT_THAT(pinned(1.9, 0.1).text, StartsWith("constraints contradict each other"));
}

TEST(Doctor, MechanismsThatAreNotAssembledHideTheirMobility) {
  const Scene s = double_parallelogram();
  const ConstraintReport in_place = diagnose(s.model, s.constraints, s.q);
  EXPECT_EQ(in_place.mobility(), 1);
  EXPECT_TRUE(in_place.rank_is_certain);
  EXPECT_THAT(to_text(in_place), Not(HasSubstr("counts as")));
  // Both findings are needed to make forces unique, and the first one says so.
  EXPECT_THAT(finding(in_place, Kind::kStuck).advice, HasSubstr("these rows and those of the next finding forces"));
  EXPECT_THAT(finding(in_place, Kind::kDependent).details, ElementsAre("loop 'c3' linear z = 2 loop 'c2' linear z"));

  // From what only rounding could hide to what still counts as in place.
  for (const double off : {1e-6, 1e-5, 1e-4, 8e-4}) {
    std::vector<double> q = s.q;
    q[0] += off;
    q[3] += 0.7 * off;
    const ConstraintReport r = diagnose(s.model, s.constraints, q);
    EXPECT_FALSE(r.rank_is_certain) << off << "\n" << to_text(r);
    EXPECT_THAT(to_text(r), AllOf(HasSubstr("uncertain"), HasSubstr("; up to 0.001 counts as in place\n")));
    for (const ConstraintFinding& f : r.findings) EXPECT_THAT(f.advice, Not(HasSubstr("move away")));
  }
}

TEST(Doctor, CassieHasTwoRowsAcrossThePlanesOfItsRods) {
  const Scene cassie = testing::embedded_robot("cassie");
  const ConstraintReport r = diagnose(cassie.model, cassie.constraints, cassie.q);
  EXPECT_EQ(r.num_rows(), 12);
  EXPECT_EQ(r.rank, 10);
  EXPECT_EQ(r.mobility(), 22);
  EXPECT_EQ(r.health, Health::kRedundant);
  EXPECT_THAT(to_text(r), HasSubstr("loop 'left-plantar' linear y"));
  for (const ConstraintDiagnosis& c : r.constraints) EXPECT_LT(c.linear, 1e-9) << c.name;  // the file closes its loops
}

/// A hinge has five rows; the plane of the linkage takes three of them anyway (Grübler counts -2).
TEST(Doctor, AFourBarInSpaceHasThreeRowsTooManyAndStillMoves) {
  const Scene scene = testing::embedded_robot("four_bar");
  auto hinge = std::get<LoopClosure>(scene.constraints[0]);
  hinge.axes = LoopAxes::kFrame1;
  hinge.free_angular = 1U << 1U;
  const ConstraintReport r = diagnose(scene.model, std::vector<Constraint>{hinge}, scene.q);
  EXPECT_EQ(r.num_rows(), 5);
  EXPECT_EQ(r.rank, 2);
  EXPECT_EQ(r.mobility(), 1);
  EXPECT_EQ(r.dependencies.size(), 3U);
  EXPECT_EQ(r.health, Health::kRedundant) << to_text(r);
}

TEST(Doctor, StackedBoxesCannotMove) {
  const ConstrainedModel boxes = make_box_stack_scene(3);
  const ConstraintReport r = diagnose(boxes.model, boxes.constraints, boxes.q);
  EXPECT_EQ(r.num_rows(), 36);
  EXPECT_EQ(r.rank, 18);
  EXPECT_EQ(r.mobility(), 0);
  // Eighteen redundant rows, of which ten are shown.
  EXPECT_THAT(to_text(r), HasSubstr("     and 8 more\n"));
}

TEST(Doctor, TwoLengthsOfOneDistanceContradictEachOther) {
  const Model model = point_mass();
  const std::vector<Constraint> rods{distance_to(model, "short", {{1, 0, 0}}, 1),
                                     distance_to(model, "long", {{1, 0, 0}}, 1.1)};
  const ConstraintReport r = diagnose(model, rods, model.neutral());
  EXPECT_EQ(r.health, Health::kUnhealthy);
  EXPECT_EQ(r.rank, 1);
  const auto& f = finding(r, Kind::kContradiction);
  EXPECT_THAT(f.text, AllOf(HasSubstr("distance 'short'"), HasSubstr("distance 'long'"), HasSubstr("0.05 m")));
  EXPECT_THAT(f.details[0], HasSubstr("distance 'long' = distance 'short', but not their positions: off by 0.1 m"));
  // Half of the difference each; the solver's damping of contradictions is good to some ε^(1/3).
  EXPECT_NEAR(std::abs(r.rows[0].position_remainder), 0.05, 1e-4);
  EXPECT_NEAR(r.rows[0].position_remainder, -r.rows[1].position_remainder, 1e-4);
  EXPECT_THAT(to_text(r),
              StartsWith("not healthy: constraints contradict each other here, constraints are not in place\n"));
}

/// Along z a point may move on a plane and on a sphere that touches it, but the sphere wants it to turn: v²/r = 4 m/s².
TEST(Doctor, CurvesThatTouchContradictEachOtherInAccelerations) {
  const Model model = point_mass();
  LoopClosure plane;
  plane.name = "plane";
  plane.second = attach(model, "partz");
  plane.free_linear = 0b110;
  plane.free_angular = 0b111;
  const std::vector<Constraint> both{plane, distance_to(model, "sphere", {{1, 0, 0}}, 1)};
  const ConstraintReport r = diagnose(model, both, model.neutral(), std::vector<double>{0, 0, 2});
  EXPECT_EQ(r.rank, 1);
  EXPECT_THAT(kinds_of(r), ElementsAre(Kind::kContradiction, Kind::kDependent));
  EXPECT_THAT(r.findings[0].text, AllOf(HasSubstr("'plane' linear x"), HasSubstr("'sphere'"), HasSubstr("m/s²")));
  for (int k : {0, 1}) EXPECT_NEAR(std::abs(r.rows[k].acceleration_remainder), 2, 1e-3);
  EXPECT_EQ(diagnose(model, both, model.neutral()).health, Health::kRedundant);  // at rest nothing turns
}

TEST(Doctor, PositionsAndVelocitiesAreMeasuredInTheirUnits) {
  const Model model = point_mass();
  const std::vector<Constraint> rod{distance_to(model, "rod", {{1, 0, 0}}, 0.9)};
  const ConstraintReport r = diagnose(model, rod, model.neutral(), std::vector<double>{-0.5, 0, 0});
  EXPECT_THAT(kinds_of(r), ElementsAre(Kind::kPosition, Kind::kVelocity));
  EXPECT_NEAR(r.constraints[0].linear, 0.1, 1e-15);
  EXPECT_TRUE(r.constraints[0].violated);
  EXPECT_THAT(r.findings[0].details, ElementsAre("distance 'rod': off by 0.1 m"));
  EXPECT_THAT(r.findings[0].text, HasSubstr("more than 0.001"));
  EXPECT_THAT(r.findings[0].advice, AllOf(HasSubstr("delassus.assemble"), HasSubstr("Assembler")));
  EXPECT_THAT(r.findings[1].advice, HasSubstr("project_velocity"));
  EXPECT_THAT(r.findings[1].details, ElementsAre("distance 'rod': 0.5 m/s"));
  EXPECT_LT(std::abs(r.rows[0].position_remainder), 1e-9);  // it can be put right
}

/// The line of positions and the finding speak of the same length, that over the rows of a constraint.
TEST(Doctor, PositionsHaveOneMeasure) {
  const Model model = point_mass();
  const std::vector<Constraint> ball{make_ball("ball", attach(model, "partz"), {0, translation(-0.3, 0, -0.4)})};
  const ConstraintReport r = diagnose(model, ball, model.neutral());
  EXPECT_THAT(to_text(r), AllOf(HasSubstr("positions   at most 0.5 m\n"), HasSubstr("loop 'ball': off by 0.5 m\n")));
  DoctorOptions lenient;
  lenient.position_tolerance = 0.45;  // longer than each row, shorter than all together
  EXPECT_THAT(kinds_of(diagnose(model, ball, model.neutral(), lenient)), ElementsAre(Kind::kPosition));
  lenient.position_tolerance = 0.55;
  const ConstraintReport let_pass = diagnose(model, ball, model.neutral(), lenient);
  EXPECT_EQ(let_pass.health, Health::kHealthy);
  EXPECT_THAT(to_text(let_pass), HasSubstr("at most 0.5 m; up to 0.55 counts as in place\n"));
}

TEST(Doctor, AGapIsNoFaultOfWhatOnlyPushes) {
  const Model model = testing::quadruped(0);
  std::vector<Constraint> feet = testing::feet(model);
  auto& foot = std::get<PointContact>(feet[0]);
  foot.gap = 0.02;
  const std::vector<double> q = make_general_configuration(model);
  EXPECT_THAT(kinds_of(diagnose(model, feet, q)), ElementsAre(Kind::kPosition));
  foot.set = {SetKind::kFrictionCone, 0, 0.8};
  EXPECT_EQ(diagnose(model, feet, q).health, Health::kHealthy);
  foot.gap = -0.02;
  const ConstraintReport deep = diagnose(model, feet, q);
  EXPECT_THAT(kinds_of(deep), ElementsAre(Kind::kPosition));
  EXPECT_EQ(deep.constraints[0].linear, -0.02);
}

TEST(Doctor, WithoutConstraintsEverythingMoves) {
  const Model model = testing::quadruped(0);
  const ConstraintReport r = diagnose(model, {}, model.neutral());
  EXPECT_EQ(r.health, Health::kHealthy);
  EXPECT_EQ(r.mobility(), 18);
  EXPECT_EQ(r.condition, 1);
  EXPECT_THAT(to_text(r), StartsWith("healthy: there are no constraints\n"));
}

TEST(Doctor, WhatCannotMoveHasRowsThatNothingMoves) {
  ModelBuilder b("rock");
  b.add_fixed_body("stone", kWorld, Pose<double>::identity(), box_inertial(1, {{0.1, 0.1, 0.1}}));
  const Model rock = b.make_model();
  PointContact contact;
  contact.a = attach(rock, "stone");
  const ConstraintReport r = diagnose(rock, std::vector<Constraint>{contact}, rock.neutral());
  EXPECT_EQ(r.rank, 0);
  EXPECT_EQ(r.mobility(), 0);
  EXPECT_THAT(kinds_of(r), ElementsAre(Kind::kStuck));
  EXPECT_THAT(r.findings[0].details[0], HasSubstr("no joint moves it in any posture"));
}

TEST(Doctor, WhatIsNoNumberIsNoDiagnosis) {
  const Model model = testing::quadruped(0);
  const std::vector<Constraint> feet = testing::feet(model);
  std::vector<double> q = model.neutral(), v(18, 0);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    q[9] = bad;
    const ConstraintReport r = diagnose(model, feet, q);
    EXPECT_EQ(r.status, (Status{Status::Code::kNotFinite, 9}));
    EXPECT_EQ(r.health, Health::kUnknown);
    EXPECT_TRUE(r.rows.empty());
    EXPECT_THAT(to_text(r), StartsWith("no diagnosis: entry 9 is not a finite number"));
  }
  q = model.neutral();
  v[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(diagnose(model, feet, q, v).status, (Status{Status::Code::kNotFinite, 3}));
  // Numbers too large to calculate with are no reason to crash either.
  q[9] = 1e300;
  q[0] = 1e200;
  EXPECT_NE(to_text(diagnose(model, feet, q)), "");
}

TEST(Doctor, ADistanceOfNothingHasNoDirection) {
  const Model model = point_mass();
  const ConstraintReport r =
      diagnose(model, std::vector<Constraint>{distance_to(model, "rod", {{0, 0, 0}}, 1)}, model.neutral());
  EXPECT_EQ(r.status.code, Status::Code::kDegenerate);
  EXPECT_THAT(to_text(r), AllOf(StartsWith("no diagnosis: "), HasSubstr("'rod'")));
}

TEST(Doctor, AReportThatSomebodyMadeHasAText) {
  ConstraintReport r;
  r.health = Health::kUnknown;
  EXPECT_THAT(to_text(r), StartsWith("no diagnosis\n"));
}

TEST(Doctor, SizesAreChecked) {
  const Model model = point_mass();
  EXPECT_THROW((void)diagnose(model, {}, std::vector<double>(2)), Error);
  EXPECT_THROW((void)diagnose(model, {}, std::vector<double>(3), std::vector<double>(4)), Error);
}

TEST(RowName, SaysConstraintAndAxis) {
  const Model model = point_mass();
  PointContact contact;
  contact.a = attach(model, "partz");
  LoopClosure hinge;
  hinge.name = "hinge";
  hinge.free_angular = 0b010;
  JointCoupling gear;
  gear.name = "gear\n";
  gear.terms = {{0, 0, 1}};
  const std::vector<Constraint> list{contact, hinge, gear};
  EXPECT_EQ(row_name(model, list, 0), "contact 1 normal");
  EXPECT_EQ(row_name(model, list, 2), "contact 1 tangent 2");
  EXPECT_EQ(row_name(model, list, 3), "loop 'hinge' linear x");
  EXPECT_EQ(row_name(model, list, 7), "loop 'hinge' angular z");
  EXPECT_EQ(row_name(model, list, 8), "coupling 'gear?'");
  EXPECT_EQ(row_name(model, list, 9), "row 9");
}

}  // namespace
}  // namespace delassus
