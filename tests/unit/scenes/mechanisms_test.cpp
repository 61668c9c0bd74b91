// The generated mechanisms: sizes, shape of the tree, validity, and that they are general where the papers are silent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "delassus/math/error.hpp"
#include "delassus/model/model.hpp"
#include "scenes/boxes.hpp"
#include "scenes/mechanisms.hpp"

namespace delassus {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A model that nothing is doubtful about.
Model checked(const ModelDescription& description) {
  const Validation v = validate(description);
  EXPECT_TRUE(v.errors.empty() && v.warnings.empty())
      << description.name << ": " << (v.warnings.empty() ? "" : v.warnings[0].element + v.warnings[0].message);
  return Model(description);
}

int leaves(const Model& m) {
  std::set<int> parents;
  for (const Link& l : m.links()) parents.insert(l.parent);
  int count = 0;
  for (int i = 0; i < m.num_links(); ++i) count += !parents.contains(i);
  return count;
}

/// Entries of M that are zero by topology, in percent.
double zeros_of_inertia_matrix(const Model& m) {
  int nonzero = 0;
  for (int i = 0; i < m.num_links(); ++i) {
    nonzero += m.link(i).nv * m.link(i).nv;
    for (int j = m.link(i).parent; j != kWorld; j = m.link(j).parent) nonzero += 2 * m.link(i).nv * m.link(j).nv;
  }
  return 100 - 100.0 * nonzero / (m.nv() * m.nv());
}

TEST(Mechanisms, Chains) {
  const Model fixed = checked(make_chain({9})), floating = checked(make_chain({9, true}));
  EXPECT_EQ(fixed.nv(), 9);
  EXPECT_EQ(fixed.depth(), 9);
  EXPECT_EQ(floating.nv(), 15);
  EXPECT_EQ(leaves(fixed), 1);
  EXPECT_TRUE(fixed.has_frame("link_tip"));
}

TEST(Mechanisms, StemsHaveBranchesAtBothEnds) {
  for (const int stem : {1, 3, 30}) {
    for (const int branches : {1, 2, 10}) {
      const Model m = checked(make_stem({stem, branches}));
      EXPECT_EQ(m.nv(), 6 + stem + 14 * branches);
      EXPECT_EQ(m.depth(), 1 + stem + 7);
      EXPECT_EQ(leaves(m), 2 * branches);
      // The branches of one end hang on one link.
      EXPECT_EQ(m.link(m.find_joint("rear1_1_joint")).parent, 0);
      EXPECT_EQ(m.link(m.find_joint("front" + std::to_string(branches) + "_1_joint")).parent, stem);
    }
  }
}

TEST(Mechanisms, Swimmers) {
  for (const int links : {1, 3, 300}) {
    const Model m = checked(make_swimmer(links));
    EXPECT_EQ(m.nv(), links + 2);
    EXPECT_EQ(m.num_links(), links);
    EXPECT_EQ(m.depth(), links);
  }
}

TEST(Mechanisms, Stars) {
  const Model m = checked(make_star({8, 5}));
  EXPECT_EQ(m.nv(), 46);
  EXPECT_EQ(m.depth(), 6);
  EXPECT_EQ(leaves(m), 8);
}

TEST(Mechanisms, TwoArmedHumanoid) {
  const Model m = checked(make_two_armed({}));
  EXPECT_EQ(m.nv(), 24);
  EXPECT_EQ(m.num_links(), 24);
  EXPECT_EQ(leaves(m), 4);
  EXPECT_EQ(checked(make_two_armed({.trunk_links = 50})).nv(), 72);
}

TEST(Mechanisms, AsimoHasTheSparsityThatThePaperReports) {
  const Model m = checked(make_asimo({}));
  EXPECT_EQ(m.num_links(), 35);
  EXPECT_EQ(m.nv(), 40);
  EXPECT_EQ(leaves(m), 2 + 1 + 4);
  EXPECT_EQ(std::lround(zeros_of_inertia_matrix(m)), 56);
  const Model limbs = checked(make_asimo({.limb_pairs = 2}));
  EXPECT_EQ(limbs.nv(), 70);
  EXPECT_EQ(std::lround(zeros_of_inertia_matrix(limbs)), 73);
}

TEST(Mechanisms, AsimoVariants) {
  EXPECT_EQ(checked(make_asimo({.extra_arm_joints = 3})).nv(), 46);
  EXPECT_EQ(checked(make_asimo({.extra_leg_joints = 2})).nv(), 44);
  EXPECT_EQ(checked(make_asimo({.extra_hand_joints = 1})).nv(), 44);
  const Model fingers = checked(make_asimo({.four_fingers = true}));
  EXPECT_EQ(fingers.nv(), 40 - 4 + 2 * 12);
  EXPECT_EQ(leaves(fingers), 2 + 1 + 8);
  const Model foot = checked(make_asimo({.on_left_foot = true}));
  EXPECT_EQ(foot.nv(), 34);
  EXPECT_EQ(foot.depth(), 6 + 1 + 7 + 1);
  EXPECT_EQ(leaves(foot), 1 + 1 + 4);
}

TEST(Mechanisms, HandsHaveTheirJoints) {
  const Model hand = checked(make_hand()), both = checked(make_handed_humanoid({}));
  EXPECT_EQ(hand.nv(), 24);
  EXPECT_EQ(hand.depth(), 7);
  EXPECT_EQ(leaves(hand), 5);
  EXPECT_EQ(both.nv(), 84);
  EXPECT_EQ(both.depth(), 18);
  EXPECT_EQ(checked(make_handed_humanoid({true, false})).nv(), 60);
  EXPECT_EQ(checked(make_handed_humanoid({false, false})).nv(), 36);
}

TEST(Mechanisms, Boxes) {
  const Model stack = checked(make_box_stack(30)), pyramid = checked(make_box_pyramid());
  EXPECT_EQ(stack.nv(), 180);
  EXPECT_EQ(stack.depth(), 1);
  EXPECT_EQ(pyramid.num_links(), 30);
  EXPECT_EQ(pyramid.description().shapes.size(), 30u);
}

TEST(Mechanisms, AxesAndInertiasAreGeneral) {
  for (const ModelDescription& d : {make_chain({20}), make_asimo({}), make_hand()}) {
    for (const BodyDescription& body : d.bodies) {
      for (const JointDescription& j : body.joints) {
        if (j.kind != JointKind::kRevolute) continue;
        for (const double x : j.axis.a) EXPECT_GT(std::abs(x), 0.1) << j.name;
        EXPECT_NE(body.inertial.inertia(0, 1), 0) << body.name;
      }
    }
  }
}

TEST(Mechanisms, SameArgumentsGiveTheSame) {
  EXPECT_EQ(make_stem({5, 3}), make_stem({5, 3}));
  EXPECT_EQ(make_asimo({}), make_asimo({}));
}

TEST(Mechanisms, RefuseWhatIsNone) {
  EXPECT_THAT([] { make_chain({0}); }, ThrowsMessage<Error>(HasSubstr("'links' is 0, but must be at least 1")));
  EXPECT_THAT([] { make_stem({1, 0}); }, ThrowsMessage<Error>(HasSubstr("'branches'")));
  EXPECT_THAT([] { make_swimmer(-1); }, ThrowsMessage<Error>(HasSubstr("'links'")));
  EXPECT_THAT([] { make_box_pyramid({.spacing = 2}); }, ThrowsMessage<Error>(HasSubstr("'spacing'")));
  EXPECT_THAT([] { make_asimo({.limb_pairs = 27}); }, ThrowsMessage<Error>(HasSubstr("'limb_pairs'")));
}

}  // namespace
}  // namespace delassus
