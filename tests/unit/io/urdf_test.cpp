// What reading a URDF gives: joints, limits, shapes, constraints.
#include "delassus/io/urdf.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/io/urdf_text.hpp"

namespace delassus {
namespace {

using io_test::contains;
using io_test::error_of;
using io_test::floating;
using io_test::joint;
using io_test::joint_of;
using io_test::load_good;
using io_test::robot;
using io_test::solid;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const BodyDescription& body(const Scene& scene, const std::string& name) {
  for (const BodyDescription& b : scene.model.description().bodies) {
    if (b.name == name) return b;
  }
  throw Error("no body " + name);
}

void expect_near(const Mat3<double>& a, const Mat3<double>& b) {
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(a[i], b[i], 1e-15) << "entry " << i;
}

TEST(Urdf, JointKindsAndOrder) {
  const Scene scene = load_good("every_joint.urdf");
  const std::vector<std::pair<std::string, JointKind>> expected{
      {"turn", JointKind::kRevolute},      {"spin", JointKind::kRevolute},   {"slide", JointKind::kPrismatic},
      {"fly", JointKind::kFree},           {"skate", JointKind::kPlanar},    {"ball", JointKind::kSpherical},
      {"ball_too", JointKind::kSpherical}, {"cross", JointKind::kUniversal}, {"pipe", JointKind::kCylindrical},
      {"bolt", JointKind::kHelical},       {"bolt_too", JointKind::kHelical}};
  ASSERT_EQ(scene.model.num_links(), static_cast<int>(expected.size()));
  for (int i = 0; i < scene.model.num_links(); ++i) {
    EXPECT_EQ(scene.model.joint_name(i), expected[static_cast<std::size_t>(i)].first);
    EXPECT_EQ(scene.model.joint(i).kind, expected[static_cast<std::size_t>(i)].second);
  }
  EXPECT_EQ(scene.model.description().bodies.size(), 13U);
  EXPECT_EQ(scene.model.description().bodies[0].name, "base");
  EXPECT_TRUE(scene.model.description().bodies[0].joints.empty());
  EXPECT_EQ(scene.model.name(), "every_joint");
  EXPECT_EQ(scene.q, scene.model.neutral());
  EXPECT_EQ(scene.v.size(), 24U);
  EXPECT_TRUE(scene.constraints.empty());
  EXPECT_TRUE(scene.report.warnings.empty());
  EXPECT_TRUE(scene.report.ignored.empty());
}

TEST(Urdf, JointDetails) {
  const Scene scene = load_good("every_joint.urdf");
  const JointDescription& turn = joint_of(scene, "turn");
  EXPECT_EQ(turn.axis, (Vec3<double>{{0, 0, -1}}));  // normalised
  EXPECT_EQ(turn.placement.p, (Vec3<double>{{1, 2, 0.5}}));
  EXPECT_EQ(turn.dofs[0].lower, -1.5);
  EXPECT_EQ(turn.dofs[0].upper, 0.5);
  EXPECT_EQ(turn.dofs[0].effort_limit, 10);
  EXPECT_EQ(turn.dofs[0].velocity_limit, 3);
  EXPECT_EQ(turn.dofs[0].damping, 0.25);
  EXPECT_EQ(turn.dofs[0].friction_loss, 0.125);

  const JointDescription& spin = joint_of(scene, "spin");
  EXPECT_EQ(spin.axis, (Vec3<double>{{1, 0, 0}}));  // the standard's default
  EXPECT_EQ(spin.dofs[0].lower, -kInfinity);
  EXPECT_EQ(spin.dofs[0].upper, kInfinity);
  EXPECT_EQ(spin.dofs[0].effort_limit, 4);
  EXPECT_EQ(spin.placement, Pose<double>::identity());

  const JointDescription& slide = joint_of(scene, "slide");
  EXPECT_EQ(slide.dofs[0].lower, 0);  // the standard's default
  EXPECT_EQ(slide.dofs[0].upper, 0.25);

  EXPECT_EQ(joint_of(scene, "cross").axis, (Vec3<double>{{0, 0, 1}}));
  EXPECT_EQ(joint_of(scene, "cross").axis2, (Vec3<double>{{0, 1, 0}}));
  EXPECT_EQ(joint_of(scene, "bolt").pitch, 0.01);
  EXPECT_EQ(joint_of(scene, "bolt").dofs[0].upper, kInfinity);
  EXPECT_EQ(joint_of(scene, "bolt_too").pitch, -0.02);
  EXPECT_EQ(joint_of(scene, "bolt_too").dofs[0].upper, 9);
}

TEST(Urdf, FixedBodyInertialAndShapes) {
  const Scene scene = load_good("every_joint.urdf");
  const BodyDescription& glued = body(scene, "glued");
  EXPECT_TRUE(glued.joints.empty());
  EXPECT_EQ(glued.placement.p, (Vec3<double>{{0, 0, 0.125}}));
  expect_near(glued.placement.R, {{0, -1, 0, 1, 0, 0, 0, 0, 1}});  // quat_xyzw of a quarter turn, not normalised
  EXPECT_EQ(glued.inertial.mass, 2);
  EXPECT_EQ(glued.inertial.com, (Vec3<double>{{0.5, 0, 0}}));
  expect_near(full(glued.inertial.inertia), {{2, -0.25, 0, -0.25, 1, 0, 0, 0, 2.5}});
  EXPECT_EQ(body(scene, "slid").inertial, Inertial{});

  const std::vector<ShapeDescription>& shapes = scene.model.description().shapes;
  ASSERT_EQ(shapes.size(), 4U);
  for (const ShapeDescription& shape : shapes) {
    EXPECT_EQ(scene.model.description().bodies[static_cast<std::size_t>(shape.body)].name, "glued");
  }
  EXPECT_EQ(shapes[0].kind, ShapeKind::kSphere);
  EXPECT_EQ(shapes[0].name, "ball");
  EXPECT_EQ(shapes[0].size, (Vec3<double>{{0.5, 0, 0}}));
  EXPECT_EQ(shapes[1].kind, ShapeKind::kBox);
  EXPECT_EQ(shapes[1].size, (Vec3<double>{{0.5, 1, 2}}));  // halves
  EXPECT_EQ(shapes[1].placement.p, (Vec3<double>{{1, 2, 3}}));
  EXPECT_EQ(shapes[2].kind, ShapeKind::kCylinder);
  EXPECT_EQ(shapes[2].size, (Vec3<double>{{0.25, 1.5, 0}}));
  EXPECT_EQ(shapes[3].kind, ShapeKind::kCapsule);
  EXPECT_EQ(shapes[3].size, (Vec3<double>{{0.25, 2.5, 0}}));
}

TEST(Urdf, InertiaIsTurnedIntoTheLinksAxes) {
  const double angle = 0.5, s = std::sin(angle), c = std::cos(angle);
  const Scene scene = parse_urdf(robot("<link name='a'><inertial><origin rpy='0 0 0.5'/><mass "
                                       "value='1'/><inertia ixx='1' iyy='2' izz='2.5'/>"
                                       "</inertial></link>"),
                                 "r.urdf");
  // R diag(1, 2, 2.5) Rᵀ
  expect_near(full(body(scene, "a").inertial.inertia),
              {{c * c + 2 * s * s, -s * c, 0, -s * c, s * s + 2 * c * c, 0, 0, 0, 2.5}});
}

TEST(Urdf, MimicAndCoupling) {
  const Scene scene = load_good("gears.urdf");
  ASSERT_EQ(scene.constraints.size(), 9U);
  const Model& model = scene.model;

  const auto& mimic = std::get<JointCoupling>(scene.constraints[0]);
  EXPECT_EQ(mimic.name, "grip");
  EXPECT_EQ(mimic.offset, 0.5);
  EXPECT_EQ(mimic.terms,
            (std::vector<JointCoupling::Term>{{model.find_joint("grip"), 0, 1}, {model.find_joint("elbow"), 0, 2}}));

  const auto& belt = std::get<JointCoupling>(scene.constraints[8]);
  EXPECT_EQ(belt.name, "belt");
  EXPECT_EQ(belt.offset, 0);
  EXPECT_EQ(belt.terms, (std::vector<JointCoupling::Term>{{model.find_joint("shoulder"), 0, 6},
                                                          {model.find_joint("elbow"), 0, 6},
                                                          {model.find_joint("motor"), 0, -1}}));
}

TEST(Urdf, Loops) {
  const Scene scene = load_good("gears.urdf");
  const auto loop = [&](std::size_t i) { return std::get<LoopClosure>(scene.constraints.at(i)); };
  const LoopClosure hinge = loop(1);
  EXPECT_EQ(hinge.name, "hinge");
  EXPECT_EQ(hinge.first.frame, scene.model.find_frame("hand"));
  EXPECT_EQ(hinge.second.frame, scene.model.find_frame("rotor"));
  EXPECT_EQ(hinge.first.offset.p, (Vec3<double>{{1, 0, 0}}));
  EXPECT_EQ(hinge.second.offset.p, (Vec3<double>{{0, 1, 0}}));
  EXPECT_EQ(hinge.axes, LoopAxes::kFrame1);
  // The axis, y, is z of the attachments; that of the second is turned by a quarter about z, so y goes to -x.
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(column(hinge.first.offset.R, 2)[i], i == 1 ? 1 : 0, 1e-15);
    EXPECT_NEAR(column(hinge.second.offset.R, 2)[i], i == 0 ? -1 : 0, 1e-15);
  }
  EXPECT_EQ(loop(2).first.frame, 0);  // a root named world is the world

