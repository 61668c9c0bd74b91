// Hulls, meshes and height fields against shapes of which the contacts are known.
#include <algorithm>
#include <array>
#include <set>

#include "delassus/math/error.hpp"
#include "delassus/model/surface.hpp"
#include "support/random_shapes.hpp"
#include "support/surfaces.hpp"

namespace delassus::testing {
namespace {

const Mat3<double> kUpright = Mat3<double>::identity();

ContactPatch touch(const PlacedShape& a, const PlacedShape& b, double margin = 0.01) {
  ContactPatch patch;
  collide(a, b, margin, patch);
  return patch;
}

double least_gap(const ContactPatch& patch) {
  double least = HUGE_VAL;
  for (int k = 0; k < patch.count; ++k) least = std::min(least, patch.points[static_cast<std::size_t>(k)].gap);
  return least;
}

std::set<std::uint32_t> features(const ContactPatch& patch) {
  std::set<std::uint32_t> out;
  for (int k = 0; k < patch.count; ++k) out.insert(patch.points[static_cast<std::size_t>(k)].feature);
  return out;
}

void expect_normals(const ContactPatch& patch, const Vec3<double>& n, double tolerance) {
  for (int k = 0; k < patch.count; ++k)
    EXPECT_LT(norm(patch.points[static_cast<std::size_t>(k)].normal - n), tolerance) << k;
}

const auto kFlat = [](double, double) { return 0.0; };

// ------------------------------------------------------------------------------------------- hulls

/// A hull with the corners of a box is that box, for all that it may meet.
TEST(CollisionSurface, HullOfABoxIsTheBox) {
  ShapeSource source(7);
  int apart = 0, overlapping = 0, missed = 0;
  for (const ShapeKind kind : kConvexKinds) {
    for (int k = 0; k < 1000; ++k) {
      const PlacedShape other = source.shape(kind, 1), box = source.shape(ShapeKind::kBox, 1);
      const Prepared hull(ShapeKind::kHull, box_surface(box.size));
      const ContactPatch expected = touch(other, box, 1), found = touch(other, hull.at(box.pose), 1);
      ASSERT_EQ(found.count > 0, expected.count > 0) << name_of_pair(other, box) << k;
      if (expected.count == 0) continue;
      const double gap = least_gap(expected);
      (gap > 0 ? apart : overlapping)++;
      // Apart: the directions are good to 1e-6, with or without the last digits of Newton's method. Overlapping:
      // directions of faces are preferred by 1 % of the depth and 1e-6 of the size to others; Bullet's polytope has 128
      // corners, which leaves 1e-3 of the depth of curved shapes.
      const double tolerance = gap > 0 ? 1e-5 : 1.5e-2 * -gap + 3e-6, off = least_gap(found) - gap;
      ASSERT_LE(off, tolerance) << name_of_pair(other, box) << k;
      // Where the polytope fails, a face is taken, which is deeper.
      if (gap > 0) {
        ASSERT_GE(off, -tolerance) << name_of_pair(other, box) << k;
      }
      missed += off < -tolerance;
    }
  }
  EXPECT_LE(missed, overlapping / 50) << overlapping;
  EXPECT_GT(apart, 100);
  EXPECT_GT(overlapping, 100);
}

using Points = std::vector<Vec3<double>>;

/// How far two clouds of points are apart at most: a point of one hull minus one of the other, moved towards the origin many times (Gilbert 1966).
double distance_at_most(const Points& a, const Points& b) {
  const auto furthest = [](const Points& cloud, const Vec3<double>& along) {
    return *std::ranges::max_element(cloud, {}, [&](const Vec3<double>& x) { return dot(x, along); });
  };
  Vec3<double> x = a[0] - b[0];
  for (int k = 0; k < 3000; ++k) {
    const Vec3<double> step = furthest(a, -x) - furthest(b, x) - x;
    if (!(dot(x, step) < 0)) break;
    x += std::clamp(-dot(x, step) / dot(step, step), 0.0, 1.0) * step;
  }
  return norm(x);
}

/// Hulls that are not symmetric, and whose origin lies outside of them, some of them at the same place.
TEST(CollisionSurface, HullsAreAsFarApartAsTheirPoints) {
  ShapeSource source(2);
  int apart = 0;
  for (int k = 0; k < 400; ++k) {
    std::array<Points, 2> clouds, placed;
    for (Points& cloud : clouds) {
      const Vec3<double> centre = 1.2 * source.direction();
      for (int i = 0; i < 7; ++i) cloud.push_back(centre + source.between(0.2, 0.6) * source.direction());
    }
    const Vec3<double> offset = k % 2 == 0 ? Vec3<double>{{0, 0, 0}} : source.between(0, 1) * source.direction();
    const std::array<Pose<double>, 2> poses{{{source.rotation(), {{0, 0, 0}}}, {source.rotation(), offset}}};
    for (std::size_t i = 0; i < 2; ++i) {
      for (const Vec3<double>& x : clouds[i]) placed[i].push_back(poses[i] * x);
    }
    const Prepared a(ShapeKind::kHull, make_hull(clouds[0], "a")), b(ShapeKind::kHull, make_hull(clouds[1], "b"));
    const ContactPatch found = touch(a.at(poses[0]), b.at(poses[1]), 5);
    const double most = distance_at_most(placed[0], placed[1]);
    if (most < 0.05) continue;
    ++apart;
    // The gap is along a direction and so never above the distance. Steps towards the origin leave up to 1e-3 after so many.
    ASSERT_GT(found.count, 0) << k;
    EXPECT_NEAR(least_gap(found), most, 2e-3) << k;
    EXPECT_LE(least_gap(found), most + 1e-12) << k;
  }
  EXPECT_GT(apart, 200);
}

TEST(CollisionSurface, HullRestsOnFourCorners) {
  const Vec3<double> half{{0.3, 0.2, 0.1}};
  const Prepared hull(ShapeKind::kHull, box_surface(half));
  const PlacedShape ground{ShapeKind::kPlane, {{0, 0, 0}}, Pose<double>::identity()};
  const PlacedShape table{ShapeKind::kBox, {{1, 1, 0.5}}, {kUpright, {{0, 0, -0.5}}}};
  const Prepared below(ShapeKind::kHull, box_surface({{1, 1, 0.5}}));
  for (const PlacedShape& floor : {ground, table, below.at({kUpright, {{0, 0, -0.5}}})}) {
    for (const double gap : {-1e-3, -1e-6, 0.0, 1e-6, 1e-3}) {
      const Mat3<double> R = rotation_from_rpy({{0, 0, 0.4}});
      const ContactPatch patch = touch(hull.at({R, {{0.1, 0.05, 0.1 + gap}}}), floor);
      ASSERT_EQ(patch.count, 4) << name_of(floor.kind) << gap;
      expect_normals(patch, {{0, 0, 1}}, 1e-12);
      for (int k = 0; k < 4; ++k) EXPECT_NEAR(patch.points[static_cast<std::size_t>(k)].gap, gap, 1e-14);
    }
  }
}

TEST(CollisionSurface, PointsInOnePlaneHaveNoHull) {
  EXPECT_THROW(Prepared(ShapeKind::kHull, height_field(1, 2, kFlat)), Error);
}

// ------------------------------------------------------------------------------------------ meshes

/// Triangles between points of a sphere lie inside it by up to r (1 - cos) of half the angle between its corners.
TEST(CollisionSurface, MeshOfABallIsNearlyTheBall) {
  const int steps = 24;
  const double radius = 0.5, sagitta = radius * (1 - std::cos(M_PI / steps));
  const SurfacePointer surface = ball_surface(radius, steps);
  const Prepared mesh(ShapeKind::kMesh, surface), hull(ShapeKind::kHull, surface);
  ShapeSource source(2);
  for (int k = 0; k < 300; ++k) {
    const Vec3<double> n = source.direction();
    const double gap = source.between(-0.05, 0.05);
    const Pose<double> pose{source.rotation(), {{0.3, 0.2, 0.1}}};
    const PlacedShape ball{ShapeKind::kSphere, {{0.2, 0, 0}}, {kUpright, pose.p + (radius + 0.2 + gap) * n}};
    for (const Prepared* surfaced : {&mesh, &hull}) {
      const ContactPatch patch = touch(ball, surfaced->at(pose), 0.1);
      ASSERT_GE(patch.count, 1) << k;
      EXPECT_GE(least_gap(patch), gap - 1e-12);
      EXPECT_LE(least_gap(patch), gap + sagitta);
    }
  }
}

/// Whatever triangles it stands on, a box on flat ground has its four corners, called the same.
TEST(CollisionSurface, BoxOnManyTrianglesHasItsCorners) {
  const SurfacePointer field = height_field(2, 16, kFlat);
  const Prepared ground(ShapeKind::kHeightField, field), mesh(ShapeKind::kMesh, as_mesh(*field));
  ShapeSource source(3);
  for (const Prepared* floor : {&ground, &mesh}) {
    std::set<std::uint32_t> names;
    for (int k = 0; k < 300; ++k) {
      const double gap = source.between(-1e-4, 1e-4);
      const Pose<double> pose{rotation_from_rpy({{0, 0, source.between(0, 3)}}),
                              {{source.between(-1, 1), source.between(-1, 1), 0.2 + gap}}};
      const ContactPatch patch = touch({ShapeKind::kBox, {{0.5, 0.3, 0.2}}, pose}, floor->shape);
      ASSERT_EQ(patch.count, 4) << k;
      if (k == 0) names = features(patch);
      EXPECT_EQ(features(patch), names) << k;
      expect_normals(patch, {{0, 0, 1}}, 1e-12);
      for (int i = 0; i < 4; ++i) EXPECT_NEAR(patch.points[static_cast<std::size_t>(i)].gap, gap, 1e-13);
    }
  }
}

/// Seams of flat ground are not there: over faces, edges and vertices a ball has one contact, straight up.
TEST(CollisionSurface, BallRollsOverSeams) {
  const SurfacePointer field = height_field(1, 8, kFlat);
  const Prepared ground(ShapeKind::kHeightField, field), mesh(ShapeKind::kMesh, as_mesh(*field));
  for (const Prepared* floor : {&ground, &mesh}) {
    for (int k = 0; k <= 400; ++k) {
      const double t = -0.5 + k / 400.0;  // along a row of edges, across vertices, and along a diagonal
      for (const Vec3<double>& at : {Vec3<double>{{t, 0, 0.1}}, {{t, 0.1, 0.1}}, {{t, t, 0.1}}}) {
        for (const double gap : {-0.001, 0.001}) {
          const PlacedShape ball{ShapeKind::kSphere, {{0.1, 0, 0}}, {kUpright, at + Vec3<double>{{0, 0, gap}}}};
          const ContactPatch patch = touch(ball, floor->shape);
          ASSERT_EQ(patch.count, 1) << k << " " << at[1];
          EXPECT_NEAR(patch.points[0].gap, gap, 1e-12);
          expect_normals(patch, {{0, 0, 1}}, 1e-12);
        }
      }
    }
  }
}

/// A sloping height field that is flat is a plane.
TEST(CollisionSurface, FlatHeightFieldIsAPlane) {
  const double slope = 0.3;
  const Prepared field(ShapeKind::kHeightField, height_field(20, 40, [&](double x, double) { return slope * x; }));
  const PlacedShape plane{
      ShapeKind::kPlane, {{0, 0, 0}}, {rotation_from_rpy({{0, -std::atan(slope), 0}}), {{0, 0, 0}}}};
  ShapeSource source(4);
  for (const ShapeKind kind : kConvexKinds) {
    for (int k = 0; k < 100; ++k) {
      PlacedShape shape = source.shape(kind, 1);
      Manifold expected;
      collide(shape, plane, 10, expected);
      const double deepest = std::min_element(expected.points.begin(), expected.points.begin() + expected.count,
                                              [](const auto& x, const auto& y) { return x.gap < y.gap; })
                                 ->gap;
      const double gap = source.between(-0.05, 0.05);
      shape.pose.p += (gap - deepest) * column(plane.pose.R, 2);
      const ContactPatch patch = touch(shape, field.shape, 0.1);
      ASSERT_GE(patch.count, 1) << name_of(kind) << k;
      EXPECT_NEAR(least_gap(patch), gap, 1e-9) << name_of(kind) << k;
      expect_normals(patch, column(plane.pose.R, 2), 1e-6);
    }
  }
}

TEST(CollisionSurface, RidgeCarriesABox) {
  const Prepared roof(ShapeKind::kHeightField, height_field(1, 2, [](double x, double) { return -0.5 * std::abs(x); }));
  for (const double gap : {-1e-3, 1e-3}) {
    const ContactPatch patch =
        touch({ShapeKind::kBox, {{0.4, 0.3, 0.1}}, {kUpright, {{0.05, 0.1, 0.1 + gap}}}}, roof.shape, 0.002);
    ASSERT_EQ(patch.count, 3);  // where its edges cross the ridge, and a vertex between
    expect_normals(patch, {{0, 0, 1}}, 1e-9);
    double low = 1, high = -1;
    for (int k = 0; k < patch.count; ++k) {
      const auto& c = patch.points[static_cast<std::size_t>(k)];
      EXPECT_NEAR(c.gap, gap, 1e-12);
      low = std::min(low, c.position[1]);
      high = std::max(high, c.position[1]);
    }
    EXPECT_NEAR(low, -0.2, 1e-9);
    EXPECT_NEAR(high, 0.4, 1e-9);
  }
}

TEST(CollisionSurface, ValleyHoldsABallOnBothSides) {
  const Prepared valley(ShapeKind::kHeightField, height_field(1, 2, [](double x, double) { return std::abs(x); }));
  const double radius = 0.2;
  const PlacedShape ball{ShapeKind::kSphere, {{radius, 0, 0}}, {kUpright, {{0, 0.1, radius * std::sqrt(2.0)}}}};
  const ContactPatch patch = touch(ball, valley.shape);
  ASSERT_EQ(patch.count, 2);
  EXPECT_EQ(features(patch).size(), 2);
  for (const std::size_t k : {0, 1}) {
    EXPECT_NEAR(patch.points[k].gap, 0, 1e-12);
    EXPECT_NEAR(std::abs(patch.points[k].normal[0]), std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(patch.points[k].normal[2], std::sqrt(0.5), 1e-12);
  }
}

/// What is open has two sides; what is closed, however thin, is touched from outside.
TEST(CollisionSurface, SidesOfMeshes) {
  const Prepared sheet(ShapeKind::kMesh, as_mesh(*height_field(1, 4, kFlat)));
  const Prepared slab(ShapeKind::kMesh, box_surface({{1, 1, 0.002}}));
  for (const double side : {1.0, -1.0}) {
    const PlacedShape ball{ShapeKind::kSphere, {{0.1, 0, 0}}, {kUpright, {{0.1, 0.2, 0.101 * side}}}};
    const PlacedShape box{ShapeKind::kBox, {{0.1, 0.1, 0.1}}, {kUpright, {{0.1, 0.2, 0.101 * side}}}};
    for (const PlacedShape& shape : {ball, box}) {
      for (const Prepared* floor : {&sheet, &slab}) {
        const ContactPatch patch = touch(shape, floor->shape);
        ASSERT_EQ(patch.count, shape.kind == ShapeKind::kBox ? 4 : 1);
        expect_normals(patch, {{0, 0, side}}, 1e-12);
        EXPECT_NEAR(patch.points[0].gap, floor == &sheet ? 0.001 : -0.001, 1e-12);
      }
    }
  }
}

TEST(CollisionSurface, GroundBelowAHeightFieldIsSolid) {
  const Prepared field(ShapeKind::kHeightField, height_field(1, 4, kFlat));
  const ContactPatch patch = touch({ShapeKind::kSphere, {{0.1, 0, 0}}, {kUpright, {{0.1, 0.2, -3}}}}, field.shape);
  ASSERT_EQ(patch.count, 1);
  EXPECT_NEAR(patch.points[0].gap, -3.1, 1e-12);
  expect_normals(patch, {{0, 0, 1}}, 1e-12);
}

TEST(CollisionSurface, OfTwoMeshesTheFirstIsItsHull) {
  const SurfacePointer surface = box_surface({{0.2, 0.2, 0.2}});
  const Prepared mesh(ShapeKind::kMesh, surface), hull(ShapeKind::kHull, surface),
      slab(ShapeKind::kMesh, box_surface({{1, 1, 0.1}}));
  const Pose<double> pose{kUpright, {{0.3, 0.1, 0.299}}};
  const ContactPatch found = touch(mesh.at(pose), slab.shape), expected = touch(hull.at(pose), slab.shape);
  ASSERT_EQ(found.count, 4);
  EXPECT_EQ(features(found), features(expected));
  EXPECT_NEAR(least_gap(found), -0.001, 1e-12);
  // The order of the two only turns the contact round.
  const ContactPatch turned = touch(slab.shape, {ShapeKind::kBox, {{0.2, 0.2, 0.2}}, pose});
  ASSERT_EQ(turned.count, 4);
  expect_normals(turned, {{0, 0, -1}}, 1e-12);
  EXPECT_NEAR(turned.points[0].position[2], 0.1, 1e-12);
}

TEST(CollisionSurface, TrianglesWithoutAreaAreNotThere) {
  const Prepared sheet(ShapeKind::kMesh,
                       make_surface({{{-1, -1, 0}}, {{1, -1, 0}}, {{0, 1, 0}}}, {{0, 1, 2}, {0, 0, 1}, {1, 1, 1}}));
  const ContactPatch patch = touch({ShapeKind::kSphere, {{0.1, 0, 0}}, {kUpright, {{0, 0, 0.1}}}}, sheet.shape);
  ASSERT_EQ(patch.count, 1);
  EXPECT_NEAR(patch.points[0].gap, 0, 1e-12);
}

}  // namespace
}  // namespace delassus::testing
