// Joints that move nothing with inertia are told from light ones, however the frames are turned.
#include <gtest/gtest.h>

#include "delassus/delassus.hpp"
#include "dynamics/articulate.hpp"
#include "support/random_system.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::for_each_seed;
using testing::kLongSeeds;
using testing::kSeeds;

template <class T>
Status articulation_status(const Model& model, const std::vector<double>& q) {
  Kinematics<T> kin(model);
  Articulation<T> art(model);
  update_kinematics<T>(model, std::vector<T>(q.begin(), q.end()), kin);
  return articulate(model, kin, art);
}

template <class T>
Status dense_status(const Model& model, const std::vector<double>& q) {
  Kinematics<T> kin(model);
  update_kinematics<T>(model, std::vector<T>(q.begin(), q.end()), kin);
  DenseDelassus<T> op(model);
  return op.factor({model, kin, ConstraintRows<T>{}});
}

void expect_singular(const Model& model, const std::vector<double>& q) {
  EXPECT_EQ(articulation_status<double>(model, q).code, Status::Code::kSingularJoint);
  EXPECT_EQ(articulation_status<float>(model, q).code, Status::Code::kSingularJoint);
  EXPECT_EQ(dense_status<double>(model, q).code, Status::Code::kSingularJoint);
}

void expect_regular(const Model& model, const std::vector<double>& q) {
  EXPECT_TRUE(articulation_status<double>(model, q).ok());
  EXPECT_TRUE(articulation_status<float>(model, q).ok());
  EXPECT_TRUE(dense_status<double>(model, q).ok());
}

/// A heavy base behind frames that are turned at random, so that zeros are not exact.
int turned_base(ModelBuilder& builder, samples::Random& random) {
  return builder.add_body("base", kWorld, joint(JointKind::kSpherical, "base", random.pose(1)),
                          box_inertial(5, {{0.2, 0.1, 0.3}}, random.vector(0.2)));
}

std::vector<double> turned(const Model& model, samples::Random& random) {
  std::vector<double> q = model.neutral();
  const Quaternion<double> x = random.quaternion();
  for (int k = 0; k < 4; ++k) q[k] = x[k];
  return q;
}

void point_mass_on_the_axis(int seed) {
  samples::Random random(seed);
  ModelBuilder b("bead");
  const int base = turned_base(b, random);
  const Vec3<double> axis = random.direction();
  Inertial bead;
  bead.mass = 1;
  bead.com = 0.7 * axis;
  b.add_body("bead", base, revolute("spin", axis, random.pose(1)), bead);
  const Model model = b.make_model();
  const std::vector<double> q = turned(model, random);
  expect_singular(model, q);
  // Two centimetres beside the axis, it turns.
  ModelDescription d = model.description();
  const Mat3<double> E = contact_axes(axis);
  d.bodies[1].inertial.com = 0.7 * axis + 0.02 * Vec3<double>{{E(1, 0), E(1, 1), E(1, 2)}};
  expect_regular(Model(d), q);
}
TEST(SingularJoints, PointMassOnTheAxis) { for_each_seed(0, kSeeds, point_mass_on_the_axis); }

/// Three axes of a hip: in line with each other at the middle angle of a quarter turn.
void gimbal_lock(int seed) {
  samples::Random random(seed);
  ModelBuilder b("hip");
  const int base = turned_base(b, random);
  b.add_body(
      "leg", base,
      {revolute("yaw", {{0, 0, 1}}, random.pose(1)), revolute("pitch", {{0, 1, 0}}), revolute("roll", {{1, 0, 0}})},
      box_inertial(1, {{0.1, 0.1, 0.3}}, {{0, 0, -0.3}}));
  const Model model = b.make_model();
  std::vector<double> q = turned(model, random);
  q[5] = M_PI / 2;
  // In float the quarter turn itself is off by 4e-8, and the hip is as singular as float can say.
  EXPECT_EQ(articulation_status<double>(model, q).code, Status::Code::kSingularJoint);
  EXPECT_EQ(dense_status<double>(model, q).code, Status::Code::kSingularJoint);
  q[5] = M_PI / 2 - 0.05;
  expect_regular(model, q);
}
TEST(SingularJoints, GimbalLock) { for_each_seed(0, kSeeds, gimbal_lock); }

