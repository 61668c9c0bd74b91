#include "operators/dense.hpp"

#include <algorithm>

#include "delassus/constraints/lower.hpp"
#include "math/cholesky.hpp"
#include "math/instantiate.hpp"
#include "math/pivot.hpp"

namespace delassus {
namespace {

int link_of_dof(const Model& model, int v) {
  int i = 0;
  while (model.link(i).v + model.link(i).nv <= v) ++i;
  return i;
}

}  // namespace

template <class T>
Dense<T>::Dense(const Model& model)
    : composite_(model), L_(static_cast<std::size_t>(model.nv()) * model.nv()), floor_(model.nv()) {}

template <class T>
void Dense<T>::plan(const Model& model, const RowStructure& rows) {
  Y_.resize(static_cast<std::size_t>(rows.num_rows()) * model.nv());
}

template <class T>
Status Dense<T>::compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows,
                         LowerView<T> lower) {
  const int nv = model.nv(), m = rows.num_rows();
  // Degrees of freedom from the last to the first: the tips are eliminated before what carries them, so each pivot is
  // what its own subtree shows to the joint, and rounding cannot hide a joint that moves nothing.
  const int last = nv > 0 ? nv - 1 : 0;
  crba<T>(model, kin, MatrixView<T>(L_.data() + static_cast<std::size_t>(last) * (nv + 1), nv, nv, -nv, -1),
          composite_);
  end_stage<T>("inertia matrix");
  for (int k = 0; k < nv; ++k) floor_[last - k] = T(kPivotTolerance<T> * model.inertia_scale()[k]);
  if (const Status status = cholesky_in_place<T>(LowerView<T>{L_.data(), nv}, floor_); !status.ok()) {
    return {Status::Code::kSingularJoint, link_of_dof(model, last - status.index)};
  }
  end_stage<T>("factorization");
  constraint_jacobian<T>(model, kin, rows, MatrixView<T>(Y_.data() + last, m, nv, nv, -1));
  end_stage<T>("Jacobian");
  const MatrixView<T> Y(Y_.data(), m, nv);
  for (int r = 0; r < m; ++r) {
    solve_lower<T>(LowerView<const T>{L_.data(), nv}, nv, &Y(r, 0));
    for (int c = 0; c <= r; ++c) {
      T sum(0);
      for (int k = 0; k < nv; ++k) sum += Y(r, k) * Y(c, k);
      lower(r, c) += sum;
    }
  }
  end_stage<T>("back-substitution and products");
  return {};
}

template <class T>
void Dense<T>::respond(const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x,
                       VectorView<T> acceleration) {
  const int nv = model.nv();
  const MatrixView<T> Y(Y_.data(), rows.num_rows(), nv);
  for (int k = 0; k < nv; ++k) acceleration[k] = T(0);
  for (int r = 0; r < rows.num_rows(); ++r) {
    for (int k = 0; k < nv; ++k) acceleration[k] += Y(r, k) * x[r];
  }
  solve_lower_transposed<T>(LowerView<const T>{L_.data(), nv}, nv, acceleration.data());
  std::reverse(acceleration.data(), acceleration.data() + nv);
}

#define DELASSUS_INSTANTIATE(T)                 \
  template class Dense<T>;                      \
  template class ExplicitDelassus<T, Dense<T>>; \
  static_assert(DelassusOperator<DenseDelassus<T>, T>);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
