// Which limbs of a robot lie side by side.
#include "model/limb_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "delassus/model/builder.hpp"
#include "delassus/scenes/load_named.hpp"
#include "scenes/boxes.hpp"

namespace delassus {
namespace {

Model robot(const char* name) { return load_named(name).model; }

/// A spine; on each of its links a tooth with two prongs.
ModelDescription comb_of_forks(int count) {
  ModelBuilder comb("comb");
  const auto add = [&comb](const std::string& name, int parent) {
    return comb.add_body(name, parent, revolute(name + "_joint", {{0, 1, 0}}, translation(0.1, 0, 0)),
                         sphere_inertial(1, 0.1));
  };
  int spine = kWorld;
  for (int k = 0; k < count; ++k) {
    const std::string number = std::to_string(k);
    spine = add("spine" + number, spine);
    const int tooth = add("tooth" + number, spine);
    add("left" + number, tooth);
    add("right" + number, tooth);
  }
  return comb.description();
}

TEST(LimbModel, FourLegsAreOne) {
  const Model model = robot("go2");
  const auto fold = make_limb_model(model);
  ASSERT_NE(fold, nullptr);
  const LimbModel& limbs = *fold;
  EXPECT_EQ(limbs.trunk, 1);
  ASSERT_EQ(limbs.shape.num_links(), 4);  // the base, and three joints of all legs
  EXPECT_TRUE(limbs.shape.fold().is_trunk(0));
  for (int i = 1; i < 4; ++i) {
    EXPECT_EQ(limbs.shape.link(i).parent, i - 1);
    EXPECT_FALSE(limbs.shape.fold().is_trunk(i));
    EXPECT_TRUE(limbs.shape.fold().ways_of(i).empty());
  }
}

/// Legs hang on the pelvis and arms on the chest: their first link has two parents, the deeper one first.
TEST(LimbModel, LegsAndArmsOfAHumanoidLieTogether) {
  const Model model = robot("g1");
  const auto fold = make_limb_model(model);
  ASSERT_NE(fold, nullptr);
  const LimbModel& limbs = *fold;
  EXPECT_EQ(limbs.trunk, 4);               // pelvis and three joints of the waist
  EXPECT_EQ(limbs.shape.num_links(), 11);  // and seven of the arms, beside which legs have six
  const Link& top = limbs.shape.link(limbs.trunk);
  const std::span<const Way> way = limbs.shape.fold().ways_of(limbs.trunk);
  ASSERT_EQ(way.size(), 2U);
  EXPECT_EQ(way[0].parent, top.parent);
  EXPECT_GT(way[0].parent, way[1].parent);
  EXPECT_EQ(way[0].lanes | way[1].lanes, kAllLanes);
  EXPECT_EQ(way[0].lanes & way[1].lanes, 0);
}

TEST(LimbModel, BoxesGoFourByFour) {
  const Model model(make_box_stack(30));
  const auto limbs = make_limb_model(model);
  ASSERT_NE(limbs, nullptr);
  EXPECT_EQ(limbs->trunk, 0);
  EXPECT_EQ(limbs->shape.num_links(), 8);
}

/// Trying each box beside all that came before, 5 000 million trials, would take minutes.
TEST(LimbModel, AHundredThousandBoxesGoFourByFour) {
  const Model model(make_box_stack(100000));
  const auto limbs = make_limb_model(model);
  ASSERT_NE(limbs, nullptr);
  EXPECT_EQ(limbs->shape.num_links(), 25000);
}

/// Prongs hang on different teeth and share no trunk, so each pair begins a tree that never fills. Trying each pair beside all
/// others, with a walk along the spine each time, would take an hour.
TEST(LimbModel, ACombOfManyForksGoesTwoByTwo) {
  const Model model(comb_of_forks(10000));
  const auto limbs = make_limb_model(model);
  ASSERT_NE(limbs, nullptr);
  EXPECT_EQ(limbs->trunk, 20000);
  EXPECT_EQ(limbs->shape.num_links(), 30000);
}

TEST(LimbModel, AChainHasNone) { EXPECT_EQ(make_limb_model(robot("panda")), nullptr); }

/// Every link, coordinate and degree of freedom of the robot is in the fold, once; those of the trunk in all lanes.
TEST(LimbModel, IsTheWholeRobot) {
  for (const char* name : {"go2", "g1", "cassie", "talos_like", "atlas", "shadow_like"}) {
    SCOPED_TRACE(name);
    const Model model = robot(name);
    const auto fold = make_limb_model(model);
    if (fold == nullptr) continue;
    const LimbModel& limbs = *fold;
    for (int i = 0; i < model.num_links(); ++i) {
      const LimbPlace& place = limbs.place[i];
      const LimbSource& source = limbs.links[place.link];
      EXPECT_EQ(limbs.shape.link(place.link).kind, model.link(i).kind);
      EXPECT_EQ(limbs.shape.fold().is_trunk(place.link), place.lane == LimbPlace::kTrunk);
      EXPECT_EQ(std::count(source.begin(), source.end(), i), place.lane == LimbPlace::kTrunk ? kLimbLanes : 1);
      EXPECT_LT(limbs.shape.link(place.link).parent, place.link);
    }
    std::vector<int> seen(model.nq(), 0);
    for (const LimbSource& source : limbs.coordinates) {
      for (const std::int32_t k : std::set<std::int32_t>(source.begin(), source.end())) {
        if (k >= 0) ++seen[k];
      }
    }
    EXPECT_EQ(seen, std::vector<int>(model.nq(), 1));
  }
}

}  // namespace
}  // namespace delassus
