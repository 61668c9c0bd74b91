#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "delassus/kinematics/frames.hpp"
#include "delassus/math/error.hpp"
#include "delassus/model/builder.hpp"

namespace delassus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Inertial kBall = sphere_inertial(2, 0.1);

/// A body that turns about z, 1 m up, with a frame beside it.
ModelDescription arm() {
  ModelBuilder b("arm");
  const int body = b.add_body("arm", kWorld, revolute("turn", {{0, 0, 1}}, translation(0, 0, 1)), kBall);
  b.add_frame("flange", body, {rotation_from_rpy({{0, 1.5707963267948966, 0}}), {{0.5, 0, 0}}});
  ModelDescription d = b.description();
  d.keyframes.push_back({"up", {0.25}, {0}});
  return d;
}

/// A fixed palm, a finger on it, and a shape and a frame that stand on the world.
ModelDescription hand() {
  ModelBuilder b("hand");
  const int palm = b.add_fixed_body("palm", kWorld, translation(0, 0, 0.1), kBall);
  b.add_body("finger", palm, joint(JointKind::kSpherical, "knuckle", translation(0, 0, 0.2)), kBall);
  b.add_frame("mark", kWorld, translation(0, 0, 0.3));
  ShapeDescription pad;
  pad.name = "pad";
  pad.size = {{0.05, 0, 0}};
  b.add_shape(pad);
  ModelDescription d = b.description();
  d.keyframes.push_back({"fist", {1, 0, 0, 0}, {0, 0, 0}});
  d.excludes.push_back({kWorld, 0});
  return d;
}

Vec3<double> place_of(const Model& model, const std::vector<double>& q, std::string_view frame) {
  Kinematics<double> kin(model);
  update_kinematics<double>(model, q, kin);
  return frame_pose(model, kin, model.find_frame(frame)).p;
}

TEST(Compose, PartsMoveWithTheFrameTheyAreOn) {
  ModelDescription d = arm();
  append_model(d, hand(), "flange", translation(0, 0, 0.05), "left_");
  const Model m(d);
  EXPECT_EQ(m.nv(), 4);
  const std::vector<double> q = {1.5707963267948966, 0, 0, 0, 1};
  // The flange's z points along x of the arm, which the joint turns to y.
  const Vec3<double> finger = place_of(m, q, "left_finger"), mark = place_of(m, q, "left_mark");
  EXPECT_NEAR(finger[1], 0.5 + 0.05 + 0.1 + 0.2, 1e-15);
  EXPECT_NEAR(finger[2], 1, 1e-15);
  EXPECT_NEAR(mark[1], 0.5 + 0.05 + 0.3, 1e-15);
  EXPECT_EQ(m.description().shapes.at(0).body, 0);
  EXPECT_EQ(m.description().shapes.at(0).name, "left_pad");
  EXPECT_EQ(m.description().excludes.at(0), (ContactExclusion{0, 1}));
}

TEST(Compose, KeyframesAreCompleted) {
  ModelDescription d = arm();
  append_model(d, hand(), "arm", Pose<double>::identity(), "h_");
  ASSERT_EQ(d.keyframes.size(), 2u);
  EXPECT_THAT(d.keyframes[0].q, ElementsAre(0.25, 0, 0, 0, 1));
  EXPECT_EQ(d.keyframes[1].name, "h_fist");
  EXPECT_THAT(d.keyframes[1].q, ElementsAre(0, 1, 0, 0, 0));
  EXPECT_TRUE(validate(d).errors.empty());
}

TEST(Compose, OnTheWorldTheyStandBesideEachOther) {
  ModelDescription d = arm();
  append_model(d, arm(), "world", translation(3, 0, 0), "b_");
  const Model m(d);
  EXPECT_EQ(m.depth(), 1);
  EXPECT_EQ(place_of(m, m.neutral(), "b_arm")[0], 3);
}

TEST(Compose, UnknownFramesAndTakenNamesAreErrors) {
  ModelDescription d = arm();
  EXPECT_THAT([&] { append_model(d, hand(), "flang", Pose<double>::identity(), ""); },
              ThrowsMessage<Error>(HasSubstr("model 'arm' has no frame 'flang' (did you mean 'flange'?)")));
  append_model(d, arm(), "world", Pose<double>::identity(), "");
  EXPECT_THAT([&] { Model{d}; }, ThrowsMessage<Error>(HasSubstr("has the name of another one")));
}

/// Each part hangs on the one before it. Looking for the closest name before a frame is missed would compare 50 million names, and
/// the neutral state of all parts before, which keyframes alone ask for, has as many coordinates.
TEST(Compose, ManyPartsInATimeThatGrowsWithThem) {
  constexpr int kParts = 10000;
  ModelBuilder part("part");
  part.add_body("ball", kWorld, joint(JointKind::kSpherical, "socket"), kBall);
  ModelDescription chain = part.description();
  std::string last = "ball";
  for (int k = 1; k < kParts; ++k) {
    const std::string prefix = std::to_string(k) + "_";
    append_model(chain, part.description(), last, translation(0, 0, 0.1), prefix);
    last = prefix + "ball";
  }
  EXPECT_EQ(Model(chain).depth(), kParts);
}

}  // namespace
}  // namespace delassus
