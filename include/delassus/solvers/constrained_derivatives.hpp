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

#include <limits>
#include <vector>

#include "constraints/row_derivatives.hpp"
#include "delassus/constraints/state.hpp"
#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/dynamics/inverse_dynamics_derivatives.hpp"
#include "delassus/operators/delassus_operator.hpp"
#include "solvers/proximal_method.hpp"

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
  template <class Op>
  requires DelassusOperator<Op, T> Status compute(Op& op, const State<T>& state, In<T> qdd, In<T> lambda,
                                                  const Baumgarte& pull, const DerivativeViews<T>& out);

  /// Dimension of the forces that move nothing, at the last compute.
  int redundant_rows() const { return redundant_; }
  std::size_t bytes() const;

 private:
  using Panel = std::vector<T>;
  static constexpr int kSteps = 20;
  // Of Λ⁻¹ Λ, whose entries are at most 1: what is not worth another step, and what is too much.
  static constexpr double kEnough = 1e4 * std::numeric_limits<Base<T>>::epsilon();
  static constexpr double kTolerance = 1e-6;

  Status check_shapes(int rows, const State<T>& state, In<T> qdd, In<T> lambda, const DerivativeViews<T>& out) const;
  Status prepare(const State<T>& state, In<T> qdd, In<T> lambda, const Baumgarte& pull, const DerivativeViews<T>& out);
  template <class Op>
  Status invert(Op& op);
  void split_directions();
  void multiply_from_left(Panel& A, Panel& X);
  T find_remainder();
  Status end_inversion(const T& remainder);
  void finish(const State<T>& state, In<T> lambda, const DerivativeViews<T>& out);
  void multiply_jacobian(const State<T>& state, MatrixView<const T> X, MatrixView<T> Y) const;
  void turn_forces(const State<T>& state, In<T> lambda, MatrixView<T> lambda_q);

  MatrixView<T> square(Panel& panel) const { return {panel.data(), rows_, rows_}; }
  MatrixView<T> wide(Panel& panel) const { return {panel.data(), rows_, static_cast<int>(zero_.size())}; }

  int rows_ = 0, redundant_ = 0;
  T damping_{0};
  MotionDerivatives<T> motion_;
  InverseDynamicsDerivatives<T> inverse_;
  RowDerivatives<T> row_;
  Articulation<T> art_;  // the operator's own is not for panels
  InverseInertiaPanel<T> inverse_inertia_;
  std::vector<T> zero_, joint_;                // nv
  Panel response_, right_;                     // m × nv: J M⁻¹ and right-hand sides
  Panel Lambda_, wanted_, remainder_, still_;  // m × m; still_ projects onto forces that move nothing
};

// ----------------------------------------------------------------------------------------------------------- templates

template <class T>
template <class Op>
requires DelassusOperator<Op, T> Status ConstrainedDerivatives<T>::compute(Op& op, const State<T>& state, In<T> qdd,
                                                                           In<T> lambda, const Baumgarte& pull,
                                                                           const DerivativeViews<T>& out) {
  Status status = check_shapes(op.rows(), state, qdd, lambda, out);
  if (status.ok()) status = require_finite<T>(qdd);
  if (status.ok()) status = require_finite<T>(lambda);
  if (status.ok()) status = prepare(state, qdd, lambda, pull, out);
  if (status.ok() && rows_ > 0) status = invert(op);
  if (status.ok()) finish(state, lambda, out);
  return status;
}

/// Λ by proximal steps, as the force was found: each solves for what the one before left.
template <class T>
template <class Op>
Status ConstrainedDerivatives<T>::invert(Op& op) {
  Status status = op.update_damping(Damping<T>(damping_));
  if (!status.ok()) return status;
  status = op.solve_panel(square(wanted_), square(Lambda_));  // of the unit matrix
  if (is_fatal(status)) return status;
  split_directions();
  T before(std::numeric_limits<Base<T>>::max());
  for (int step = 0;; ++step) {
    op.apply_panel(square(Lambda_), square(remainder_));
    const T remainder = find_remainder();
    const bool stalls = !all_lanes(remainder < T(0.5) * before);
    if (stalls || step == kSteps || all_lanes(remainder < T(kEnough))) return end_inversion(min(remainder, before));
    before = remainder;
    status = op.solve_panel(square(remainder_), square(remainder_));
    if (is_fatal(status)) return status;
    for (std::size_t k = 0; k < Lambda_.size(); ++k) Lambda_[k] += remainder_[k];
  }
}

}  // namespace delassus
