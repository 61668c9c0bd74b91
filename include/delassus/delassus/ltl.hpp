// LTL-OSIM: M = Lᵀ L without fill, Y = L⁻ᵀ Jᵀ on the supports of the rows, Λ⁻¹ = Yᵀ Y.
//
// Papers: Featherstone, "Exploiting sparsity in operational-space dynamics" (the factorization, and which entries of J and Y
// are zero), as compared in papers 000 and 002 (docs/algorithms/ltl.md).
//
// O(n d² + m d² + m² d): best for shallow trees.
#pragma once

#include "delassus/delassus/explicit_operator.hpp"
#include "delassus/dynamics/factored_rows.hpp"
#include "delassus/dynamics/row_products.hpp"
#include "delassus/math/heap_bytes.hpp"

namespace delassus {

template <class T, class F = WorldFrames<T>>
class Ltl {
 public:
  explicit Ltl(const Model& model) : factored_(model) {}

  void plan(const Model& model, const ConstraintRows<T>& rows);
  void place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows) {
    factored_.place(model, kin, rows);
  }
  Status compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, LowerView<T> lower);
  void respond(const Model& model, const ConstraintRows<T>&, VectorView<const T> x, VectorView<T> acceleration) {
    factored_.respond(model, x, acceleration);
  }

  std::size_t bytes() const { return heap_bytes(factored_, product_plan_); }

 private:
  FactoredRows<T, F> factored_;
  RowProductPlan product_plan_;
};

template <class T>
using LtlDelassus = ExplicitDelassus<T, Ltl<T>>;

}  // namespace delassus
