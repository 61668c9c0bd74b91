// Convex hulls of points: which are corners, that the triangles close, and what has none.
#include "delassus/model/surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "delassus/math/error.hpp"
#include "delassus/math/rotation.hpp"

namespace delassus::testing {
namespace {

using Points = std::vector<Vec3<double>>;

Points cube_corners() {
  Points out;
  for (int k = 0; k < 8; ++k) out.push_back({{k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0}});
  return out;
}

double volume(const Surface& hull) {
  double out = 0;
  for (const auto& [a, b, c] : hull.triangles()) {
    const auto at = [&](std::int32_t i) { return hull.vertices()[static_cast<std::size_t>(i)]; };
    out += dot(at(a), cross(at(b), at(c))) / 6;
  }
  return out;
}

/// Each edge has the triangle beyond it, which runs along it the other way, and all are one sphere.
void expect_closed(const Surface& hull) {
  std::set<std::pair<std::int32_t, std::int32_t>> edges;
  for (const Triangle& t : hull.triangles()) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(edges.insert({t[k], t[(k + 1) % 3]}).second);
  }
  for (const auto& [from, to] : edges) EXPECT_TRUE(edges.contains({to, from}));
  EXPECT_EQ(hull.triangles().size(), 2 * hull.vertices().size() - 4);  // Euler's formula
}

/// No point is above a triangle by more than `slack`.
void expect_hull_of(const Points& points, const Surface& hull, double slack) {
  expect_closed(hull);
  for (const auto& [a, b, c] : hull.triangles()) {
    const auto at = [&](std::int32_t i) { return hull.vertices()[static_cast<std::size_t>(i)]; };
    const Vec3<double> across = cross(at(b) - at(a), at(c) - at(a));
    for (const Vec3<double>& x : points) EXPECT_LE(dot(across, x - at(a)), slack * norm(across));
  }
}

TEST(Hull, CubeHasItsCornersAndNoOtherPoints) {
  const Points corners = cube_corners();
  Points points = corners;
  points.insert(points.end(), corners.begin(), corners.end());  // each twice
  std::mt19937 random(1);
  std::uniform_real_distribution<double> inside(-1, 1);
  for (int k = 0; k < 200; ++k) {
    Vec3<double> x{{inside(random), inside(random), inside(random)}};
    if (k % 2 == 0) x[k % 3] = k % 4 == 0 ? 1 : -1;  // in a face
    points.push_back(x);
  }
  points.push_back({{1, 1, 0}});  // on an edge
  const SurfacePointer hull = make_hull(points, "cube");
  EXPECT_EQ(Points(hull->vertices().begin(), hull->vertices().end()), corners);
  EXPECT_EQ(hull->source(), "cube");
  EXPECT_EQ(volume(*hull), 8);  // sums of whole numbers over six: exact
  expect_hull_of(points, *hull, 0);
}

TEST(Hull, AllPointsOfASphereAreCorners) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  Points points;
  for (int k = 0; k < 500; ++k) {
    const Vec3<double> x{{normal(random), normal(random), normal(random)}};
    points.push_back((1 / norm(x)) * x);
  }
  const SurfacePointer hull = make_hull(points);
  EXPECT_EQ(hull->vertices().size(), points.size());
  expect_hull_of(points, *hull, 4e-10);  // points within 1e-10 of the size, 2, of a face are taken to lie in it
}

/// Coordinates as a file in single precision has them: faces are flat to 6e-8, so that their points are corners or not by chance.
TEST(Hull, RoundedFacesClose) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> angle(-3, 3);
  for (const double jitter : {1e-6, 1e-7, 1e-8, 1e-9, 2e-10, 1e-10, 1e-12}) {
    for (int round = 0; round < 20; ++round) {
      SCOPED_TRACE(std::to_string(jitter * 1e12) + "e-12, round " + std::to_string(round));
      const Mat3<double> R = rotation_from_rpy(Vec3<double>{{angle(random), angle(random), angle(random)}});
      std::uniform_real_distribution<double> rounding(-jitter, jitter);
      Points points;
      for (int k = 0; k < 6 * 6 * 6; ++k) {
        const int layer = k / 36, row = k / 6 % 6;
        const Vec3<double> x{{k % 6 / 5.0, row / 5.0, layer / 5.0}};
        points.push_back(R * x + Vec3<double>{{rounding(random), rounding(random), rounding(random)}});
      }
      const SurfacePointer hull = make_hull(points);
      expect_closed(*hull);
      // Six faces of area one, each moved by less than two roundings, and by what lies in a face: a hundred times the rounding.
      EXPECT_NEAR(volume(*hull), 1, 6 * (2 * jitter + std::max(100 * jitter, 1e-9)));
    }
  }
}

TEST(Hull, FlatOrWrongPointsAreRefused) {
  const auto message = [](const Points& points, const std::string& source = "") -> std::string {
    try {
      make_hull(points, source);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const std::string flat =
      " points that lie in one plane have no convex hull with a volume; add points, or make it a mesh";
  EXPECT_EQ(message({}), "make_hull: 0" + flat);
  EXPECT_EQ(message(Points(9, {{1, 2, 3}})), "make_hull: 9" + flat);
  EXPECT_EQ(message({{{0, 0, 0}}, {{1, 1, 1}}, {{2, 2, 2}}, {{3, 3, 3}}}), "make_hull: 4" + flat);
  EXPECT_EQ(message({{{0, 0, 1}}, {{1, 0, 1}}, {{0, 1, 1}}, {{1, 1, 1}}}, "sticker.stl"), "sticker.stl: 4" + flat);
  EXPECT_EQ(message({{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, std::nan("")}}}),
            "make_hull: point 3 is not finite");
}

}  // namespace
}  // namespace delassus::testing
