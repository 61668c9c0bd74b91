#include "operators/pv_osim.hpp"

#include "dynamics/row_response.hpp"
#include "math/instantiate.hpp"

namespace delassus {

template <class T, class F>
void PvOsim<T, F>::plan(const Model& model, const RowStructure& rows) {
  plan_ = make_carrier_plan(model, rows, Meeting::kNeverEnds);
  product_plan_ = make_row_product_plan(plan_, rows);
  carriers_.resize(model, plan_);
}

template <class T, class F>
void PvOsim<T, F>::place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows) {
  place_frames(model, kin, art_.frames);
  place_rows(rows, art_.frames);
}

template <class T, class F>
Status PvOsim<T, F>::compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows,
                             LowerView<T> lower) {
  if (const Status status = articulate_placed(model, kin, art_); !status.ok()) return status;
  end_stage<T>("articulation");
  carry_rows(model, art_, rows, plan_, carriers_);
  end_stage<T>("rows inwards");
  add_row_products(product_plan_, carriers_, lower);
  end_stage<T>("products");
  return {};
}

template <class T, class F>
void PvOsim<T, F>::respond(const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x,
                           VectorView<T> acceleration) requires std::same_as<F, WorldFrames<T>> {
  // clang 14 instantiates this without asking what it requires.
  if constexpr (std::same_as<F, WorldFrames<T>>) row_response(model, art_, rows, x, acceleration, sweep_);
}

#define DELASSUS_INSTANTIATE(T)                  \
  template class PvOsim<T>;                      \
  template class ExplicitDelassus<T, PvOsim<T>>; \
  static_assert(DelassusOperator<PvOsimDelassus<T>, T>);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_LINK_FRAMES(T) template class PvOsim<T, LinkFrames<T>>;
DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
