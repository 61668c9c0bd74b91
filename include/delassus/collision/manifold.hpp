// Where two shapes touch: up to four points that share a normal, or more where one of them is not convex.
#pragma once

#include <array>
#include <cstdint>

#include "delassus/math/mat.hpp"

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

}  // namespace delassus
