// LTL-OSIM: M = Lᵀ L without fill, Y = L⁻ᵀ Jᵀ on the supports of the rows, Λ⁻¹ = Yᵀ Y.
//
// Papers: Featherstone, "Exploiting sparsity in operational-space dynamics" (the factorization, and which entries of J and Y
// are zero), as compared in papers 000 and 002 (docs/algorithms/ltl.md).
//
// O(n d² + m d² + m² d): best for shallow trees. J̄ = M⁻¹ Jᵀ Λ = L⁻¹ (Y Λ) takes O(m² d + n m d) more.
#pragma once

#include <concepts>
#include <vector>

#include "delassus/math/boxed.hpp"
#include "delassus/math/pack.hpp"
#include "delassus/operators/explicit_method.hpp"
#include "dynamics/factored_rows.hpp"
#include "dynamics/row_products.hpp"

namespace delassus {

template <class T, class F>
class Ltl {
  /// Plain floating point takes four columns of Λ at a time.
  using Lanes = std::conditional_t<FloatingPoint<T> && std::same_as<F, WorldFrames<T>>, Pack<T, 4>, T>;

 public:
  explicit Ltl(const Model& model) : factored_(model), rates_(model.nv(), unwritten<Lanes>()) {}

  void plan(const Model& model, const RowStructure& rows);
  void place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows) {
    factored_.place(model, kin, rows);
  }
  Status compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, LowerView<T> lower);
  void respond(const Model& model, const ConstraintRows<T>&, VectorView<const T> x, VectorView<T> acceleration) {
    factored_.respond(model, x.data(), acceleration.data());
  }
  /// J̄ from Λ after compute.
  void consistent_inverse(const Model& model, MatrixView<const T> lambda, MatrixView<T> out);

  std::size_t bytes() const { return heap_bytes(factored_, product_plan_, weights_, rates_); }

 private:
  FactoredRows<T, F> factored_;
  RowProductPlan product_plan_;
  // Of J̄.
  std::vector<Lanes> weights_;  // per row: the columns of Λ that the solve is at
  std::vector<Lanes> rates_;    // per degree of freedom
};

}  // namespace delassus
