// Random shapes, and what is known of a pair of them without looking for contacts: how far a direction separates them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include "delassus/collision/collide.hpp"

namespace delassus::testing {

inline constexpr std::array kConvexKinds{ShapeKind::kSphere, ShapeKind::kBox, ShapeKind::kCylinder, ShapeKind::kCapsule,
                                         ShapeKind::kEllipsoid};
inline constexpr std::array kAllKinds{ShapeKind::kSphere,  ShapeKind::kBox,       ShapeKind::kCylinder,
                                      ShapeKind::kCapsule, ShapeKind::kEllipsoid, ShapeKind::kPlane};

class ShapeSource {
 public:
  explicit ShapeSource(unsigned seed) : random_(seed) {}

  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  Vec3<double> direction() {
    const Vec3<double> x{{normal_(random_), normal_(random_), normal_(random_)}};
    return (1 / norm(x)) * x;
  }
  Mat3<double> rotation() {
    const Quaternion<double> q{{normal_(random_), normal_(random_), normal_(random_), normal_(random_)}};
    return rotation_of(q);
  }
  /// Sizes from 0.1 to 1, centres in a cube of that half side.
  PlacedShape shape(ShapeKind kind, double side) {
    const Vec3<double> size{{between(0.1, 1), between(0.1, 1), between(0.1, 1)}};
    const Vec3<double> centre{{between(-side, side), between(-side, side), between(-side, side)}};
    return {kind, size, {rotation(), centre}};
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

/// Half the width of a shape along the unit vector n, from the definitions in model/shape.hpp.
inline double half_width(const PlacedShape& s, const Vec3<double>& n) {
  const Vec3<double> m = transposed(s.pose.R) * n;
  const auto scaled = [&](int k) { return std::abs(m[k]) * s.size[k]; };
  switch (s.kind) {
    case ShapeKind::kSphere:
      return s.size[0];
    case ShapeKind::kCapsule:
      return s.size[0] + s.size[1] * std::abs(m[2]);
    case ShapeKind::kCylinder:
      return s.size[0] * std::hypot(m[0], m[1]) + s.size[1] * std::abs(m[2]);
    case ShapeKind::kBox:
      return scaled(0) + scaled(1) + scaled(2);
    case ShapeKind::kEllipsoid:
      return std::hypot(scaled(0), scaled(1), scaled(2));
    case ShapeKind::kPlane:
      return 0;
    case ShapeKind::kHull:
    case ShapeKind::kMesh:
    case ShapeKind::kHeightField:
      break;  // given by a surface: not asked here
  }
  return 0;
}

/// How far n, from b to a, separates two shapes. Along any n at most their distance, or minus their depth. A plane has but
/// one direction.
inline double separation_along(const PlacedShape& a, const PlacedShape& b, const Vec3<double>& n) {
  return dot(n, a.pose.p - b.pose.p) - half_width(a, n) - half_width(b, n);
}

inline double least_gap(const Manifold& m) {
  double least = HUGE_VAL;
  for (int k = 0; k < m.count; ++k) least = std::min(least, m.points[static_cast<std::size_t>(k)].gap);
  return least;
}

inline std::string name_of_pair(const PlacedShape& a, const PlacedShape& b) {
  return std::string(name_of(a.kind)) + " and " + std::string(name_of(b.kind));
}

}  // namespace delassus::testing
