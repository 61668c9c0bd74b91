// Accelerations of points of links at zero joint acceleration. Shared by the drift of rows, and by generated code, in which contacts are inputs.
#pragma once

#include "delassus/kinematics/kinematics.hpp"

namespace delassus {

/// Of the point at r from the link's origin.
template <class T>
Vec3<T> point_velocity(const Velocities<T>& vel, int link, const Vec3<T>& r) {
  return shifted(vel.velocity[link], r).linear;
}

/// d/dt of that velocity where the point at r moves with velocity u of its own.
template <class T>
Vec3<T> point_acceleration(const Velocities<T>& vel, int link, const Vec3<T>& r, const Vec3<T>& u) {
  const Vec3<T>& spin = vel.velocity[link].angular;
  return shifted(vel.bias_acceleration[link], r).linear + cross(spin, u - vel.velocity[link].linear);
}
/// Where it is fixed to the link.
template <class T>
Vec3<T> point_acceleration(const Velocities<T>& vel, int link, const Vec3<T>& r) {
  return point_acceleration(vel, link, r, point_velocity(vel, link, r));
}

/// Of one body against another.
template <class T>
struct RelativeAcceleration {
  Vec3<T> linear, angular;
};

/// Of link a against b at a point that moves with a, where `lever` is the way to it from a's origin.
template <class T>
RelativeAcceleration<T> contact_acceleration(const Kinematics<T>& kin, const Velocities<T>& vel, int a, int b,
                                             const Vec3<T>& lever) {
  const Vec3<T> u = point_velocity(vel, a, lever), at_b = lever + (kin.pose[a].p - kin.pose[b].p);
  return {point_acceleration(vel, a, lever) - point_acceleration(vel, b, at_b, u),
          vel.bias_acceleration[a].angular - vel.bias_acceleration[b].angular};
}

}  // namespace delassus
