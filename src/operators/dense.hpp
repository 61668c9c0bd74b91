// The obvious algorithm: M by CRBA, its Cholesky factor L, Y = L⁻¹ Jᵀ, and Λ⁻¹ = Yᵀ Y.
//
// O(nv³ + nv² m + nv m²) per configuration. The baseline that the others are measured against.
#pragma once

#include <vector>

#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/math/boxed.hpp"
#include "delassus/operators/explicit_method.hpp"

namespace delassus {

template <class T>
class Dense {
 public:
  static_assert(require_operator_scalar<T>());

  explicit Dense(const Model& model);

  void plan(const Model& model, const RowStructure& rows);
  void place(const Model&, const Kinematics<T>&, const ConstraintRows<T>&) {}
  Status compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, LowerView<T> lower);
  void respond(const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x, VectorView<T> acceleration);

  std::size_t bytes() const { return heap_bytes(composite_, L_, Y_, floor_); }

 private:
  CompositeInertia<T> composite_;
  std::vector<T> L_;      // Cholesky factor of M, degrees of freedom from the last to the first
  std::vector<T> Y_;      // row r is L⁻¹ times row r of J, in the same order
  std::vector<T> floor_;  // pivots that would be rounding
};

}  // namespace delassus
