#include "delassus/delassus/dense.hpp"

#include <algorithm>
#include <limits>

#include "delassus/constraints/maps.hpp"
#include "delassus/math/cholesky.hpp"
#include "delassus/math/instantiate.hpp"

namespace delassus {
namespace {

/// A pivot below this fraction of the size of the numbers it is a difference of is rounding.
template <class T>
constexpr double kPivotTolerance = 16 * static_cast<double>(std::numeric_limits<Base<T>>::epsilon());

int link_of_dof(const Model& model, int v) {
  int i = 0;
  while (model.link(i).v + model.link(i).nv <= v) ++i;
  return i;
}

}  // namespace

template <class T>
DenseDelassus<T>::DenseDelassus(const Model& model, int rows)
    : nv_(model.nv()), composite_(model), L_(static_cast<std::size_t>(nv_) * nv_), floor_(nv_) {
  const std::size_t m = rows;
  Y_.reserve(m * nv_);
  matrix_.reserve(m * m);
  damped_factor_.reserve(m * m);
  floor_.reserve(m > floor_.size() ? m : floor_.size());
}

template <class T>
Status DenseDelassus<T>::factor(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows) {
  rows_ = rows.num_rows();
  damped_ = false;
  const std::size_t m = rows_;
  Y_.resize(m * nv_);
  matrix_.resize(m * m);
  floor_.resize(nv_);
  // Degrees of freedom from the last to the first: the tips are eliminated before what carries them, so each pivot is
  // what its own subtree shows to the joint, and rounding cannot hide a joint that moves nothing.
  const int last = nv_ > 0 ? nv_ - 1 : 0;
  crba<T>(model, kin, MatrixView<T>(L_.data() + static_cast<std::size_t>(last) * (nv_ + 1), nv_, nv_, -nv_, -1),
          composite_);
  for (int k = 0; k < nv_; ++k) floor_[last - k] = T(kPivotTolerance<T> * model.inertia_scale()[k]);
  const MatrixView<T> L(L_.data(), nv_, nv_);
  if (const Status status = cholesky_in_place<T>(L, VectorView<const T>(floor_.data(), nv_)); !status.ok()) {
    rows_ = 0;
    return {Status::Code::kSingularJoint, link_of_dof(model, last - status.index)};
  }
  constraint_jacobian<T>(model, kin, rows, MatrixView<T>(Y_.data() + last, rows_, nv_, nv_, -1));
  for (int r = 0; r < rows_; ++r) solve_lower<T>(L, VectorView<T>(Y_.data() + static_cast<std::size_t>(r) * nv_, nv_));
  const MatrixView<T> A(matrix_.data(), rows_, rows_);
  for (int r = 0; r < rows_; ++r) {
    for (int c = 0; c <= r; ++c) {
      T sum(0);
      for (int k = 0; k < nv_; ++k) sum += Y()(r, k) * Y()(c, k);
      A(r, c) = A(c, r) = sum;
    }
    if (!all_lanes(is_finite(A(r, r)))) {
      rows_ = 0;
      return {Status::Code::kNotFinite, r};
    }
  }
  return {};
}

template <class T>
void DenseDelassus<T>::apply(In<T> x, Out<T> y) const {
  require_size("x", x.size(), rows_);
  require_size("y", y.size(), rows_);
  if (x.data() == y.data() && rows_ > 0)
    throw Error("arguments 'x' and 'y' are the same vector; the product needs two");
  for (int r = 0; r < rows_; ++r) {
    T sum(0);
    for (int c = 0; c < rows_; ++c) sum += matrix()(r, c) * x[c];
    y[r] = sum;
  }
}

template <class T>
void DenseDelassus<T>::joint_response(In<T> x, Out<T> acceleration) const {
  require_size("x", x.size(), rows_);
  require_size("acceleration", acceleration.size(), nv_);
  for (int k = 0; k < nv_; ++k) acceleration[k] = T(0);
  for (int r = 0; r < rows_; ++r) {
    for (int k = 0; k < nv_; ++k) acceleration[k] += Y()(r, k) * x[r];
  }
  solve_lower_transposed<T>(L(), acceleration);
  std::reverse(acceleration.data(), acceleration.data() + nv_);
}

template <class T>
Status DenseDelassus<T>::update_damping(In<T> damping) {
  require_size("damping", damping.size(), rows_);
  damped_factor_ = matrix_;
  const MatrixView<T> F(damped_factor_.data(), rows_, rows_);
  floor_.resize(rows_);
  for (int r = 0; r < rows_; ++r) {
    floor_[r] = T(kPivotTolerance<T>) * F(r, r);
    F(r, r) += damping[r];
  }
  const Status status = cholesky_in_place<T>(F, VectorView<const T>(floor_.data(), rows_));
  damped_ = status.ok();
  return status;
}

template <class T>
void DenseDelassus<T>::solve_damped(In<T> b, Out<T> z) const {
  require_size("b", b.size(), rows_);
  require_size("z", z.size(), rows_);
  if (!damped_) throw Error("solve_damped needs a successful update_damping after factor");
  for (int r = 0; r < rows_; ++r) z[r] = b[r];
  const MatrixView<const T> F(damped_factor_.data(), rows_, rows_);
  solve_lower<T>(F, z);
  solve_lower_transposed<T>(F, z);
}

template <class T>
void DenseDelassus<T>::dense(MatrixOut<T> out) const {
  require_size("matrix (rows)", out.rows(), rows_);
  require_size("matrix (columns)", out.cols(), rows_);
  for (int r = 0; r < rows_; ++r) {
    for (int c = 0; c < rows_; ++c) out(r, c) = matrix()(r, c);
  }
}

template <class T>
void DenseDelassus<T>::diagonal(Out<T> out) const {
  require_size("out", out.size(), rows_);
  for (int r = 0; r < rows_; ++r) out[r] = matrix()(r, r);
}

#define DELASSUS_INSTANTIATE(T)    \
  template class DenseDelassus<T>; \
  static_assert(DelassusOperator<DenseDelassus<T>, T>);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
