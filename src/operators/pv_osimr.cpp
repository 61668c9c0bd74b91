#include "operators/pv_osimr.hpp"

#include "dynamics/row_response.hpp"
#include "math/instantiate.hpp"

namespace delassus {

template <class T, class F>
void PvOsimr<T, F>::plan(const Model& model, const RowStructure& rows) {
  // The sweeps over all links are in the library's frames; in those of the papers all rows travel.
  if (kWorldFrames) global_ = find_global_constraints(model, rows);
  carrier_plan_ = make_carrier_plan(model, rows, Meeting::kAlwaysEnds, global_, kNodeColumns<T>);
  node_plan_ = make_node_tree_plan(carrier_plan_, rows);
  if constexpr (kWorldFrames) {
    // About a far point the rows of a node and its inertia are large and cancel in their product.
    art_.frames.plan = make_reference_plan(model);
    for (const CarrierPlan::Node& node : carrier_plan_.nodes) art_.frames.plan.shares_parent[node.link] = false;
  }
  product_plan_ = make_row_product_plan(carrier_plan_, rows);
  carriers_.resize(model, carrier_plan_);
  tree_.resize(node_plan_);
}

template <class T, class F>
void PvOsimr<T, F>::place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows) {
  place_frames(model, kin, art_.frames);
  place_rows(rows, art_.frames);
}

template <class T, class F>
Status PvOsimr<T, F>::compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows,
                              LowerView<T> lower) {
  if (const Status status = articulate_placed(model, kin, art_); !status.ok()) return status;
  end_stage<T>("articulation");
  carry_rows(model, art_, rows, carrier_plan_, carriers_);
  end_stage<T>("rows inwards");
  add_row_products(product_plan_, carriers_, lower);
  end_stage<T>("products");
  add_node_products(carrier_plan_, node_plan_, carriers_, tree_, lower);
  end_stage<T>("tree of nodes");
  if constexpr (kWorldFrames) add_global_rows(model, art_, rows, global_, sweep_, lower);
  end_stage<T>("rows on many links");
  return {};
}

template <class T, class F>
void PvOsimr<T, F>::respond(const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x,
                            VectorView<T> acceleration) requires std::same_as<F, WorldFrames<T>> {
  // clang 14 instantiates this without asking what it requires.
  if constexpr (kWorldFrames) row_response(model, art_, rows, x, acceleration, sweep_);
}

#define DELASSUS_INSTANTIATE(T)                   \
  template class PvOsimr<T>;                      \
  template class ExplicitDelassus<T, PvOsimr<T>>; \
  static_assert(DelassusOperator<PvOsimrDelassus<T>, T>);
DELASSUS_FOR_EACH_BATCH_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_LINK_FRAMES(T) template class PvOsimr<T, LinkFrames<T>>;
DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
