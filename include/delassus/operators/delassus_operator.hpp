// The verbs that solvers need of Λ⁻¹ = J M⁻¹ Jᵀ, whatever computes them.
#pragma once

#include <concepts>
#include <cstddef>

#include "delassus/math/arguments.hpp"
#include "delassus/math/view.hpp"
#include "delassus/operators/damping.hpp"

namespace delassus {

/// Rows are in the order of insertion, never permuted. Vectors have rows() entries, joint vectors nv; panels have rows()
/// rows and any number of columns. An operator belongs to one thread at a time, for its const verbs as well: they work in
/// its memory.
///
///   apply           y = Λ⁻¹ x, never damped
///   apply_panel     the same for every column
///   joint_response  ν̇ = M⁻¹ Jᵀ x
///   update_damping  takes R⁻¹ and factors at once; never goes back to the kinematics
///   solve           z = (R⁻¹ + Λ⁻¹)⁻¹ b with the last damping; b and z may be the same vector
///   solve_panel     the same for every column
///   dense           the matrix
///   diagonal        its diagonal
///   bytes           memory that the operator holds, beside itself
///
/// None of them throws: a wrong size, or a call before what it needs, is kBadArgument (docs/arguments.md).
template <class Op, class T>
concept DelassusOperator = requires(Op op, const Op& ready, VectorView<const T> in, VectorView<T> out,
                                    MatrixView<const T> panel_in, MatrixView<T> panel_out, const Damping<T>& damping) {
  { ready.rows() } -> std::same_as<int>;
  ready.apply(in, out);
  ready.apply_panel(panel_in, panel_out);
  ready.joint_response(in, out);
  { op.update_damping(damping) } -> std::same_as<Status>;
  { ready.solve(in, out) } -> std::same_as<Status>;
  { ready.solve_panel(panel_in, panel_out) } -> std::same_as<Status>;
  ready.dense(panel_out);
  ready.diagonal(out);
  { ready.bytes() } -> std::same_as<std::size_t>;
};

}  // namespace delassus
