// The constraint Jacobian as a map, without forming it, and as a matrix.
#pragma once

#include "delassus/constraints/rows.hpp"
#include "delassus/kinematics/kinematics.hpp"

namespace delassus {

/// Vectors of one pass over the links.
template <class T>
struct LinkMotions {
  explicit LinkMotions(const Model& model) : motion(model, Motion<T>::zero()) {}
  LinkArray<Motion<T>> motion;
};
template <class T>
struct LinkForces {
  explicit LinkForces(const Model& model) : force(model, Force<T>::zero()) {}
  LinkArray<Force<T>> force;
};

/// y = J ν (or J ν̇ without drift).
template <class T>
void apply_jacobian(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, In<T> nu, Out<T> y,
                    LinkMotions<T>& work);

/// tau = Jᵀ λ.
template <class T>
void apply_jacobian_transpose(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, In<T> lambda,
                              Out<T> tau, LinkForces<T>& work);

/// J as a matrix (rows × nv).
template <class T>
void constraint_jacobian(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, MatrixOut<T> J);

}  // namespace delassus
