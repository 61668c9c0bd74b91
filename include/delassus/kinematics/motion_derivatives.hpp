// How the motion of every link changes with q and v: what derivatives of forces and of constraints are made of.
//
// Paper: Singh, Russell, Wensing, "Efficient Analytical Derivatives of Rigid-Body Dynamics using Spatial Vector Algebra"
// (docs/algorithms/derivatives.md). A step of one degree of freedom along its column S displaces every link that
// it carries by S, and changes their motions by
//
//   with q   δV = S × V + Ψ̇    δA = S × A + Ψ̇ × V + Ψ̈
//   with v   δV = S            δA = S × V + Ψ̇ + Ṡ
//
// which goes with the link but for Ψ̇ and Ψ̈: the rates that S would have if it were fixed in what carries it. Steps in q are
// those of integrate: of rotations and free bodies, along the columns of the body's own axes.
#pragma once

#include <vector>

#include "delassus/kinematics/kinematics.hpp"

namespace delassus {

/// The rate of a motion, and of a wrench, that a body with the motion `a` carries. All about one point.
template <class T>
DELASSUS_INLINE Motion<T> carried(const Motion<T>& a, const Motion<T>& b) {
  return {cross(a.angular, b.angular), cross(a.angular, b.linear) + cross(a.linear, b.angular)};
}
template <class T>
DELASSUS_INLINE Force<T> carried(const Motion<T>& a, const Force<T>& f) {
  return {cross(a.angular, f.moment) + cross(a.linear, f.force), cross(a.angular, f.force)};
}

/// Spatial vectors in world axes about a point that stands still: where the root of the link's tree has its origin now.
template <class T>
struct MotionDerivatives {
  explicit MotionDerivatives(const Model& model);

  std::vector<T> v, qdd;
  LinkArray<Vec3<T>> lever;                       // from that point to the link's origin
  LinkArray<Motion<T>> velocity, acceleration;    // V and A; A is that of a spatial vector, gravity is not in it
  std::vector<Motion<T>> S, rate, second, twice;  // per degree of freedom: S, Ψ̇, Ψ̈ and Ψ̇ + Ṡ
};

/// At the joint velocities v and accelerations qdd. O(n).
template <class T>
void update_motion_derivatives(const Model& model, const Kinematics<T>& kin, In<T> v, In<T> qdd,
                               MotionDerivatives<T>& out);

/// Whether the axes of a joint are those of its link, so that all of them turn with each of its degrees of freedom. In other
/// joints each carries those after it.
constexpr bool has_axes_of_link(JointKind kind) { return kind == JointKind::kSpherical || kind == JointKind::kFree; }

}  // namespace delassus
