// Derivatives of constraint rows: of their accelerations with q and v, and of their forces with q.
//
// A row sees no more of the mechanism than the displacements, velocities and accelerations of its few links. So its derivative
// is three wrenches on each of them, whatever the size of the mechanism, which meet the columns S, Ψ̇ and Ψ̈ of
// MotionDerivatives on the way to the world (docs/algorithms/derivatives.md).
#pragma once

#include <span>
#include <vector>

#include "delassus/constraints/lower.hpp"
#include "delassus/kinematics/motion_derivatives.hpp"

namespace delassus {

/// Memory of row_derivatives.
template <class T>
struct RowDerivatives {
  /// What one row of one block makes of a displacement of the link, and of changes of its velocity and acceleration.
  struct Gradient {
    Force<T> with_S, with_rate, with_second;
  };

  /// For the structure of these rows. Allocates only beyond what it ever had.
  void resize(const ConstraintRows<T>& rows);
  std::size_t bytes() const { return heap_bytes(first, gradients); }

  std::vector<std::int32_t> first;  // per block, its first gradient
  std::vector<Gradient> gradients;  // per row of each block
};

/// row_q and row_v (m × nv): derivatives of J ν̇ + J̇ν + damping Jν + stiffness φ, at the v and qdd of `motion`. The derivative of
/// φ is taken to be J, as it is for rows that are where they should be. resize comes first.
template <class T>
void row_derivatives(const Model& model, const Kinematics<T>& kin, const MotionDerivatives<T>& motion,
                     std::span<const Constraint> constraints, const ConstraintRows<T>& rows, double stiffness,
                     double damping, MatrixOut<T> row_q, MatrixOut<T> row_v, RowDerivatives<T>& work);

/// tau_q (nv × nv) loses the derivative of Jᵀλ with q, but for what wrenches that move with their links would give: that is
/// for rnea_derivatives, which knows what links carry.
template <class T>
void subtract_force_derivatives(const Model& model, const Kinematics<T>& kin, const MotionDerivatives<T>& motion,
                                std::span<const Constraint> constraints, const ConstraintRows<T>& rows, In<T> lambda,
                                MatrixOut<T> tau_q);

}  // namespace delassus
