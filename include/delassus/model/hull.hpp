// The convex hull of points.
#pragma once

#include <span>
#include <string>

#include "delassus/model/surface.hpp"

namespace delassus {

/// Corners of the hull, in the order of the points, and triangles around it. Points that are within 1e-10 of the size of a
/// face (1e-6 at most, where rounding asks for more) lie in it, and are no corners. Throws an Error if all points lie in one
/// plane. (Barber, Dobkin and Huhdanpaa, The quickhull algorithm for convex hulls, ACM Transactions on Mathematical Software
/// 22, 1996.)
SurfacePointer make_hull(std::span<const Vec3<double>> points, std::string source = {});

}  // namespace delassus
