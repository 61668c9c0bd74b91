// Contacts of random pairs against widths of shapes alone: which direction separates them most, and that points lie where
// they say.
#include "support/best_direction.hpp"
#include "support/shape_distance.hpp"

namespace delassus::testing {
namespace {

constexpr int kPairsOfKinds = 40;

template <class Check>
void for_each_pair(double side, Check&& check) {
  for (const ShapeKind i : kConvexKinds) {
    for (const ShapeKind j : kConvexKinds) {
      ShapeSource source(17 * static_cast<unsigned>(i) + static_cast<unsigned>(j));
      for (int k = 0; k < kPairsOfKinds; ++k) {
        const PlacedShape a = source.shape(i, side), b = source.shape(j, side);
        SCOPED_TRACE(name_of_pair(a, b) + " " + std::to_string(k));
        check(a, b);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Collision, NoDirectionSeparatesMoreThanTheNormal) {
  const BestDirection everywhere(1500);
  for_each_pair(0.7, [&](const PlacedShape& a, const PlacedShape& b) {
    Manifold m;
    collide(a, b, 100, m);
    ASSERT_GT(m.count, 0);
    const double along = separation_along(a, b, m.normal);
    // Of more than four points the deepest may be left out for one that is 1e-5 of the size higher; sizes are up to 1.
    ASSERT_NEAR(least_gap(m), along, 1e-5);
    // Edges have to be better than faces by 1 % of the depth.
    ASSERT_GE(along, everywhere.separation(a, b) - 0.01 * std::abs(along) - 2e-6);
  });
}

ShapeDescription described(const PlacedShape& s) {
  ShapeDescription d;
  d.kind = s.kind;
  d.size = s.size;
  return d;
}

double off_surface(const PlacedShape& s, const Vec3<double>& x) { return outside(described(s), inverse(s.pose) * x); }

/// Moved along the normal until the two overlap by a millimetre.
bool made_shallow(PlacedShape& a, const PlacedShape& b) {
  Manifold m;
  for (int k = 0; k < 20; ++k) {
    collide(a, b, 100, m);
    const double excess = least_gap(m) + 1e-3;
    if (std::abs(excess) < 1e-9) return true;
    a.pose.p -= excess * m.normal;
  }
  return false;
}

TEST(Collision, PointsLieOnBothSurfaces) {
  int shallow = 0;
  for_each_pair(0.7, [&](PlacedShape a, const PlacedShape& b) {
    if (!made_shallow(a, b)) return;
    ++shallow;
    Manifold m;
    collide(a, b, 1e-3, m);
    ASSERT_GT(m.count, 0);
    for (int k = 0; k < m.count; ++k) {
      const ContactPoint& c = m.points[static_cast<std::size_t>(k)];
      ASSERT_LE(c.gap, 1e-3);
      // Near an edge, the deepest point may lie beside the face it is deep in, by about the depth. An ellipsoid's measure
      // is up to 10 times a length, but its points are exact.
      ASSERT_NEAR(off_surface(a, c.position), 0, 2e-3);
      ASSERT_NEAR(off_surface(b, c.position - c.gap * m.normal), 0, 2e-3);
      for (int l = 0; l < k; ++l) ASSERT_NE(c.feature, m.points[static_cast<std::size_t>(l)].feature);
    }
  });
  EXPECT_GT(shallow, 20 * kPairsOfKinds);
}

TEST(Collision, SmallMotionsMakeSmallChanges) {
  constexpr double kStep = 1e-5;
  int steps = 0, changes = 0;
  ShapeSource source(9);
  for_each_pair(0.7, [&](PlacedShape a, const PlacedShape& b) {
    if (!made_shallow(a, b)) return;
    Manifold before, m;
    collide(a, b, 0.01, before);
    a.pose.p += kStep * source.direction();
    a.pose.R = a.pose.R * rotation_from_rpy(kStep * source.direction());
    collide(a, b, 0.01, m);
    ++steps;
    bool same = m.count == before.count;
    for (std::size_t k = 0; same && k < static_cast<std::size_t>(m.count); ++k)
      same = m.points[k].feature == before.points[k].feature;
    changes += !same;
    // A point of a moves by the step, and by the step times its distance from the centre, less than 2; and ties are
    // settled by 1e-5 of the size and 1 % of the depth of 1e-3.
    ASSERT_NEAR(least_gap(m), least_gap(before), 3 * kStep + 1e-5 + 1e-5);
  });
  EXPECT_GT(steps, 20 * kPairsOfKinds);
  // Points come and go at the margin and at borders of faces, which one in a thousand steps of this size crosses.
  EXPECT_LE(changes, steps / 200);
}

TEST(Collision, TheOrderOfTheTwoChangesTheSideAlone) {
  for_each_pair(0.7, [](const PlacedShape& a, const PlacedShape& b) {
    Manifold m, other;
    collide(a, b, 100, m);
    collide(b, a, 100, other);
    // Within what faces of the first are preferred by.
    const double tolerance = 1e-5 + 0.01 * std::abs(least_gap(m));
    ASSERT_NEAR(least_gap(m), least_gap(other), tolerance);
  });
}

TEST(Collision, MovingTheWholeSceneMovesTheContacts) {
  ShapeSource source(3);
  const Pose<double> motion{source.rotation(), {{3, -2, 5}}};
  for_each_pair(0.7, [&](PlacedShape a, PlacedShape b) {
    Manifold m, moved;
    collide(a, b, 0.1, m);
    a.pose = motion * a.pose;
    b.pose = motion * b.pose;
    collide(a, b, 0.1, moved);
    ASSERT_EQ(m.count, moved.count);
    for (std::size_t k = 0; k < static_cast<std::size_t>(m.count); ++k) {
      ASSERT_EQ(m.points[k].feature, moved.points[k].feature);
      // Rounding of coordinates below 10, through directions that depend on its square root where sides are curved.
      ASSERT_NEAR(m.points[k].gap, moved.points[k].gap, 1e-6);
      ASSERT_NEAR(norm(motion * m.points[k].position - moved.points[k].position), 0, 1e-4);
    }
  });
}

}  // namespace
}  // namespace delassus::testing
