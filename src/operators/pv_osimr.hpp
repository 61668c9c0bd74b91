// PV-OSIMr: where constraints meet, six unit wrenches on that link travel on in place of all their rows.
//
// Paper: Sathya, Decré, Swevers, "PV-OSIMr: A Lowest Order Complexity Algorithm for Computing the Delassus Matrix",
// algorithm 3, equations 16 to 19 (docs/algorithms/pv-osimr.md). Extended to loops, constraints on many links and rows on
// joints.
//
//   paper            here
//   N, branching     CarrierPlan::Node
//   P_D(i) (17)      RowCarriers::K, columns of a node
//   Ω_D(i) (16)      NodeTree::segment
//   ⁰Ω_i (18)        NodeTree::absolute
//   ᵢK_j (19)        NodeTree::KE
//   cca(i, j)        the last node that two constraints share
//
// O(n + m²): a pair of constraints costs one product, however far both are from the world. Constraints on very many links
// are computed apart (dynamics/global_rows.hpp).
#pragma once

#include <concepts>

#include "delassus/math/boxed.hpp"
#include "delassus/operators/explicit_method.hpp"
#include "dynamics/global_rows.hpp"
#include "operators/node_tree.hpp"

namespace delassus {

template <class T, class F>
class PvOsimr {
 public:
  explicit PvOsimr(const Model& model) : art_(model), sweep_(model) {}

  void plan(const Model& model, const RowStructure& rows);
  void place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows);
  Status compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, LowerView<T> lower);
  void respond(const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x,
               VectorView<T> acceleration) requires std::same_as<F, WorldFrames<T>>;
  std::size_t bytes() const {
    return heap_bytes(art_, global_, carrier_plan_, product_plan_, node_plan_, carriers_, tree_, sweep_);
  }

 private:
  static constexpr bool kWorldFrames = std::same_as<F, WorldFrames<T>>;

  Articulation<T, F> art_;
  std::vector<bool> global_;  // constraints that are not carried
  CarrierPlan carrier_plan_;
  RowProductPlan product_plan_;
  NodeTreePlan node_plan_;
  RowCarriers<T> carriers_;
  NodeTree<T> tree_;
  Sweep<T> sweep_;
};

}  // namespace delassus
