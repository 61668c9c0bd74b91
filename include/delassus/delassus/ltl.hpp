// LTL-OSIM: M = Lᵀ L without fill, Y = J L⁻¹ on the supports of the rows, Λ⁻¹ = Y Yᵀ.
//
// Papers: Featherstone, "Exploiting sparsity in operational-space dynamics" (the factorization, and which entries of J and Y
// are zero), as compared in papers 000 and 002 (docs/algorithms/ltl.md).
//
//   symbol  here
//   λ(k)    the degree of freedom that carries k; a joint's own ones are a chain
//   L       row k has the entries of the degrees of freedom that carry k, from the root to k itself
//   Y       RowCarriers::Y, first Jᵀ, then L⁻ᵀ Jᵀ
//
// The support of a row is the path of all its links to the world. A loop has no entries of J beyond the link where its two
// sides meet, but Y has: supports are never cut short. O(n d² + m d² + m² d): best for shallow trees.
#pragma once

#include "delassus/delassus/explicit_operator.hpp"
#include "delassus/dynamics/row_products.hpp"
#include "delassus/math/heap_bytes.hpp"

namespace delassus {

template <class T, class F = WorldFrames<T>>
class Ltl {
 public:
  explicit Ltl(const Model& model);

  void plan(const Model& model, const ConstraintRows<T>& rows);
  void place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows);
  Status compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, LowerView<T> lower);
  void respond(const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x, VectorView<T> acceleration);

  std::size_t bytes() const {
    return heap_bytes(frames_, path_, dofs_, L_, composite_, plan_, product_plan_, carriers_);
  }

 private:
  /// The degrees of freedom from the root to k, and k last.
  struct Path {
    std::int32_t first, size;
  };
  T* row(int k) { return L_.data() + path_[k].first; }
  const std::int32_t* carriers_of(int k) const { return dofs_.data() + path_[k].first; }

  void inertia_matrix(const Model& model, const Kinematics<T>& kin);
  Status factor(const Model& model);
  void solve_rows(const Model& model);

  F frames_;
  std::vector<Path> path_;
  std::vector<std::int32_t> dofs_;
  std::vector<T> L_;  // all rows; on the diagonal the inverse
  LinkArray<RigidInertia<T>> composite_;
  CarrierPlan plan_;
  RowProductPlan product_plan_;
  RowCarriers<T> carriers_;
};

template <class T>
using LtlDelassus = ExplicitDelassus<T, Ltl<T>>;

}  // namespace delassus
