// Where two shapes touch: up to four points that share a normal.
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

}  // namespace delassus
