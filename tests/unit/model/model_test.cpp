#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "delassus/math/error.hpp"
#include "delassus/model/builder.hpp"

namespace delassus {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Inertial kBox = box_inertial(2, {{0.1, 0.2, 0.3}});

TEST(Model, CountsCoordinates) {
  ModelBuilder b("zoo");
  int parent = kWorld, nq = 0, nv = 0;
  for (int k = 0; k < kNumJointKinds; ++k) {
    const auto kind = static_cast<JointKind>(k);
    parent = b.add_body("body" + std::to_string(k), parent, joint(kind, std::string(name_of(kind))), kBox);
    nq += sizes_of(kind).nq;
    nv += sizes_of(kind).nv;
  }
  const Model m = b.make_model();
  EXPECT_EQ(m.nq(), nq);
  EXPECT_EQ(m.nv(), nv);
  EXPECT_EQ(m.depth(), kNumJointKinds);
  EXPECT_EQ(m.neutral()[m.link(m.find_joint("free")).q + 6], 1);
  EXPECT_EQ(m.neutral()[m.link(m.find_joint("spherical")).q + 3], 1);
}

TEST(Model, MergesFixedBodiesAndKeepsTheirFrames) {
  ModelBuilder b("arm");
  const int base = b.add_fixed_body("base", kWorld, translation(0, 0, 1), kBox);
  const int arm = b.add_body("arm", base, revolute("joint", {{0, 1, 0}}), kBox);
  const int tool = b.add_fixed_body("tool", arm, translation(1, 0, 0), sphere_inertial(3, 0.1));
  b.add_frame("tip", tool, translation(0.5, 0, 0));
  const Model m = b.make_model();
  ASSERT_EQ(m.num_links(), 1);
  EXPECT_DOUBLE_EQ(m.link(0).inertia.mass, 5);
  EXPECT_DOUBLE_EQ(m.mass(), 7);
  EXPECT_DOUBLE_EQ(m.fixed_moment()[2], 2);
  EXPECT_EQ(m.frame(m.find_frame("tip")).link, 0);
  EXPECT_EQ(m.frame(m.find_frame("base")).link, kWorld);
  EXPECT_DOUBLE_EQ(norm(m.frame(m.find_frame("tip")).placement.p), 1.5);
  EXPECT_EQ(m.find_frame("world"), 0);
}

TEST(Model, SeveralJointsPerBodyAreMasslessLinksButTheLast) {
  ModelBuilder b("hip");
  b.add_body("leg", kWorld,
             {revolute("yaw", {{0, 0, 1}}), revolute("roll", {{1, 0, 0}}), revolute("pitch", {{0, 1, 0}})}, kBox);
  const Model m = b.make_model();
  ASSERT_EQ(m.num_links(), 3);
  EXPECT_EQ(m.link(0).inertia.mass, 0);
  EXPECT_EQ(m.link(1).inertia.mass, 0);
  EXPECT_EQ(m.link(2).inertia.mass, 2);
  EXPECT_EQ(m.joint_name(1), "roll");
  EXPECT_EQ(m.frame(m.find_frame("leg")).link, 2);
}

TEST(Model, NamesEveryFault) {
  ModelBuilder b("bad");
  const int a = b.add_body("a", kWorld, revolute("j", {{0, 0, 0}}), kBox);
  b.add_body("a", a, revolute("j", {{0, 0, 1}}), Inertial{-1});
  b.add_fixed_body("far", a, {Mat3<double>::filled(NAN), {{0, 0, 0}}});
  b.add_fixed_body("orphan", 99, translation(0, 0, 0));
  b.add_fixed_body("world", a, translation(0, 0, 0));
  try {
    b.make_model();
    FAIL() << "a faulty description was accepted";
  } catch (const Error& e) {
    for (const char* part :
         {"joint 'j' has a zero axis", "body 'a' has the name of another one", "joint 'j' has the name of another one",
          "body 'a' has a negative mass", "body 'far' has a placement that is not finite",
          "body 'orphan' has a parent that does not stand before it", "body 'world' has the name of another one"}) {
      EXPECT_THAT(e.what(), HasSubstr(part));
    }
  }
}

TEST(Validation, DoubtfulDataWarns) {
  ModelDescription d;
  BodyDescription body;
  body.name = "thin";
  body.inertial = {1, {{0, 0, 0}}, Sym3<double>::zero()};
  body.inertial.inertia(2, 2) = 1;  // 0 + 0 < 1: no distribution of mass has these moments
  d.bodies.push_back(body);
  const Validation v = validate(d);
  EXPECT_TRUE(v.errors.empty());
  ASSERT_EQ(v.warnings.size(), 1u);
  EXPECT_EQ(v.warnings[0].element, "body 'thin'");
  EXPECT_THAT(v.warnings[0].message, HasSubstr("triangle inequality"));

  d.bodies[0].inertial = kBox;
  EXPECT_TRUE(validate(d).warnings.empty());
  d.bodies[0].inertial.inertia(1, 0) = 10;  // far outside of positive semidefinite
  EXPECT_THAT(validate(d).warnings.at(0).message, HasSubstr("not positive semidefinite"));
}

TEST(Solids, InertiasAreThoseOfTheBook) {
  const Inertial box = box_inertial(12, {{1, 2, 3}});
  EXPECT_DOUBLE_EQ(box.inertia(0, 0), 12.0 / 3 * (4 + 9));
  EXPECT_DOUBLE_EQ(box.inertia(2, 2), 12.0 / 3 * (1 + 4));
  EXPECT_DOUBLE_EQ(sphere_inertial(5, 2).inertia(1, 1), 0.4 * 5 * 4);
  const Inertial cylinder = cylinder_inertial(6, 2, 3);
  EXPECT_DOUBLE_EQ(cylinder.inertia(2, 2), 12);
  EXPECT_DOUBLE_EQ(cylinder.inertia(0, 0), 6 * (1.0 + 3.0));
}

}  // namespace
}  // namespace delassus
