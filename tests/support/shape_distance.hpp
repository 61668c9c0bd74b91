// How far a point is from the surface of a shape.
#pragma once

#include <algorithm>
#include <cmath>

#include "delassus/model/shape.hpp"

namespace delassus::testing {

/// Of a point in the shape's own axes: zero on the surface, negative inside. Elsewhere it has the right sign; for an
/// ellipsoid it is not a length.
inline double outside(const ShapeDescription& s, const Vec3<double>& x) {
  const double r = std::hypot(x[0], x[1]);
  switch (s.kind) {
    case ShapeKind::kSphere:
      return norm(x) - s.size[0];
    case ShapeKind::kCapsule:
      return std::hypot(r, std::max(std::abs(x[2]) - s.size[1], 0.0)) - s.size[0];
    case ShapeKind::kCylinder:
      return std::max(r - s.size[0], std::abs(x[2]) - s.size[1]);
    case ShapeKind::kBox:
      return std::max({std::abs(x[0]) - s.size[0], std::abs(x[1]) - s.size[1], std::abs(x[2]) - s.size[2]});
    case ShapeKind::kEllipsoid:
      return std::hypot(x[0] / s.size[0], x[1] / s.size[1], x[2] / s.size[2]) - 1;
    case ShapeKind::kPlane:
      return x[2];
    case ShapeKind::kHull:
    case ShapeKind::kMesh:
    case ShapeKind::kHeightField:
      break;  // given by a surface: not asked here
  }
  return 1;
}

}  // namespace delassus::testing
