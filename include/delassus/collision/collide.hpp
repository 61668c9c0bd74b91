// Contact points of two shapes. docs/collision.md says which pair is solved how.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "delassus/math/mat.hpp"
#include "delassus/model/shape.hpp"

namespace delassus {

struct ContactPoint {
  Vec3<double> position;  // world axes, on the surface of shape a
  double gap;             // signed distance of the surfaces along the normal; negative where they penetrate
  std::uint32_t feature;  // stays the same while the same features touch; differs within a manifold
};

struct Manifold {
  Vec3<double> normal;  // unit, world axes, from b to a
  int count = 0;
  std::array<ContactPoint, 4> points;
};

/// Points with normals of their own; up to four for each normal.
struct ContactPatch {
  static constexpr int kMost = 64;
  struct Point {
    Vec3<double> position, normal;  // as above
    double gap;
    std::uint32_t feature;
  };
  int count = 0;
  std::array<Point, kMost> points;
};

/// A hull, a mesh or a height field made ready for collisions: neighbours, a tree of bounds.
class CollisionSurface;

/// Null for shapes without a surface. Throws an Error that names the shape if the points of a hull lie in one plane, or if
/// this library was built without Bullet.
std::shared_ptr<const CollisionSurface> make_collision_surface(const ShapeDescription& shape);

struct PlacedShape {
  ShapeKind kind;
  Vec3<double> size;  // as in ShapeDescription; zeros are allowed here
  Pose<double> pose;
  const CollisionSurface* surface = nullptr;  // of kinds that have one
};

/// Up to four points where a and b are at most `margin` apart. The result depends on the arguments alone, to the bit;
/// finite arguments give finite points and a unit normal. Nothing is allocated. Two planes never touch. Meshes are as their
/// convex hulls here, and height fields touch nothing.
void collide(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out);

/// The same for all kinds. Of two meshes, and of a mesh and a height field, the first is as its convex hull; so is a mesh
/// on a plane. Two height fields never touch.
void collide(const PlacedShape& a, const PlacedShape& b, double margin, ContactPatch& out);

}  // namespace delassus
