#include "operators/ltl.hpp"

#include "math/instantiate.hpp"
#include "operators/column_lanes.hpp"

namespace delassus {

template <class T, class F>
void Ltl<T, F>::plan(const Model& model, const RowStructure& rows) {
  factored_.plan(model, rows);
  product_plan_ = make_row_product_plan(factored_.carrier_plan(), rows);
  weights_.resize(rows.num_rows());
}

template <class T, class F>
Status Ltl<T, F>::compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows,
                          LowerView<T> lower) {
  if (const Status status = factored_.compute(model, kin, rows); !status.ok()) return status;
  add_row_products(product_plan_, factored_.carriers(), lower);
  end_stage<T>("products");
  return {};
}

template <class T, class F>
void Ltl<T, F>::consistent_inverse(const Model& model, MatrixView<const T> lambda, MatrixView<T> out) {
  for (int column = 0; column < out.cols(); column += kVectors<Lanes, T>) {
    load_columns(lambda, column, weights_.data());
    factored_.respond(model, weights_.data(), rates_.data());
    store_columns(rates_.data(), column, out);
  }
  end_stage<T>("consistent inverse");
}

#define DELASSUS_INSTANTIATE(T)               \
  template class Ltl<T>;                      \
  template class ExplicitDelassus<T, Ltl<T>>; \
  static_assert(DelassusOperator<LtlDelassus<T>, T>);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_LINK_FRAMES(T) template class Ltl<T, LinkFrames<T>>;
DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
