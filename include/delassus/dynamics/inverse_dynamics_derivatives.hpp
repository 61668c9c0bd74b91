// Derivatives of inverse dynamics with q and v.
//
// Paper: Singh, Russell, Wensing, "Efficient Analytical Derivatives of Rigid-Body Dynamics using Spatial Vector Algebra"
// (docs/algorithms/derivatives.md).
//
//   symbol  here
//   IC      inertia of a link and of all that it carries
//   BC      Coriolis forces of the same: BC x = 2 ∫ α × ṙ dm at each point, for a motion x whose angular part is α
//   f       wrench that all of them take
#pragma once

#include "delassus/kinematics/motion_derivatives.hpp"

namespace delassus {

template <class T>
struct InverseDynamicsDerivatives {
  explicit InverseDynamicsDerivatives(const Model& model);

  /// Wrenches that act on links, about their origins, and move with them. None, unless the caller writes some.
  LinkArray<Force<T>> external;

  // Of a link and of all that it carries, about the point of MotionDerivatives.
  LinkArray<RigidInertia<T>> inertia;
  LinkArray<Mat3<T>> turning;   // BC: moment of α
  LinkArray<Vec3<T>> momentum;  // BC: force is 2 α × momentum
  LinkArray<Force<T>> force;
};

/// tau_q and tau_v (nv × nv): derivatives of rnea less what the external wrenches do to the joints, at the motion in `motion`.
/// O(n d) for trees of depth d.
template <class T>
void rnea_derivatives(const Model& model, const Kinematics<T>& kin, const MotionDerivatives<T>& motion,
                      MatrixOut<T> tau_q, MatrixOut<T> tau_v, InverseDynamicsDerivatives<T>& work);

}  // namespace delassus
