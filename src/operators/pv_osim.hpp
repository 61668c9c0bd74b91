// PV-OSIM: the rows of all constraints travel to the world, and every joint adds what it felt of them.
//
// Paper: Sathya, Decré, Swevers, "PV-OSIMr: A Lowest Order Complexity Algorithm for Computing the Delassus Matrix",
// algorithm 1 (docs/algorithms/pv-osim.md); on constraints instead of end-effectors, so that loops need nothing more.
//
//   paper        here
//   K^A_i        RowCarriers::K, tracks of rows that have reached link i
//   P_i          1 - S Ûᵀ, never formed (line 13: carry_rows)
//   L^A_i, Λ⁻¹   the matrix, as the sum over joints of F D⁻¹ Fᵀ (line 14: add_row_products)
//
// O(n + m² d): cheapest where few rows travel together.
#pragma once

#include <concepts>

#include "delassus/math/boxed.hpp"
#include "delassus/operators/explicit_method.hpp"
#include "dynamics/row_products.hpp"
#include "dynamics/sweeps.hpp"

namespace delassus {

template <class T, class F>
class PvOsim {
 public:
  static_assert(require_operator_scalar<T>());

  explicit PvOsim(const Model& model) : art_(model), sweep_(model) {}

  void plan(const Model& model, const RowStructure& rows);
  void place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows);
  Status compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, LowerView<T> lower);
  void respond(const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x,
               VectorView<T> acceleration) requires std::same_as<F, WorldFrames<T>>;
  std::size_t bytes() const { return heap_bytes(art_, plan_, product_plan_, carriers_, sweep_); }

 private:
  Articulation<T, F> art_;
  CarrierPlan plan_;
  RowProductPlan product_plan_;
  RowCarriers<T> carriers_;
  Sweep<T> sweep_;
};

}  // namespace delassus
