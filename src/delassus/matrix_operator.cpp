#include "delassus/delassus/matrix_operator.hpp"

#include <limits>

#include "delassus/math/cholesky.hpp"
#include "delassus/math/instantiate.hpp"

namespace delassus {
namespace {

/// A pivot below this fraction of the size of the numbers it is a difference of is rounding.
template <class T>
constexpr double kPivotTolerance = 16 * static_cast<double>(std::numeric_limits<Base<T>>::epsilon());

}  // namespace

template <class T>
void MatrixOperator<T>::reserve(int rows) {
  const std::size_t m = rows;
  matrix_.reserve(m * m);
  damped_factor_.reserve(m * m);
  floor_.reserve(m);
}

template <class T>
MatrixView<T> MatrixOperator<T>::begin(int rows) {
  rows_ = rows;
  damped_ = false;
  matrix_.assign(static_cast<std::size_t>(rows) * rows, T(0));
  return {matrix_.data(), rows_, rows_};
}

template <class T>
Status MatrixOperator<T>::finish(Status status) {
  for (int r = 0; r < rows_ && status.ok(); ++r) {
    if (!all_lanes(is_finite(matrix()(r, r)))) status = {Status::Code::kNotFinite, r};
  }
  if (!status.ok()) {
    rows_ = 0;
    return status;
  }
  const std::size_t m = rows_;
  for (std::size_t r = 0; r < m; ++r) {
    for (std::size_t c = 0; c < r; ++c) matrix_[c * m + r] = matrix_[r * m + c];
  }
  return status;
}

template <class T>
void MatrixOperator<T>::apply(In<T> x, Out<T> y) const {
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
Status MatrixOperator<T>::update_damping(In<T> damping) {
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
void MatrixOperator<T>::solve_damped(In<T> b, Out<T> z) const {
  require_size("b", b.size(), rows_);
  require_size("z", z.size(), rows_);
  if (!damped_) throw Error("solve_damped needs a successful update_damping after factor");
  for (int r = 0; r < rows_; ++r) z[r] = b[r];
  const MatrixView<const T> F(damped_factor_.data(), rows_, rows_);
  solve_lower<T>(F, z);
  solve_lower_transposed<T>(F, z);
}

template <class T>
void MatrixOperator<T>::dense(MatrixOut<T> out) const {
  require_size("matrix (rows)", out.rows(), rows_);
  require_size("matrix (columns)", out.cols(), rows_);
  for (int r = 0; r < rows_; ++r) {
    for (int c = 0; c < rows_; ++c) out(r, c) = matrix()(r, c);
  }
}

template <class T>
void MatrixOperator<T>::diagonal(Out<T> out) const {
  require_size("out", out.size(), rows_);
  for (int r = 0; r < rows_; ++r) out[r] = matrix()(r, r);
}

#define DELASSUS_INSTANTIATE(T) template class MatrixOperator<T>;
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
