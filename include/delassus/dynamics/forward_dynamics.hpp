// Accelerations from forces, and products with M⁻¹, by the articulated-body algorithm.
#pragma once

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/boxed.hpp"
#include "delassus/math/error.hpp"

namespace delassus {

/// Workspaces of all its stages.
template <class T>
struct ForwardDynamics {
  struct Tree;  // what M⁻¹ is made of

  explicit ForwardDynamics(const Model& model);

  Kinematics<T> kin;  // of the last aba, like the velocities
  Velocities<T> vel;
  Boxed<Tree> tree;  // of the last aba or articulate
};

/// qdd = M⁻¹(tau - h) from scratch. Friction, damping and limits are not in it. qdd is not written if the tree is singular.
template <class T>
Status aba(const Model& model, In<T> q, In<T> v, In<T> tau, Out<T> qdd, ForwardDynamics<T>& work);

/// Articulated inertias at the configuration of kin, once for all calls below. kSingularJoint names the joint at which M is singular.
template <class T>
Status articulate(const Model& model, const Kinematics<T>& kin, ForwardDynamics<T>& work);

/// qdd = M⁻¹(tau - h).
template <class T>
void forward_dynamics(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel, In<T> tau, Out<T> qdd,
                      ForwardDynamics<T>& work);

/// x ← M⁻¹ x.
template <class T>
void apply_inverse_inertia(const Model& model, Out<T> x, ForwardDynamics<T>& work);
/// The same for every column of a panel (nv × k), several at a time.
template <class T>
void apply_inverse_inertia_panel(const Model& model, MatrixOut<T> X, ForwardDynamics<T>& work);

}  // namespace delassus
