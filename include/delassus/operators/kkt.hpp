// The joint-space operator: a sparse factorization of the KKT matrix [[M, Jᵀ], [J, -R⁻¹]] along the tree.
//
// Paper: Carpentier, Budhiraja, Mansard, "Proximal and Sparse Resolution of Constrained Dynamic Equations"
// (docs/algorithms/kkt.md). Degrees of freedom are eliminated from the tips inwards, which brings no fill into M and keeps
// the rows of J on the paths of their links; the constraints come last, and what is left of their block is -(R⁻¹ + Λ⁻¹).
//
//   symbol  here
//   L       M = Lᵀ L
//   Y       L⁻ᵀ Jᵀ, on the supports of the rows
//   C       R⁻¹ + Yᵀ Y = C Cᵀ, the only part that depends on the damping
//
// Cost: factor O(n d² + m d²), a product O(m d) and without a matrix; the first damping of a configuration O(m² d + m³),
// further ones m³/3; a damped solve 2 m². Memory: n d numbers for L, n m for Y, 2 m² for Λ⁻¹ and C.
#pragma once

#include <cstddef>
#include <vector>

#include "delassus/constraints/state.hpp"
#include "delassus/math/boxed.hpp"
#include "delassus/operators/delassus_operator.hpp"

namespace delassus {

template <class T>
class KktDelassus {
 public:
  explicit KktDelassus(const Model& model);
  /// Ready for the structure that the rows have; their values do not matter yet.
  KktDelassus(const Model& model, const RowStructure& rows);
  explicit KktDelassus(const State<T>& state) : KktDelassus(state.model(), state.rows()) {}

  /// Plans ahead, so that factor need not. There are no rows until the next factor.
  void update_structure(const Model& model, const RowStructure& rows);

  /// Factors M and takes it out of the rows, for one configuration. If the rows have another structure than last time, it
  /// plans first, which allocates. kSingularJoint names the joint at which M is singular, kNotFinite the entry of q that is
  /// no number or the row that overflows; the operator has no rows then. The damping is reset.
  Status factor(const StateView<T>& at);

  int rows() const { return num_rows_; }
  CallStatus apply(In<T> x, Out<T> y) const;
  CallStatus apply_panel(MatrixIn<T> X, MatrixOut<T> Y) const;
  CallStatus joint_response(In<T> x, Out<T> acceleration) const;
  /// kNotPositive names the row at which R⁻¹ + Λ⁻¹ is not positive definite beyond rounding; there is no damping then. At
  /// full rank none at all is damping enough.
  Status update_damping(const Damping<T>& damping);
  /// kNotFinite names a row of the result that is no number, kInaccurate one whose residual is above 1e-7 of b after refinement.
  Status solve(In<T> b, Out<T> z) const;
  Status solve_panel(MatrixIn<T> B, MatrixOut<T> Z) const;
  /// The whole system: M ν̇ = tau + Jᵀ λ and J ν̇ + R⁻¹ λ = b. Without tau λ is what solve finds. Status as there.
  Status solve_system(In<T> tau, In<T> b, Out<T> acceleration, Out<T> lambda) const;
  /// M⁻¹ in two halves, with what rows feel in between; neither needs damping. First half ← L⁻ᵀ force and row_acceleration =
  /// J M⁻¹ force; then acceleration = M⁻¹ (force + Jᵀ x).
  CallStatus begin_motion(In<T> force, Out<T> half, Out<T> row_acceleration) const;
  CallStatus end_motion(In<T> half, In<T> x, Out<T> acceleration) const;
  CallStatus dense(MatrixOut<T> matrix) const;
  CallStatus diagonal(Out<T> out) const;
  T largest_diagonal() const;
  /// Largest inverse of what a joint feels of the inertia behind it: how far unit forces on joints can move them.
  T largest_mobility() const;
  std::size_t bytes() const;

 private:
  struct Work;

  VectorView<T> column() const { return {column_.data(), num_rows_}; }
  VectorView<T> joint() const { return {joint_.data(), static_cast<int>(joint_.size())}; }
  void drop();
  Status form_matrix() const;

  Model model_;  // of the last factor, like the rows
  ConstraintRows<T> rows_;
  bool planned_ = false;
  int num_rows_ = 0;
  bool ready_ = false, damped_ = false;
  mutable Boxed<Work> work_;
  std::vector<T> diagonal_;  // of Λ⁻¹
  mutable bool formed_ = false;
  mutable std::vector<T> column_, joint_;
};

// The blocks of the inverse KKT matrix, as by-products of its factorization.
//
//   [M  -Jᵀ ]⁻¹   [ M⁻¹ - M⁻¹Jᵀ Λ_R J M⁻¹    M⁻¹Jᵀ Λ_R ]
//   [J   R⁻¹]   = [ -Λ_R J M⁻¹                Λ_R       ],   Λ_R = (R⁻¹ + J M⁻¹ Jᵀ)⁻¹
//
// Paper: Carpentier, Budhiraja, Mansard, "Proximal and Sparse Resolution of Constrained Dynamic Equations", section IV
// (docs/algorithms/kkt.md). The first is what is left of M⁻¹ for motions that the constraints allow; the second the
// dynamically consistent inverse, where there is no damping.

/// Of an operator with damping. `projected` (nv × nv) takes the upper left block, `consistent` (nv × m) M⁻¹Jᵀ Λ_R, `inverse`
/// (m × m) Λ_R. One solve of the system per row and per degree of freedom. kNotFinite as solve_system.
template <class T>
Status kkt_inverse(const KktDelassus<T>& op, MatrixOut<T> projected, MatrixOut<T> consistent, MatrixOut<T> inverse);

}  // namespace delassus
