#include "delassus/collision/collision_world.hpp"

#include <gtest/gtest.h>

#include <random>

#include "collision/broad_phase.hpp"
#include "delassus/math/error.hpp"
#include "delassus/model/builder.hpp"
#include "scenes/boxes.hpp"

namespace delassus {
namespace {

// --------------------------------------------------------------------------------------- broad phase

std::vector<BroadPhase::Pair> all_overlaps(const std::vector<Bounds>& bounds, const PairTable& table) {
  std::vector<BroadPhase::Pair> out;
  for (int i = 0; i < table.count(); ++i) {
    for (int j = i + 1; j < table.count(); ++j) {
      const Bounds &a = bounds[static_cast<std::size_t>(i)], &b = bounds[static_cast<std::size_t>(j)];
      bool apart = !table.get(i, j);
      for (int k = 0; k < 3; ++k) apart |= a.low[k] > b.high[k] || b.low[k] > a.high[k];
      if (!apart) out.push_back({i, j});
    }
  }
  return out;
}

void expect_every_pair(int count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-5, 5), size(0.1, 1);
  PairTable table(count);
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) table.set(i, j, (i + j) % 7 != 0);
  }
  BroadPhase broad_phase(table);
  for (int round = 0; round < 50; ++round) {
    // Another axis is the longest each time.
    std::vector<Bounds> bounds;
    for (int i = 0; i < count; ++i) {
      Bounds b;
      for (int k = 0; k < 3; ++k) {
        b.low[k] = place(random) * (k == round % 3 ? 3 : 1);
        b.high[k] = b.low[k] + size(random);
      }
      bounds.push_back(b);
    }
    bounds[3] = {Vec3<double>::filled(-HUGE_VAL), Vec3<double>::filled(HUGE_VAL)};  // a plane
    ASSERT_TRUE(broad_phase.find(bounds, table));
    const std::vector<BroadPhase::Pair> found(broad_phase.pairs().begin(), broad_phase.pairs().end());
    ASSERT_EQ(found, all_overlaps(bounds, table)) << "round " << round;
  }
}

TEST(BroadPhase, FindsEveryPairInOrderWhateverCameBefore) {
  expect_every_pair(20);  // 163 pairs, which are listed
  expect_every_pair(60);  // 1517, which are swept
}

TEST(BroadPhase, SaysWhenItIsNoUse) {
  constexpr int kCount = 60;
  PairTable table(kCount);
  for (int i = 0; i < kCount; ++i) {
    for (int j = i + 1; j < kCount; ++j) table.set(i, j, true);
  }
  BroadPhase broad_phase(table);
  const std::vector<Bounds> bounds(kCount, {{{0, 0, 0}}, {{1, 1, 1}}});
  EXPECT_FALSE(broad_phase.find(bounds, table));
  EXPECT_TRUE(broad_phase.pairs().empty());
}

// --------------------------------------------------------------------------------------------- world

ShapeDescription ball(int body, double radius, const Vec3<double>& at = {{0, 0, 0}}) {
  ShapeDescription s;
  s.body = body;
  s.size = {{radius, 0, 0}};
  s.placement.p = at;
  return s;
}

Kinematics<double> at(const Model& model, const std::vector<double>& q) {
  Kinematics<double> kin(model);
  update_kinematics<double>(model, q, kin);
  return kin;
}

CollisionWorld without_ground(const Model& model, bool self = true) {
  CollisionOptions options;
  options.ground = false;
  options.self = self;
  return CollisionWorld(model, options);
}

const Inertial kSome = sphere_inertial(1, 0.1);

TEST(CollisionWorld, AStackTouchesBoxByBoxAndTheGround) {
  const Model model(make_box_stack(3));
  CollisionWorld world(model);
  EXPECT_EQ(world.num_pairs(), 6);
  ASSERT_EQ(world.shapes().size(), 4U);
  EXPECT_EQ(world.shapes()[3].kind, ShapeKind::kPlane);
  EXPECT_EQ(world.shapes()[3].name, "ground");
  ASSERT_TRUE(world.update(at(model, model.neutral())));
  ASSERT_EQ(world.contacts().size(), 12U);
  const std::vector<std::pair<int, int>> expected{{0, 1}, {0, 3}, {1, 2}};
  for (std::size_t k = 0; k < 12; ++k) {
    const WorldContact& c = world.contacts()[k];
    EXPECT_EQ(std::make_pair(c.shape_a, c.shape_b), expected[k / 4]);
    EXPECT_NE(world.shapes()[static_cast<std::size_t>(c.shape_a)].link, kWorld);
    EXPECT_NEAR(c.gap, 0, 1e-15);
    EXPECT_NEAR(c.normal[2], c.shape_b == 3 ? 1 : -1, 1e-15);
    EXPECT_TRUE(k == 0 || c.key > world.contacts()[k - 1].key);
  }
}

