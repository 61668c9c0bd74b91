#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/model/builder.hpp"
#include "support/shape_distance.hpp"

namespace delassus {
namespace {

const Mat3<double> kTilted = rotation_from_rpy({{0.3, -0.4, 0.8}});

ShapeDescription shape_of(ShapeKind kind, const Vec3<double>& size) {
  ShapeDescription s;
  s.body = 0;
  s.kind = kind;
  s.size = size;
  return s;
}

/// No point of the surface is lower than the lowest support point: by trying many directions.
double depth_below(const ShapeDescription& s, const Pose<double>& pose, double lowest) {
  double deepest = 0;
  for (int k = 0; k < 4000; ++k) {
    // A spiral over the unit sphere, scaled to the surface along its ray.
    const double z = 1 - (2 * k + 1) / 4000.0, a = 2.399963229728653 * k, r = std::sqrt(1 - z * z);
    const Vec3<double> ray{{r * std::cos(a), r * std::sin(a), z}};
    double low = 0, high = 10;
    for (int i = 0; i < 60; ++i) {
      const double mid = (low + high) / 2;
      (testing::outside(s, mid * ray) < 0 ? low : high) = mid;
    }
    deepest = std::max(deepest, lowest - (pose * (low * ray))[2]);
  }
  return deepest;
}

TEST(GroundContacts, SupportPointsLieOnTheSurfaceAndNothingIsLower) {
  const Pose<double> pose{kTilted, {{0.1, 0.2, 0.3}}};
  const std::pair<ShapeDescription, std::size_t> kShapes[] = {{shape_of(ShapeKind::kSphere, {{0.1, 0, 0}}), 1},
                                                              {shape_of(ShapeKind::kCapsule, {{0.1, 0.3, 0}}), 2},
                                                              {shape_of(ShapeKind::kBox, {{0.1, 0.2, 0.3}}), 4},
                                                              {shape_of(ShapeKind::kCylinder, {{0.1, 0.3, 0}}), 4},
                                                              {shape_of(ShapeKind::kEllipsoid, {{0.1, 0.2, 0.3}}), 1}};
  for (const auto& [shape, count] : kShapes) {
    const auto points = make_support_points(shape, pose, {{0, 0, 1}});
    EXPECT_EQ(points.size(), count);
    double lowest = 1;
    for (const Vec3<double>& p : points) {
      EXPECT_NEAR(testing::outside(shape, inverse(pose) * p), 0, 1e-15) << name_of(shape.kind);
      lowest = std::min(lowest, p[2]);
    }
    EXPECT_LT(depth_below(shape, pose, lowest), 1e-15) << name_of(shape.kind);
  }
}

TEST(GroundContacts, CylindersStandOnThreePointsAndLieOnTwo) {
  const ShapeDescription s = shape_of(ShapeKind::kCylinder, {{0.1, 0.3, 0}});
  int standing = 0, lying = 0;
  for (const auto& p : make_support_points(s, translation(0, 0, 0.3), {{0, 0, 1}})) standing += std::abs(p[2]) < 1e-12;
  const Pose<double> side{rotation_from_rpy({{1.5707963267948966, 0, 0}}), {{0, 0, 0.1}}};
  for (const auto& p : make_support_points(s, side, {{0, 0, 1}})) lying += std::abs(p[2]) < 1e-12;
  EXPECT_EQ(standing, 3);
  EXPECT_EQ(lying, 2);
}

TEST(GroundContacts, TakePlaceAxesKindAndFrictionFromShapeAndGround) {
  ModelBuilder b("ball");
  const int ball = b.add_body("ball", kWorld, joint(JointKind::kFree, "free"), sphere_inertial(1, 0.1));
  ShapeDescription s = shape_of(ShapeKind::kSphere, {{0.1, 0, 0}});
  s.body = ball;
  s.condim = 4;
  s.friction = {{0.5, 0.02, 0.003}};
  b.add_shape(s);
  s.body = kWorld;  // fixed to the world: touches no floor
  b.add_shape(s);
  const Model m = b.make_model();
  // A slope through the origin.
  Ground slope;
  slope.pose.R = rotation_from_rpy({{0, 0.2, 0}});
  const Vec3<double> n = column(slope.pose.R, 2), centre = 0.1005 * n;
  const auto contacts = make_ground_contacts(m, {centre[0], centre[1], centre[2], 0, 0, 0, 1}, slope, 1e-3);
  ASSERT_EQ(contacts.size(), 1u);
  const auto& c = std::get<PointContact>(contacts[0]);
  EXPECT_EQ(c.name, "ball/1");
  EXPECT_NEAR(c.gap, 0.0005, 1e-15);
  EXPECT_EQ(c.kind, ContactKind::kTorsional);
  EXPECT_EQ(c.set, (ForceSet{SetKind::kFrictionCone, std::numeric_limits<double>::infinity(), 0.5, 0.02, 0}));
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(c.axes(0, k), n[k], 1e-15);
    EXPECT_NEAR(c.a.offset.p[k], -0.1 * n[k], 1e-15);
  }
  EXPECT_TRUE(make_ground_contacts(m, {centre[0], centre[1], centre[2], 0, 0, 0, 1}, slope, 1e-4).empty());
  slope.half_x = 1e-6;
  slope.pose.p = {{1, 0, 0}};  // the ball lies beside it
  EXPECT_TRUE(make_ground_contacts(m, {0, 0, 0, 0, 0, 0, 1}, slope, 1).empty());
}

}  // namespace
}  // namespace delassus
