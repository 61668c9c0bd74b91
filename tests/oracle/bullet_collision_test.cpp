// Gaps and normals against Bullet: its distance and depth of convex shapes, and its contacts with planes.
#include <btBulletCollisionCommon.h>

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>

#include <memory>

#include "support/best_direction.hpp"

namespace delassus::testing {
namespace {

constexpr int kPairs = 10000;

btVector3 bullet_vector(const Vec3<double>& x) { return {x[0], x[1], x[2]}; }
Vec3<double> from_bullet(const btVector3& x) { return {{x[0], x[1], x[2]}}; }
btTransform bullet_pose(const Pose<double>& p) {
  const auto& R = p.R;
  return btTransform(btMatrix3x3(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)),
                     bullet_vector(p.p));
}

/// Bullet has no ellipsoids; it takes any shape that knows its support points.
class BulletEllipsoid : public btConvexInternalShape {
 public:
  explicit BulletEllipsoid(const Vec3<double>& half) : half_(bullet_vector(half)) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& n) const override {
    const btVector3 x = half_ * n;
    return x.length() > 0 ? half_ * x / x.length() : btVector3(0, 0, 0);
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* n, btVector3* out, int count) const override {
    for (int i = 0; i < count; ++i) out[i] = localGetSupportingVertexWithoutMargin(n[i]);
  }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override { inertia.setZero(); }
  const char* getName() const override { return "ellipsoid"; }

 private:
  btVector3 half_;
};

std::unique_ptr<btConvexInternalShape> make_bullet(const PlacedShape& s) {
  std::unique_ptr<btConvexInternalShape> out;
  switch (s.kind) {
    case ShapeKind::kSphere:
      return std::make_unique<btSphereShape>(s.size[0]);
    case ShapeKind::kCapsule:
      return std::make_unique<btCapsuleShapeZ>(s.size[0], 2 * s.size[1]);
    case ShapeKind::kCylinder:
      out = std::make_unique<btCylinderShapeZ>(btVector3(s.size[0], s.size[0], s.size[1]));
      break;
    case ShapeKind::kBox:
      out = std::make_unique<btBoxShape>(bullet_vector(s.size));
      break;
    default:
      out = std::make_unique<BulletEllipsoid>(s.size);
      break;
  }
  out->setMargin(0);  // else corners are round
  return out;
}

struct Answer {
  bool found = false;
  double gap = 0;
  Vec3<double> normal{};
};

Answer ask_bullet(const PlacedShape& a, const PlacedShape& b) {
  const auto shape_a = make_bullet(a), shape_b = make_bullet(b);
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth;
  btGjkPairDetector detector(shape_a.get(), shape_b.get(), &simplex, &depth);
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA = bullet_pose(a.pose);
  input.m_transformB = bullet_pose(b.pose);
  btPointCollector out;
  detector.getClosestPoints(input, out, nullptr);
  return {out.m_hasResult, out.m_distance, from_bullet(out.m_normalOnBInWorld)};
}

/// Bullet's contacts of a convex shape with a plane: it makes one at the lowest point, where that is near the plane.
class BulletPlane : public btCollisionWorld::ContactResultCallback {
 public:
  Answer ask(const PlacedShape& a, const Pose<double>& plane) {
    const auto shape_a = make_bullet(a);
    btStaticPlaneShape shape_b(btVector3(0, 0, 1), 0);
    shape_b.setMargin(0);
    btCollisionObject object_a, object_b;
    object_a.setCollisionShape(shape_a.get());
    object_a.setWorldTransform(bullet_pose(a.pose));
    object_b.setCollisionShape(&shape_b);
    object_b.setWorldTransform(bullet_pose(plane));
    answer_ = {};
    world_.contactPairTest(&object_a, &object_b, *this);
    return answer_;
  }

