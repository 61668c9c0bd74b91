// Y = L⁻ᵀ Jᵀ on the supports of the rows, where M = Lᵀ L: all that joint-space algorithms know of rows and inertia.
//
// Paper: Featherstone, "Exploiting sparsity in operational-space dynamics" (docs/algorithms/ltl.md). Λ⁻¹ = Yᵀ Y.
//
// The support of a row is the path of all its links to the world. A loop has no entries of J beyond the link where its two
// sides meet, but Y has: supports are never cut short.
#pragma once

#include "dynamics/inertia_factor.hpp"
#include "dynamics/row_carriers.hpp"

namespace delassus {

template <class T, class F = WorldFrames<T>>
class FactoredRows {
 public:
  explicit FactoredRows(const Model& model) : frames_(model), inertia_(model) {}

  /// Everything that follows from the structure of the rows alone. Allocates.
  void plan(const Model& model, const RowStructure& rows);
  /// Takes poses and rows over into the frames.
  void place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows);
  /// O(n d² + m d²). Status as that of InertiaFactor.
  Status compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows);

  /// u = Y x and y = Yᵀ u, O(m d).
  void multiply(const Model& model, VectorView<const T> x, VectorView<T> u) const;
  void multiply_transposed(const Model& model, VectorView<const T> u, VectorView<T> y) const;
  /// The diagonal of Yᵀ Y.
  void squared_norms(const Model& model, VectorView<T> out) const;
  /// ν̇ = M⁻¹ Jᵀ x. X is T, or in world frames four vectors of plain numbers at once.
  template <class X>
  void respond(const Model& model, const X* x, X* acceleration) const;

  const InertiaFactor<T, F>& inertia() const { return inertia_; }
  const CarrierPlan& carrier_plan() const { return plan_; }
  const RowCarriers<T>& carriers() const { return carriers_; }
  std::size_t bytes() const { return heap_bytes(frames_, inertia_, plan_, carriers_); }

 private:
  void solve_rows(const Model& model);
  template <class X>
  void multiply(const Model& model, const X* x, X* u) const;

  F frames_;
  InertiaFactor<T, F> inertia_;
  CarrierPlan plan_;
  RowCarriers<T> carriers_;  // Y is first Jᵀ
};

}  // namespace delassus
