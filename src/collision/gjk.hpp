// The distance of two convex cores that are apart.
#pragma once

#include "collision/convex_pair.hpp"

namespace delassus::collision {

enum class Apart {
  kBeyond,   // by more than the reach
  kYes,      // and n is the direction from b to a in which they are
  kTouching  // or overlapping: there is no direction to be had from the distance
};

/// The algorithm of Gilbert, Johnson and Keerthi (IEEE J. Robotics and Automation 4, 1988): a simplex in the difference of
/// the cores walks to the point that is nearest to the origin.
Apart find_distance(const ConvexPair& pair, double reach, Vec3<double>& n);

}  // namespace delassus::collision