  const std::vector<std::pair<unsigned, unsigned>> free{{0, 4}, {4, 0}, {4, 4}, {0, 7}, {0, 3}, {3, 4}, {0, 0}};
  for (std::size_t i = 0; i < free.size(); ++i) {
    EXPECT_EQ(loop(i + 1).free_linear, free[i].first) << loop(i + 1).name;
    EXPECT_EQ(loop(i + 1).free_angular, free[i].second) << loop(i + 1).name;
  }
  expect_near(loop(4).first.offset.R, Mat3<double>::identity());  // spherical: nothing to turn
  expect_near(loop(5).first.offset.R, Mat3<double>::identity());  // universal: axes x and y
  EXPECT_NEAR(column(loop(2).second.offset.R, 2)[1], 1, 1e-15);   // the axis of the others is z
  EXPECT_NEAR(column(loop(3).first.offset.R, 2)[0], 1, 1e-15);    // by default x
  EXPECT_NEAR(column(loop(6).first.offset.R, 2)[0], -1, 1e-15);
}

TEST(Urdf, FixedAndFloatingBase) {
  const std::string text = robot(solid("a") + solid("b") + joint("j", "continuous", "a", "b"));
  const Scene fixed = parse_urdf(text, "r.urdf");
  EXPECT_EQ(fixed.model.nv(), 1);
  EXPECT_EQ(fixed.model.mass(), 2);

  UrdfOptions options = floating();
  EXPECT_EQ(parse_urdf(text, "r.urdf", options).model.joint_name(0), "__root__");
  options.floating_joint_name = "base";
  const Scene floats = parse_urdf(text, "r.urdf", options);
  EXPECT_EQ(floats.model.nv(), 7);
  EXPECT_EQ(floats.model.joint_name(0), "base");
  EXPECT_EQ(floats.model.joint(0).kind, JointKind::kFree);
  EXPECT_EQ(floats.q, (std::vector<double>{0, 0, 0, 0, 0, 0, 1, 0}));

  options.floating_joint_name = "j";
  EXPECT_TRUE(contains(error_of([&] { parse_urdf(text, "r.urdf", options); }),
                       "r.urdf:4: joint 'j': its name is that of the floating base"));
}

TEST(Urdf, RootNamedWorld) {
  const std::string text =
      robot("<link name='world'><collision><geometry><sphere radius='1'/></geometry></collision></link>\n" +
            solid("b") + joint("j", "continuous", "world", "b"));
  const Scene scene = parse_urdf(text, "r.urdf");
  EXPECT_EQ(scene.model.description().bodies.size(), 1U);
  EXPECT_EQ(scene.model.description().shapes.at(0).body, kWorld);
  EXPECT_TRUE(scene.report.warnings.empty());
  EXPECT_TRUE(
      contains(error_of([&] { parse_urdf(text, "r.urdf", floating()); }),
               "r.urdf:2: link 'world': the root is named 'world' and cannot float; load it with a fixed base"));

  const Scene heavy = parse_urdf(robot(solid("world")), "r.urdf");
  ASSERT_EQ(heavy.report.warnings.size(), 1U);
  EXPECT_TRUE(contains(heavy.report.warnings[0].message, "its mass has no effect"));
}

TEST(Urdf, OwnFloatingJoint) {
  const std::string text = robot("<link name='a'/>\n" + solid("b") + joint("j", "floating", "a", "b"));
  const Scene scene = parse_urdf(text, "r.urdf");
  EXPECT_EQ(scene.model.nv(), 6);
  EXPECT_TRUE(scene.report.warnings.empty());
  const Scene twice = parse_urdf(text, "r.urdf", floating());
  EXPECT_EQ(twice.model.nv(), 12);
  ASSERT_EQ(twice.report.warnings.size(), 1U);
  EXPECT_EQ(twice.report.warnings[0].element, "joint 'j'");
  EXPECT_EQ(twice.report.warnings[0].line, 4);
}

TEST(Urdf, ChildrenInTheOrderOfTheirJoints) {
  const Scene scene = parse_urdf(robot(solid("r") + solid("a") + solid("b") + solid("a1") + solid("b1") +
                                       joint("to_b1", "continuous", "b", "b1") + joint("to_b", "continuous", "r", "b") +
                                       joint("to_a", "continuous", "r", "a") + joint("to_a1", "continuous", "a", "a1")),
                                 "r.urdf");
  const std::vector<std::string> expected{"to_b", "to_b1", "to_a", "to_a1"};
  ASSERT_EQ(scene.model.num_links(), 4);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(scene.model.joint_name(i), expected[static_cast<std::size_t>(i)]);
}

TEST(Urdf, MimicOfFixedJoints) {
  const Scene scene = parse_urdf(
      robot(solid("a") + solid("b") + solid("c") + joint("glue", "fixed", "a", "b", "<mimic joint='turn'/>") +
            joint("turn", "continuous", "b", "c", "<mimic joint='glue' multiplier='3' offset='0.5'/>")),
      "r.urdf");
  ASSERT_EQ(scene.constraints.size(), 1U);
  const auto& held = std::get<JointCoupling>(scene.constraints[0]);
  EXPECT_EQ(held.terms, (std::vector<JointCoupling::Term>{{0, 0, 1}}));
  EXPECT_EQ(held.offset, 0.5);
  EXPECT_EQ(scene.report.warnings.size(), 2U);
}

}  // namespace
}  // namespace delassus
