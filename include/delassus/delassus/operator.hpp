// The verbs that solvers need of Λ⁻¹ = J M⁻¹ Jᵀ, whatever computes them.
#pragma once

#include <concepts>

#include "delassus/math/error.hpp"
#include "delassus/math/view.hpp"

namespace delassus {

/// Rows are in the order of insertion, never permuted. Vectors have rows() entries, joint vectors nv. An operator belongs
/// to one thread at a time, for its const verbs as well: they work in its memory.
///
///   apply           y = Λ⁻¹ x, never damped
///   joint_response  ν̇ = M⁻¹ Jᵀ x
///   update_damping  takes the diagonal of R⁻¹ and factors at once; never goes back to the kinematics
///   solve_damped    z = (R⁻¹ + Λ⁻¹)⁻¹ b with the last damping
///   dense           the matrix
///   diagonal        its diagonal
template <class Op, class T>
concept DelassusOperator = requires(Op op, const Op& ready, VectorView<const T> in, VectorView<T> out,
                                    MatrixView<T> matrix) {
  { ready.rows() } -> std::same_as<int>;
  ready.apply(in, out);
  ready.joint_response(in, out);
  { op.update_damping(in) } -> std::same_as<Status>;
  ready.solve_damped(in, out);
  ready.dense(matrix);
  ready.diagonal(out);
};

}  // namespace delassus
