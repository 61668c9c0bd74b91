// The kinds of joints, their sizes, and what a user says about one.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "delassus/math/rotation.hpp"

namespace delassus {

// kind         q                                       v
// revolute     angle                                   its rate
// prismatic    displacement                            its rate
// helical      angle (displacement = pitch * angle)    its rate
// cylindrical  angle, displacement along the axis      their rates
// universal    angle about axis, then about axis2      their rates
// spherical    unit quaternion x y z w                 angular velocity in the child's axes
// planar       x, y, angle (axis is the normal)        their rates
// free         position, unit quaternion x y z w       angular, then linear velocity, both in the child's axes
enum class JointKind : std::uint8_t {
  kRevolute,
  kPrismatic,
  kHelical,
  kCylindrical,
  kUniversal,
  kSpherical,
  kPlanar,
  kFree,
};

inline constexpr int kNumJointKinds = 8;

struct JointSizes {
  int nq;
  int nv;
  int angles;  // how many coordinates need a sine and a cosine
};

constexpr JointSizes sizes_of(JointKind kind) {
  switch (kind) {
    case JointKind::kRevolute:
      return {1, 1, 1};
    case JointKind::kPrismatic:
      return {1, 1, 0};
    case JointKind::kHelical:
      return {1, 1, 1};
    case JointKind::kCylindrical:
      return {2, 2, 1};
    case JointKind::kUniversal:
      return {2, 2, 2};
    case JointKind::kSpherical:
      return {4, 3, 0};
    case JointKind::kPlanar:
      return {3, 3, 1};
    case JointKind::kFree:
      return {7, 6, 0};
  }
  return {0, 0, 0};
}

std::string_view name_of(JointKind kind);

/// What belongs to one degree of freedom. A limit applies to the coordinate of the same index, so it has a meaning
/// only for joints whose velocities are rates of their coordinates.
struct DofProperties {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double velocity_limit = std::numeric_limits<double>::infinity();
  double effort_limit = std::numeric_limits<double>::infinity();
  double armature = 0;          // inertia of the rotor seen at the joint
  double damping = 0;           // viscous
  double friction_loss = 0;     // dry friction, a bound on force
  double stiffness = 0;         // of a spring at the joint
  double spring_reference = 0;  // the coordinate q at which the spring is at rest
  double reference = 0;         // what the source file's coordinate has at q = 0: theirs = q + reference
  bool operator==(const DofProperties&) const = default;
};

struct JointDescription {
  std::string name;
  JointKind kind = JointKind::kRevolute;
  /// The joint's frame at zero, in the parent body's frame (or in the frame that the body's joint before it moves).
  Pose<double> placement = Pose<double>::identity();
  Vec3<double> axis{{0, 0, 1}};
  Vec3<double> axis2{{1, 0, 0}};  // universal only
  double pitch = 0;               // helical only, metres per radian
  std::array<DofProperties, 6> dofs{};
  bool operator==(const JointDescription&) const = default;
};

/// Whether degree of freedom k of a joint moves its link along a line.
constexpr bool is_displacement(JointKind kind, int k) {
  switch (kind) {
    case JointKind::kPrismatic:
      return true;
    case JointKind::kCylindrical:
      return k == 1;
    case JointKind::kPlanar:
      return k < 2;
    case JointKind::kFree:
      return k >= 3;
    default:
      return false;
  }
}

}  // namespace delassus
