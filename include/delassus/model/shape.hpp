// Primitive shapes that are attached to bodies.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "delassus/math/rotation.hpp"

namespace delassus {

// kind       size
// sphere     radius
// box        half extents x, y, z
// cylinder   radius, half length (axis z)
// capsule    radius, half length of the cylinder part (axis z)
// ellipsoid  half axes x, y, z
// plane      none (normal z)
enum class ShapeKind : std::uint8_t { kSphere, kBox, kCylinder, kCapsule, kEllipsoid, kPlane };

std::string_view name_of(ShapeKind kind);
/// How many entries of `size` a kind uses.
int size_count(ShapeKind kind);

struct ShapeDescription {
  std::string name;  // may be empty
  int body = -1;     // index of the body, or kWorld
  ShapeKind kind = ShapeKind::kSphere;
  Vec3<double> size{{0, 0, 0}};
  Pose<double> placement = Pose<double>::identity();  // in the body's frame
  Vec3<double> friction{{1, 0.005, 0.0001}};          // sliding; torsional and rolling, metres
  int condim = 3;                                     // rows of a contact with it: 1, 3, 4 or 6
  bool operator==(const ShapeDescription&) const = default;
};

}  // namespace delassus