TEST(CollisionWorld, WhatAnUpdateFindsDependsOnTheConfigurationAlone) {
  const Model model(make_box_pyramid());
  CollisionWorld world(model), other(model);
  std::mt19937 random(2);
  std::normal_distribution<double> noise(0, 0.01);
  std::vector<double> q = model.neutral();
  for (double& x : q) x += noise(random);
  ASSERT_TRUE(world.update(at(model, q)));
  std::vector<double> away = model.neutral();
  for (double& x : away) x += 100 * noise(random);
  ASSERT_TRUE(other.update(at(model, away)));
  ASSERT_TRUE(other.update(at(model, q)));
  ASSERT_EQ(world.contacts().size(), other.contacts().size());
  EXPECT_GT(world.contacts().size(), 50U);
  for (std::size_t k = 0; k < world.contacts().size(); ++k) {
    const WorldContact &x = world.contacts()[k], &y = other.contacts()[k];
    EXPECT_EQ(x.key, y.key);
    EXPECT_EQ(x.gap, y.gap);
    EXPECT_EQ(x.position, y.position);
    EXPECT_EQ(x.normal, y.normal);
  }
}

/// A plane across an axis is looked at only near it; what is found is the same as of the two shapes by themselves.
TEST(CollisionWorld, APlaneIsFoundUpToTheMarginFromWhicheverSideItFaces) {
  constexpr double kRadius = 0.25;
  Mat3<double> up = Mat3<double>::identity(), down = up, aslant = up;
  down(1, 1) = down(2, 2) = -1;
  aslant(1, 1) = aslant(2, 2) = 0.8;
  aslant(1, 2) = -0.6;
  aslant(2, 1) = 0.6;
  Mat3<double> along_x = Mat3<double>::zero();  // its normal is x
  along_x(0, 2) = along_x(1, 0) = along_x(2, 1) = 1;
  for (const Mat3<double>& axes : {up, down, aslant, along_x}) {
    ShapeDescription plane;
    plane.kind = ShapeKind::kPlane;
    plane.body = kWorld;
    plane.placement = {axes, {{1, 2, 3}}};
    ModelDescription d = make_box_stack(1);
    d.shapes = {ball(0, kRadius), plane};
    const Model model(d);
    CollisionWorld world(model);
    const double margin = world.options().margin;
    const Vec3<double> normal{{axes(0, 2), axes(1, 2), axes(2, 2)}};
    // Far on either side, and at the margin but for more than the rounding of places of some metres.
    for (const double gap : {-100.0, -0.1, 0.0, 0.5 * margin, margin - 1e-14, margin + 1e-14, 2 * margin, 100.0}) {
      std::vector<double> q = model.neutral();
      const Vec3<double> place = plane.placement.p + (kRadius + gap) * normal;
      std::copy_n((inverse(model.link(0).placement) * place).a, 3, q.begin());
      ASSERT_TRUE(world.update(at(model, q)));
      ASSERT_EQ(world.contacts().size(), gap < margin ? 1U : 0U) << gap;
      if (world.contacts().empty()) continue;
      EXPECT_NEAR(world.contacts()[0].gap, gap, 1e-13);  // rounding of hundreds of metres
    }
  }
}

TEST(CollisionWorld, SaysWhichPairIsTooMany) {
  const Model model(make_box_stack(3));
  CollisionOptions options;
  options.capacity = 6;
  CollisionWorld world(model, options);
  EXPECT_FALSE(world.update(at(model, model.neutral())));
  EXPECT_EQ(world.contacts().size(), 6U);
  EXPECT_EQ(world.crowded(), std::make_pair(0, 3));
}

TEST(CollisionWorld, TakesThePlaneOfTheModel) {
  ModelDescription d = make_box_stack(1);
  ShapeDescription floor;
  floor.kind = ShapeKind::kPlane;
  floor.body = kWorld;
  floor.placement.p = {{0, 0, 0.005}};
  d.shapes.push_back(floor);
  const Model model(d);
  CollisionWorld world(model);
  EXPECT_EQ(world.shapes().size(), 2U);
  ASSERT_TRUE(world.update(at(model, model.neutral())));
  ASSERT_EQ(world.contacts().size(), 4U);
  EXPECT_NEAR(world.contacts()[0].gap, -0.005, 1e-15);
}

/// Three links in a row along x, 1 apart, each with a ball. The last two joints make one body.
ModelBuilder arm() {
  ModelBuilder b("arm");
  const int first = b.add_body("first", kWorld, revolute("j1", {{0, 0, 1}}), kSome);
  const int second = b.add_body("second", first, revolute("j2", {{0, 0, 1}}, translation(1, 0, 0)), kSome);
  b.add_body("third", second, {revolute("j3", {{0, 0, 1}}, translation(1, 0, 0)), revolute("j4", {{0, 1, 0}})}, kSome);
  for (int body = 0; body < 3; ++body) b.add_shape(ball(body, 0.2));
  return b;
}

