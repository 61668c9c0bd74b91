// The part of a core's surface that faces a direction.
#pragma once

#include <cstdint>

#include "collision/convex_pair.hpp"

namespace delassus::collision {

/// A point, a segment or a convex polygon, in the core's own axes.
struct Feature {
  static constexpr int kMost = 8;
  Vec3<double> point[kMost];
  std::uint32_t code[kMost];  // of each point among those of the shape
  int count = 0;
  std::uint32_t name = 0;  // which corner, edge or face of the shape: less than 256
};

/// The feature that faces m, a unit vector, with all its points at most `spread` lower than the highest. Faces and
/// edges that m is at right angles to, or nearly so, are always whole.
Feature facing(const Convex& s, const Vec3<double>& m, double spread);

}  // namespace delassus::collision
