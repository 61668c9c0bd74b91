// Derivatives of constrained dynamics with q, v and τ, by implicit differentiation (docs/algorithms/derivatives.md).
//
//   [ M  -Jᵀ ] [ δν̇ ]     [ δ(ID - Jᵀλ)        ]
//   [ J   0  ] [ δλ  ] = - [ δ(J ν̇ + J̇ν - pull) ]
//
// The right-hand sides are analytic (rnea_derivatives, row_derivatives), M⁻¹ is two sweeps for each column, and Λ, which no
// forward dynamics needs as a matrix, comes from the operator that solved for λ: m damped solves and as many again for each
// proximal step.
//
// Rows that depend on each other: Λ is the pseudo-inverse, and the derivative is that of the least force, as long as the rank of
// J stays what it is. If the rank changes, there is no derivative.
//
// Compiled for double and Counted. Dual numbers go through ConstrainedDynamics itself, one direction for each call.
#pragma once

#include <cstddef>

#include "delassus/constraints/state.hpp"
#include "delassus/math/boxed.hpp"
#include "delassus/operators/delassus_operator.hpp"

namespace delassus {

/// Where the derivatives go. Column k is that along q ⊕ δ e_k (integrate), v + δ e_k, tau + δ e_k.
template <class T>
struct DerivativeViews {
  MatrixView<T> qdd_q, qdd_v, qdd_tau;           // nv × nv
  MatrixView<T> lambda_q, lambda_v, lambda_tau;  // m × nv
};

template <class T>
class ConstrainedDerivatives {
 public:
  explicit ConstrainedDerivatives(const Model& model);

  /// Memory for so many rows of this structure; compute allocates beyond only.
  void update_structure(const State<T>& state);

  /// At the state of the operator's last factor, and with the accelerations and least forces that were found there with the
  /// target of `pull`. Damps the operator. The derivative of the rows' positions is taken to be J.
  ///
  ///   kSingularJoint  M is singular
  ///   kNotConverged   Λ was not found; the index is the row that is farthest off
  ///   kNotFinite      qdd or lambda have an entry that is no number
  ///
  /// and what the operator has to say of its damping. Where the rows contradict each other, what is written means nothing.
  Status compute(OperatorRef<T> op, const State<T>& state, In<T> qdd, In<T> lambda, const Baumgarte& pull,
                 const DerivativeViews<T>& out);

  /// Dimension of the forces that move nothing, at the last compute.
  int redundant_rows() const;
  std::size_t bytes() const;

 private:
  class Work;
  Boxed<Work> work_;
};

}  // namespace delassus