void coaxial_sliders(int seed) {
  samples::Random random(seed);
  ModelBuilder b("sliders");
  const int base = turned_base(b, random);
  const Vec3<double> axis = random.direction();
  b.add_body("slide", base, {prismatic("one", axis, random.pose(1)), prismatic("two", axis)},
             box_inertial(1, {{0.1, 0.1, 0.1}}));
  const Model model = b.make_model();
  expect_singular(model, turned(model, random));
}
TEST(SingularJoints, CoaxialSliders) { for_each_seed(0, kSeeds, coaxial_sliders); }

void concentric_balls(int seed) {
  samples::Random random(seed);
  ModelBuilder b("balls");
  const int base = turned_base(b, random);
  b.add_body("ball", base, {joint(JointKind::kSpherical, "one", random.pose(1)), joint(JointKind::kSpherical, "two")},
             box_inertial(1, {{0.1, 0.2, 0.1}}, {{0.1, 0, 0.2}}));
  const Model model = b.make_model();
  std::vector<double> q = turned(model, random);
  expect_singular(model, q);
}
TEST(SingularJoints, ConcentricBalls) { for_each_seed(0, kSeeds, concentric_balls); }

/// Small things are light, not singular, in float as well.
TEST(SingularJoints, SmallFreeBodiesAreRegular) {
  for (const double radius : {0.1, 0.004, 0.001}) {
    ModelBuilder b("ball");
    b.add_body("ball", kWorld, joint(JointKind::kFree, "free"),
               sphere_inertial(33e3 * radius * radius * radius, radius));
    const Model model = b.make_model();
    expect_regular(model, model.neutral());
  }
}

TEST(SingularJoints, TheJointIsNamed) {
  ModelBuilder b("arm");
  const int arm = b.add_body("arm", kWorld, revolute("shoulder", {{0, 1, 0}}), box_inertial(1, {{0.1, 0.1, 0.1}}));
  b.add_body("ghost", arm, revolute("wrist", {{0, 1, 0}}), Inertial{});
  const Model model = b.make_model();
  const std::string text = describe(articulation_status<double>(model, model.neutral()), model);
  EXPECT_NE(text.find("joint 'wrist' is singular"), std::string::npos) << text;
  EXPECT_EQ(describe(dense_status<double>(model, model.neutral()), model), text);
}

TEST(NotFinite, InputsAreToldFromSingularities) {
  ModelBuilder b("arm");
  const int arm = b.add_body("arm", kWorld, revolute("shoulder", {{0, 1, 0}}), box_inertial(1, {{0.1, 0.1, 0.1}}));
  b.add_body("hand", arm, revolute("wrist", {{0, 1, 0}}, translation(0.3, 0, 0)), box_inertial(1, {{0.1, 0.1, 0.1}}));
  const Model model = b.make_model();
  ForwardDynamics<double> work(model);
  const double nan = std::nan("");
  std::vector<double> good(2, 0.1), qdd(2);
  EXPECT_EQ(aba(model, std::vector<double>{0.1, nan}, good, good, qdd, work), (Status{Status::Code::kNotFinite, 1}));
  EXPECT_EQ(aba(model, good, std::vector<double>{nan, 0}, good, qdd, work).code, Status::Code::kNotFinite);
  EXPECT_EQ(aba(model, good, good, std::vector<double>{0, INFINITY}, qdd, work).code, Status::Code::kNotFinite);
  EXPECT_TRUE(aba(model, good, good, good, qdd, work).ok());
}

/// However many links and whatever their condition number: none of these trees has a joint without inertia.
void random_trees_are_regular(int seed) {
  const Model model = samples::random_model(seed);
  expect_regular(model, samples::random_state(model, seed).q);
}
TEST(SingularJoints, RandomTreesAreRegular) { for_each_seed(0, kSeeds, random_trees_are_regular); }
TEST(LongSingularJoints, RandomTreesAreRegular) { for_each_seed(kSeeds, kLongSeeds, random_trees_are_regular); }

void random_trees_are_regular_in_float(int seed) {
  const Model model = samples::random_model(seed);
  EXPECT_TRUE(dense_status<float>(model, samples::random_state(model, seed).q).ok());
}
TEST(SingularJoints, DenseFloatTakesRandomTrees) { for_each_seed(0, kSeeds, random_trees_are_regular_in_float); }
TEST(LongSingularJoints, DenseFloatTakesRandomTrees) {
  for_each_seed(kSeeds, kLongSeeds, random_trees_are_regular_in_float);
}

}  // namespace
}  // namespace delassus
