// From constraints to rows, in two calls: structure when the set of constraints changes, values at each configuration. And what
// follows from rows: their drift and positions, and the Jacobian, as a map and as a matrix.
#pragma once

#include <span>

#include "delassus/constraints/constraint.hpp"
#include "delassus/constraints/rows.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/error.hpp"

namespace delassus {

/// Which links and how many rows. Throws an Error that names the constraint if one does not fit the model; the rows
/// then keep their former structure. Where that does not change, it keeps its identity.
void lower_structure(const Model& model, std::span<const Constraint> constraints, RowStructure& rows);
/// The same, with room for the values, and with the sets of forces.
template <class T>
void lower_structure(const Model& model, std::span<const Constraint> constraints, ConstraintRows<T>& rows);

/// The numbers, at the configuration in `kin`. Everything in a constraint but its kind, its links or joints, the number of
/// its rows and its set is read anew here, so contact points and axes may have moved since lower_structure; a constraint
/// that has become another throws an Error. kDegenerate names a
/// distance whose points coincide, or a universal joint whose arms are parallel.
template <class T>
Status lower_values(const Model& model, const Kinematics<T>& kin, std::span<const Constraint> constraints,
                    ConstraintRows<T>& rows);

/// J̇ν: the rows' accelerations at zero joint acceleration.
template <class T>
void constraint_drift(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel,
                      std::span<const Constraint> constraints, const ConstraintRows<T>& rows, Out<T> drift);

/// How far each row is from where it should be: gaps, misalignments, room to a limit. float and double only.
template <FloatingPoint T>
void constraint_positions(const Model& model, const Kinematics<T>& kin, std::span<const Constraint> constraints,
                          const ConstraintRows<T>& rows, Out<T> position);

/// a* = -J̇ν - damping Jν - stiffness φ: the row accelerations that bring positions back (Baumgarte).
template <class T>
void stabilised_target(In<T> drift, In<T> velocity, In<T> position, double stiffness, double damping, Out<T> target);

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

/// y = J ν (or J ν̇ without drift), without forming J.
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
