// Contacts whose points are known, and that they do not flicker.
#include "delassus/collision/collide.hpp"

#include <cstring>
#include <limits>
#include <set>

#include "support/random_shapes.hpp"

namespace delassus::testing {
namespace {

const Mat3<double> kUpright = Mat3<double>::identity();
const Mat3<double> kLying = rotation_from_rpy({{M_PI / 2, 0, 0}});  // z along -y

PlacedShape placed(ShapeKind kind, const Vec3<double>& size, const Vec3<double>& at, const Mat3<double>& R = kUpright) {
  return {kind, size, {R, at}};
}
PlacedShape box(const Vec3<double>& half, const Vec3<double>& at, const Mat3<double>& R = kUpright) {
  return placed(ShapeKind::kBox, half, at, R);
}
PlacedShape cylinder(double radius, double half, const Vec3<double>& at, const Mat3<double>& R = kUpright) {
  return placed(ShapeKind::kCylinder, {{radius, half, 0}}, at, R);
}
PlacedShape capsule(double radius, double half, const Vec3<double>& at, const Mat3<double>& R = kUpright) {
  return placed(ShapeKind::kCapsule, {{radius, half, 0}}, at, R);
}
const PlacedShape kGround = placed(ShapeKind::kPlane, {{0, 0, 0}}, {{0, 0, 0}});

Manifold touch(const PlacedShape& a, const PlacedShape& b, double margin = 0.01) {
  Manifold m;
  collide(a, b, margin, m);
  return m;
}

std::set<std::uint32_t> features(const Manifold& m) {
  std::set<std::uint32_t> out;
  for (int k = 0; k < m.count; ++k) out.insert(m.points[static_cast<std::size_t>(k)].feature);
  return out;
}

/// The same contact under noise of that size: as many points, called the same, where they were.
void expect_steady(const PlacedShape& a, const PlacedShape& b, int count, double noise) {
  const Manifold still = touch(a, b);
  ASSERT_EQ(still.count, count) << name_of_pair(a, b);
  ShapeSource source(5);
  for (int k = 0; k < 200; ++k) {
    PlacedShape c = a;
    const auto any = [&] { return source.between(-noise, noise); };
    c.pose.R = c.pose.R * rotation_from_rpy({{any(), any(), any()}});
    c.pose.p += Vec3<double>{{any(), any(), any()}};
    const Manifold m = touch(c, b);
    ASSERT_EQ(features(m), features(still)) << name_of_pair(a, b) << " " << k;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      // Points and gaps move with the shape, whose points are less than 2 from its centre.
      ASSERT_LT(norm(m.points[i].position - still.points[i].position), 10 * noise);
      ASSERT_NEAR(m.points[i].gap, still.points[i].gap, 10 * noise);
    }
    // Normals of faces turn with their shape, those between axes 0.2 apart by the noise over that distance.
    ASSERT_LT(norm(m.normal - still.normal), 10 * noise);
  }
}

TEST(Collide, RestingShapesHaveSteadyPoints) {
  const PlacedShape table = box({{1, 1, 0.5}}, {{0, 0, -0.5}});
  const Vec3<double> half{{0.2, 0.3, 0.1}};
  const Mat3<double> askew = rotation_from_rpy({{0, 0, 0.6}}), diagonal = rotation_from_rpy({{0, 0, M_PI / 4}});
  struct Case {
    PlacedShape a, b;
    int count;
  };
  const Case cases[] = {
      {box(half, {{0, 0, 0.1}}), kGround, 4},
      {box(half, {{0, 0, 0.1}}), table, 4},
      {box(half, {{0, 0, 0.1}}, askew), table, 4},
      {box({{1, 1, 0.5}}, {{0, 0, 0.5}}), table, 4},            // equal faces
      {box({{1, 1, 0.5}}, {{0, 0, 0.5}}, diagonal), table, 4},  // four of eight corners
      {box({{1, 1, 0.5}}, {{1, 1, 0.5}}), table, 4},            // a quarter of the face
      {box({{2, 2, 0.5}}, {{0.1, 0, 0.5}}), table, 4},          // corners of the lower one
      {cylinder(0.2, 0.1, {{0, 0, 0.1}}), kGround, 4},          // standing
      {cylinder(0.2, 0.1, {{0, 0, 0.1}}), table, 4},            //
      {cylinder(0.2, 0.1, {{0, 0, 0.1}}), cylinder(0.4, 1, {{0, 0, -1}}), 4},
      {cylinder(0.1, 0.2, {{0, 0, 0.1}}, kLying), kGround, 2},
      {cylinder(0.1, 0.2, {{0, 0, 0.1}}, kLying), table, 2},
      {cylinder(0.1, 0.2, {{0, 0, 0.2}}, kLying), cylinder(0.1, 0.3, {{0, 0, 0}}, kLying), 2},
      {capsule(0.1, 0.2, {{0, 0, 0.1}}, kLying), kGround, 2},
      {capsule(0.1, 0.2, {{0, 0, 0.1}}, kLying), table, 2},
      {capsule(0.1, 0.2, {{0, 0, 0.2}}, kLying), capsule(0.1, 0.2, {{0, 0, 0}}, kLying), 2},
      {capsule(0.1, 0.2, {{0, 0, 0.3}}), table, 1},
      {placed(ShapeKind::kSphere, {{0.1, 0, 0}}, {{0, 0, 0.1}}), table, 1},
      {placed(ShapeKind::kEllipsoid, {{0.3, 0.2, 0.1}}, {{0, 0, 0.1}}), table, 1},
      {placed(ShapeKind::kEllipsoid, {{0.3, 0.2, 0.1}}, {{0, 0, 0.1}}), kGround, 1},
  };
  for (const Case& c : cases) {
    expect_steady(c.a, c.b, c.count, 1e-12);
    if (c.a.kind == ShapeKind::kBox) expect_steady(c.a, c.b, c.count, 2e-6);  // of creeping
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(Collide, AlignedBoxesTouchAtTheirCorners) {
  for (const double gap : {0.0, 1e-12, -1e-12, 1e-3, -1e-3}) {
    const Manifold m = touch(box({{0.5, 0.4, 0.3}}, {{1, 2, 0.3 + gap}}), box({{0.5, 0.4, 1}}, {{1, 2, -1}}));
    ASSERT_EQ(m.count, 4);
    EXPECT_EQ(m.normal, (Vec3<double>{{0, 0, 1}}));
    for (const ContactPoint& c : m.points) {
      EXPECT_NEAR(c.gap, gap, 1e-15);  // a sum of three numbers below 3
      EXPECT_NEAR(std::abs(c.position[0] - 1), 0.5, 1e-15);
      EXPECT_NEAR(std::abs(c.position[1] - 2), 0.4, 1e-15);
      EXPECT_NEAR(c.position[2], gap, 1e-15);
    }
  }
}

TEST(Collide, EveryPointHasItsOwnGap) {
  const double lean = 0.01;
  const Manifold m = touch(box({{0.2, 0.3, 0.1}}, {{0, 0, 0.1}}, rotation_from_rpy({{0, lean, 0}})), kGround, 0.02);
  ASSERT_EQ(m.count, 4);
  for (const ContactPoint& c : m.points) {
    // Corners at x = ±0.2 below the centre: 0.1 - 0.1 cos ∓ 0.2 sin.
    const double expected = 0.1 - 0.1 * std::cos(lean) - std::copysign(0.2, c.position[0]) * std::sin(lean);
    EXPECT_NEAR(c.gap, expected, 1e-15);
    EXPECT_NEAR(c.position[2], expected, 1e-15);
  }
}

TEST(Collide, CrossedEdgesTouchInOnePoint) {
  // Two cubes balanced on edges along x and along y, overlapping by 0.01 in z.
  const double top = std::sqrt(2.0);
  const Manifold m = touch(box({{1, 1, 1}}, {{0, 0, top - 0.01}}, rotation_from_rpy({{0, M_PI / 4, 0}})),
                           box({{1, 1, 1}}, {{0, 0, -top}}, rotation_from_rpy({{M_PI / 4, 0, 0}})), 0);
  ASSERT_EQ(m.count, 1);
  EXPECT_NEAR(norm(m.normal - Vec3<double>{{0, 0, 1}}), 0, 1e-15);
  EXPECT_NEAR(m.points[0].gap, -0.01, 1e-15);
  EXPECT_NEAR(norm(m.points[0].position - Vec3<double>{{0, 0, -0.01}}), 0, 1e-15);
}

TEST(Collide, ARollingRimTouchesWhereItIsLowest) {
  // A coin that leans by 0.5, turned about its axis: one point, at its lowest, whose name does not change.
  for (int k = 0; k < 20; ++k) {
    const Mat3<double> R = rotation_from_rpy({{0.5, 0, 0}}) * rotation_from_rpy({{0, 0, 0.3 * k}});
    const Manifold m =
        touch(cylinder(0.2, 0.01, {{0, 0, 0.2 * std::sin(0.5) + 0.01 * std::cos(0.5)}}, R), kGround, 1e-9);
    ASSERT_EQ(m.count, 1);
    EXPECT_EQ(m.points[0].feature, 8U);
    EXPECT_NEAR(m.points[0].gap, 0, 1e-15);
    EXPECT_NEAR(m.points[0].position[0], 0, 1e-15);
    EXPECT_NEAR(m.points[0].position[1], -0.2 * std::cos(0.5) + 0.01 * std::sin(0.5), 1e-15);
  }
}

TEST(Collide, NothingBeyondTheMargin) {
  for (const ShapeKind i : kAllKinds) {
    for (const ShapeKind j : kConvexKinds) {
      // Half widths along z are 0.1 and 0.3 at least; planes face up.
      const PlacedShape below = placed(i, {{0.1, 0.1, 0.1}}, {{0, 0, i == ShapeKind::kPlane ? 0.1 : 0}});
      PlacedShape above = placed(j, {{0.3, 0.3, 0.3}}, {{0, 0, 0}});
      const double height = 0.1 + half_width(below, {{0, 0, 1}}) - (i == ShapeKind::kPlane ? 0 : 0.1);
      above.pose.p[2] = height + half_width(above, {{0, 0, 1}}) + 0.011;
      EXPECT_EQ(touch(above, below).count, 0) << name_of_pair(above, below);
      EXPECT_EQ(touch(below, above).count, 0) << name_of_pair(below, above);
      above.pose.p[2] -= 0.002;
      EXPECT_GT(touch(above, below).count, 0) << name_of_pair(above, below);
      EXPECT_GT(touch(below, above).count, 0) << name_of_pair(below, above);
      EXPECT_NEAR(least_gap(touch(below, above)), 0.009, 1e-12);
    }
  }
}

TEST(Collide, PlanesTouchNoPlanes) { EXPECT_EQ(touch(kGround, kGround).count, 0); }

void expect_finite(const PlacedShape& a, const PlacedShape& b) {
  const Manifold m = touch(a, b, 0.1);
  ASSERT_GE(m.count, 0);
  ASSERT_LE(m.count, 4);
  if (m.count == 0) return;
  ASSERT_NEAR(norm(m.normal), 1, 1e-12) << name_of_pair(a, b);
  ASSERT_EQ(features(m).size(), static_cast<std::size_t>(m.count)) << name_of_pair(a, b);
  for (int k = 0; k < m.count; ++k) {
    const ContactPoint& c = m.points[static_cast<std::size_t>(k)];
    ASSERT_TRUE(std::isfinite(c.gap + c.position[0] + c.position[1] + c.position[2])) << name_of_pair(a, b);
  }
}

TEST(Collide, DegenerateShapesAndPosesGiveFiniteAnswers) {
  const double sizes[][3] = {{1, 1, 1},      {0, 0, 0},         {1, 0, 0},          {0, 1, 1},       {1, 1, 0},
                             {1e6, 1e-6, 1}, {1e-6, 1e6, 1e-6}, {1e-9, 1e-9, 1e-9}, {1e6, 1e6, 1e6}, {1e-300, 1, 1}};
  const Vec3<double> places[] = {{{0, 0, 0}}, {{1, 0, 0}}, {{1, 1, 1}}, {{0, 0, 1e-12}}, {{2, 0, 0}}, {{1e-200, 0, 0}}};
  const Mat3<double> turns[] = {kUpright, kLying, rotation_from_rpy({{0, 1e-9, 0}}), rotation_from_rpy({{0, 0, 1e-7}}),
                                rotation_from_rpy({{0.3, 0.2, 0.1}})};
  for (const ShapeKind i : kAllKinds) {
    for (const ShapeKind j : kAllKinds) {
      for (const auto& s : sizes) {
        for (const auto& t : sizes) {
          for (const Vec3<double>& at : places) {
            for (const Mat3<double>& R : turns) {
              for (const double far : {0.0, 1e6}) {
                const Vec3<double> origin{{far, -far, far}};
                expect_finite(placed(i, {{s[0], s[1], s[2]}}, origin), placed(j, {{t[0], t[1], t[2]}}, origin + at, R));
                if (::testing::Test::HasFatalFailure()) return;
              }
            }
          }
        }
      }
    }
  }
}

TEST(Collide, WhatIsNotANumberEndsToo) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const ShapeKind i : kAllKinds) {
    for (const ShapeKind j : kAllKinds) {
      const Manifold m = touch(placed(i, {{1, 1, 1}}, {{nan, 0, 0}}), placed(j, {{1, nan, 1}}, {{0, 0, 0}}));
      EXPECT_LE(m.count, 4);
    }
  }
}

TEST(Collide, TheSameArgumentsGiveTheSameBits) {
  ShapeSource source(11);
  for (int k = 0; k < 500; ++k) {
    const ShapeKind i = kConvexKinds[static_cast<std::size_t>(k) % 5],
                    j = kConvexKinds[static_cast<std::size_t>(k) / 5 % 5];
    const PlacedShape a = source.shape(i, 0.5), b = source.shape(j, 0.5);
    Manifold first, again;
    std::memset(static_cast<void*>(&first), 0, sizeof first);
    std::memset(static_cast<void*>(&again), 0xff, sizeof again);
    collide(a, b, 0.01, first);
    touch(b, a);
    collide(a, b, 0.01, again);
    ASSERT_EQ(first.count, again.count);
    for (std::size_t p = 0; p < static_cast<std::size_t>(first.count); ++p) {
      ASSERT_EQ(first.points[p].position, again.points[p].position);
      ASSERT_EQ(first.points[p].gap, again.points[p].gap);
      ASSERT_EQ(first.points[p].feature, again.points[p].feature);
    }
    ASSERT_TRUE(first.count == 0 || first.normal == again.normal);
  }
}

}  // namespace
}  // namespace delassus::testing
