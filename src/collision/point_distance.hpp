// The signed distance of a point from a shape.
#pragma once

#include "collision/convex_pair.hpp"

namespace delassus::collision {

/// Of x from the surface of s, both in the axes of s; negative inside. n is the outward normal at the nearest point.
double point_distance(const Convex& s, const Vec3<double>& x, Vec3<double>& n);

}  // namespace delassus::collision
