// Shapes that are attached to bodies.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "delassus/math/rotation.hpp"

namespace delassus {

class Surface;  // model/surface.hpp

// kind          size
// sphere        radius
// box           half extents x, y, z
// cylinder      radius, half length (axis z)
// capsule       radius, half length of the cylinder part (axis z)
// ellipsoid     half axes x, y, z
// plane         none (normal z)
// hull          none: the convex hull of its surface's vertices
// mesh          none: the triangles of its surface
// heightfield   none: its surface, with solid ground below; on what does not move
enum class ShapeKind : std::uint8_t {
  kSphere,
  kBox,
  kCylinder,
  kCapsule,
  kEllipsoid,
  kPlane,
  kHull,
  kMesh,
  kHeightField
};
inline constexpr int kNumShapeKinds = 9;

std::string_view name_of(ShapeKind kind);
/// How many entries of `size` a kind uses.
int size_count(ShapeKind kind);
/// Whether a kind is given by a surface: a hull, a mesh or a height field.
constexpr bool has_surface(ShapeKind kind) { return kind >= ShapeKind::kHull; }

struct ShapeDescription {
  std::string name;  // may be empty
  int body = -1;     // index of the body, or kWorld
  ShapeKind kind = ShapeKind::kSphere;
  Vec3<double> size{{0, 0, 0}};
  Pose<double> placement = Pose<double>::identity();  // in the body's frame
  Vec3<double> friction{{1, 0.005, 0.0001}};          // sliding; torsional and rolling, metres
  int condim = 3;                                     // rows of a contact with it: 1, 3, 4 or 6
  std::shared_ptr<const Surface> surface = nullptr;   // of kinds that have one, null for the others
  /// Surfaces are compared by what they are, not by where they are stored.
  bool operator==(const ShapeDescription& other) const;
};

}  // namespace delassus