 private:
  btScalar addSingleResult(btManifoldPoint& p, const btCollisionObjectWrapper*, int, int,
                           const btCollisionObjectWrapper*, int, int) override {
    if (!answer_.found || p.getDistance() < answer_.gap)
      answer_ = {true, p.getDistance(), from_bullet(p.m_normalWorldOnB)};
    return 0;
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  btCollisionWorld world_{&dispatcher_, &broad_phase_, &configuration_};
  Answer answer_;
};

/// Bullet ends its iterations when they change squared distances by less than a millionth.
constexpr double kTolerance = 1e-4;

struct Tally {
  int same = 0, contradicted = 0, other_normal = 0;
};

/// `bias` of the depth is what a pair may lose because faces are preferred to other directions.
void compare(const PlacedShape& a, const PlacedShape& b, double bias, const BestDirection& everywhere, Tally& tally) {
  Manifold m;
  collide(a, b, 100, m);
  ASSERT_GT(m.count, 0);
  const double gap = least_gap(m), tolerance = kTolerance + bias * std::abs(gap);
  const Answer bullet = ask_bullet(a, b);
  // Its depth is not always that along its own normal: the polytope of curved shapes fails. That is no answer.
  if (!bullet.found || std::abs(bullet.gap - separation_along(a, b, bullet.normal)) > kTolerance) {
    ++tally.contradicted;
    ASSERT_NEAR(gap, everywhere.separation(a, b), tolerance);
    return;
  }
  ASSERT_NEAR(gap, bullet.gap, tolerance);
  ++tally.same;
  if (dot(m.normal, bullet.normal) < 0.999) ++tally.other_normal;
}

TEST(BulletCollision, GapsAndNormalsAreThoseOfBullet) {
  const BestDirection everywhere(2000);
  for (std::size_t i = 0; i < kConvexKinds.size(); ++i) {
    for (std::size_t j = i; j < kConvexKinds.size(); ++j) {
      ShapeSource source(static_cast<unsigned>(10 * i + j + 1));
      Tally tally;
      // Edges of boxes have to be better than faces by 1 %, anything else by 0.1 %.
      const bool edges = kConvexKinds[i] == ShapeKind::kBox &&
                         (kConvexKinds[j] == ShapeKind::kBox || kConvexKinds[j] == ShapeKind::kCapsule);
      int pairs = 0;
      for (; tally.same < kPairs && pairs < 2 * kPairs; ++pairs) {
        const PlacedShape a = source.shape(kConvexKinds[i], 0.8), b = source.shape(kConvexKinds[j], 0.8);
        SCOPED_TRACE(name_of_pair(a, b) + " " + std::to_string(pairs));
        compare(a, b, edges ? 0.01 : 0.001, everywhere, tally);
        if (HasFatalFailure()) return;
      }
      EXPECT_EQ(tally.same, kPairs);
      // Normals differ where two directions separate equally well, to within the bias; most often for edges.
      EXPECT_LE(tally.other_normal, edges ? 0.04 * kPairs : 0.001 * kPairs);
      RecordProperty(std::string(name_of(kConvexKinds[i])) + "_" + std::string(name_of(kConvexKinds[j])),
                     std::to_string(tally.contradicted) + " contradicted, " + std::to_string(tally.other_normal) +
                         " with another normal");
    }
  }
}

TEST(BulletCollision, GapsToPlanesAreThoseOfBullet) {
  BulletPlane bullet;
  for (const ShapeKind kind : kConvexKinds) {
    ShapeSource source(100 + static_cast<unsigned>(kind));
    int answered = 0;
    for (int k = 0; k < 4 * kPairs && answered < kPairs; ++k) {
      const PlacedShape a = source.shape(kind, 0.5), plane = source.shape(ShapeKind::kPlane, 0.5);
      const Answer expected = bullet.ask(a, plane.pose);
      if (!expected.found) continue;
      ++answered;
      Manifold m;
      collide(a, plane, 0.1, m);  // Bullet has some slack of its own
      ASSERT_GT(m.count, 0) << name_of(kind) << " " << k;
      // A few operations on numbers below 10.
      ASSERT_NEAR(least_gap(m), expected.gap, 1e-13) << name_of(kind) << " " << k;
      ASSERT_NEAR(dot(m.normal, expected.normal), 1, 1e-13) << name_of(kind) << " " << k;
    }
    EXPECT_EQ(answered, kPairs);
  }
}

}  // namespace
}  // namespace delassus::testing