TEST(CollisionWorld, LinksDoNotTouchTheOneThatCarriesThem) {
  const Model model = arm().make_model();
  ASSERT_EQ(model.num_links(), 4);
  CollisionWorld world = without_ground(model);
  EXPECT_EQ(world.num_pairs(), 1);  // first and third
  // Folded: the third ball lies in the first.
  ASSERT_TRUE(world.update(at(model, {0, 0.5 * M_PI, 0, 0})));
  EXPECT_TRUE(world.contacts().empty());
  ASSERT_TRUE(world.update(at(model, {0, M_PI, 0, 0})));
  ASSERT_EQ(world.contacts().size(), 1U);
  EXPECT_EQ(world.contacts()[0].shape_a, 0);
  EXPECT_EQ(world.contacts()[0].shape_b, 2);
  EXPECT_EQ(without_ground(model, false).num_pairs(), 0);
}

TEST(CollisionWorld, OneLinkDoesNotTouchItself) {
  ModelBuilder b = arm();
  b.add_shape(ball(b.add_fixed_body("tool", 2, translation(0, 0, 1)), 0.2));  // merged into the third
  EXPECT_EQ(without_ground(b.make_model()).num_pairs(), 2);
}

TEST(CollisionWorld, WhatIsFixedTouchesWhatTheWorldCarries) {
  ModelBuilder b = arm();
  b.add_shape(ball(kWorld, 0.2, {{0, 0, 5}}));
  b.add_shape(ball(b.add_fixed_body("post", kWorld, translation(0, 0, 7)), 0.2));
  CollisionWorld world = without_ground(b.make_model());
  EXPECT_EQ(world.num_pairs(), 1 + 2 * 3);
}

TEST(CollisionWorld, ExclusionsAreLeftOut) {
  ModelDescription d = arm().description();
  d.excludes.push_back({2, 0});
  EXPECT_EQ(without_ground(Model(d)).num_pairs(), 0);
  d.shapes.push_back(ball(kWorld, 0.2, {{0, 0, 5}}));
  d.excludes[0] = {kWorld, 1};
  EXPECT_EQ(without_ground(Model(d)).num_pairs(), 1 + 2);
}

TEST(CollisionWorld, ShapesThatOverlapAtRestAreLeftOutAndNamed) {
  ModelDescription d = arm().description();
  d.shapes[0].size[0] = 1.8 + 2e-4;  // the third one's begins 1.8 away
  const CollisionWorld world = without_ground(Model(d));
  EXPECT_EQ(world.num_pairs(), 0);
  ASSERT_EQ(world.overlapping().size(), 1U);
  EXPECT_EQ(world.overlapping()[0], std::make_pair(0, 2));
  EXPECT_EQ(world.shapes()[2].name, "third/2");
  d.shapes[0].size[0] = 1.8 + 0.5e-4;
  EXPECT_EQ(without_ground(Model(d)).num_pairs(), 1);
  // Free bodies may begin inside each other.
  d.bodies[2].parent = d.bodies[1].parent = kWorld;
  EXPECT_TRUE(without_ground(Model(d)).overlapping().empty());
}

TEST(CollisionWorld, MoreShapesThanItHasKeysForAreAnError) {
  const Model model(make_box_stack(40000));
  try {
    const CollisionWorld world(model);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("model 'boxes' has 40001 shapes, and 32768 are the most that can collide"),
              std::string::npos)
        << error.what();
  }
}

TEST(CollisionWorld, MaterialsCombineByTheLarger) {
  ModelDescription d = make_box_stack(2);
  d.shapes[0].friction = {{0.5, 0.02, 0.003}};
  d.shapes[1].friction = {{0.7, 0.01, 0.004}};
  d.shapes[1].condim = 6;
  const CollisionWorld world{Model(d)};
  const ContactMaterial m = world.material(0, 1);
  EXPECT_EQ(m.friction, (Vec3<double>{{0.7, 0.02, 0.004}}));
  EXPECT_EQ(m.condim, 6);
}

TEST(CollisionWorld, RefusesOptionsThatMakeNoSense) {
  const Model model(make_box_stack(1));
  CollisionOptions options;
  options.margin = -1;
  EXPECT_THROW(CollisionWorld(model, options), Error);
  options = {};
  options.capacity = -1;
  EXPECT_THROW(CollisionWorld(model, options), Error);
  options = {};
  options.ground_friction[1] = -1;
  EXPECT_THROW(CollisionWorld(model, options), Error);
}

}  // namespace
}  // namespace delassus
