#include "control/robust_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/cholesky.hpp"
#include "math/symmetric_eigen.hpp"

namespace delassus {
namespace {

/// What rounding may leave of a direction that nothing moves.
template <class T>
constexpr T kNothing = std::is_same_v<T, float> ? T(1e-5) : T(1e-10);

std::size_t square(int n) { return static_cast<std::size_t>(n) * static_cast<std::size_t>(n); }

}  // namespace

template <FloatingPoint T>
RobustInverse<T>::RobustInverse(int rows, const SingularityOptions& options)
    : rows_(rows),
      options_(options),
      threshold_(std::max(static_cast<T>(options.threshold), 10 * kNothing<T>)),
      scale_(static_cast<std::size_t>(rows)),
      work_(square(rows)),
      vectors_(work_),
      weight_(scale_),
      floor_(scale_.size(), kNothing<T>),
      panel_(kInversePanel * scale_.size()),
      order_(static_cast<std::size_t>(rows)),
      force_(work_),
      projection_(work_) {}

template <FloatingPoint T>
RobustInverse<T> RobustInverse<T>::make_held(int rows) {
  RobustInverse out(rows, {});
  out.held_ = true;
  return out;
}

template <FloatingPoint T>
void RobustInverse<T>::load(MatrixView<const T> D) {
  for (int r = 0; r < rows_; ++r) {
    for (int c = 0; c < rows_; ++c) work_[r * rows_ + c] = scale_[r] * D(r, c) * scale_[c];
  }
}

template <FloatingPoint T>
void RobustInverse<T>::factor(MatrixView<const T> D, const T* scale) {
  for (int r = 0; r < rows_; ++r) scale_[r] = T(1) / scale[r];
  report_ = {};
  split_ = false;
  load(D);
  if (invert()) {
    T trace(0);
    for (int r = 0; r < rows_; ++r) trace += force_[r * rows_ + r];
    report_.smallest = T(1) / std::max(trace, T(1));  // no eigenvalue is below the inverse of their inverses' sum
    if (held_ || report_.smallest > threshold_) return unscale(force_);
  }
  load(D);
  if (held_) {
    invert_independent(factor_independent());
    return unscale(force_);
  }
  split();
}

/// The plain inverse, where there is one beyond rounding.
template <FloatingPoint T>
bool RobustInverse<T>::invert() {
  if (!cholesky_in_place<T>(LowerView<T>{work_.data(), rows_}, floor_).ok()) return false;
  inverse_from_cholesky<T>({work_.data(), rows_}, rows_, force_.data(), panel_.data());
  return true;
}

/// L of the rows that are independent of those before them, largest pivot first, in the lower triangle of the work. Returns how many
/// there are.
template <FloatingPoint T>
int RobustInverse<T>::factor_independent() {
  const int n = rows_;
  T* A = work_.data();
  for (int k = 0; k < n; ++k) order_[k] = k;
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int r = k + 1; r < n; ++r) p = A[r * n + r] > A[p * n + p] ? r : p;
    if (!(A[p * n + p] > kNothing<T>)) return k;
    if (p != k) {
      std::swap(order_[p], order_[k]);
      std::swap_ranges(A + p * n, A + p * n + n, A + k * n);
      for (int r = 0; r < n; ++r) std::swap(A[r * n + p], A[r * n + k]);
    }
    const T inverse = T(1) / std::sqrt(A[k * n + k]);
    A[k * n + k] = inverse;
    for (int r = k + 1; r < n; ++r) A[r * n + k] *= inverse;
    for (int r = k + 1; r < n; ++r) {
      const T left = A[r * n + k];
      for (int c = k + 1; c <= r; ++c) A[r * n + c] -= left * A[c * n + k];
      for (int c = k + 1; c < r; ++c) A[c * n + r] = A[r * n + c];  // swaps look at both triangles
    }
  }
  return n;
}

/// L⁻ᵀ L⁻¹ at the independent rows, zero elsewhere.
template <FloatingPoint T>
void RobustInverse<T>::invert_independent(int rank) {
  const int n = rows_;
  T *L = work_.data(), *X = vectors_.data();  // X: L⁻¹
  for (int c = 0; c < rank; ++c) {
    X[c * n + c] = L[c * n + c];
    for (int r = c + 1; r < rank; ++r) {
      T sum(0);
      for (int k = c; k < r; ++k) sum += L[r * n + k] * X[k * n + c];
      X[r * n + c] = -sum * L[r * n + r];
    }
  }
  std::fill(force_.begin(), force_.end(), T(0));
  for (int r = 0; r < rank; ++r) {
    for (int c = 0; c <= r; ++c) {
      T sum(0);
      for (int k = r; k < rank; ++k) sum += X[k * n + r] * X[k * n + c];
      force_[order_[r] * n + order_[c]] = force_[order_[c] * n + order_[r]] = sum;
    }
  }
}

/// How much a direction is taken to yield.
template <FloatingPoint T>
T RobustInverse<T>::yield_of(const T& w, const T& damping) const {
  return options_.handling == SingularHandling::kDamp ? w + damping : std::max(w, threshold_);
}

template <FloatingPoint T>
void RobustInverse<T>::split() {
  symmetric_eigen(rows_, work_.data(), vectors_.data());
  find_weakest();
  const T lack = std::max(T(1) - report_.smallest / threshold_, T(0));
  const bool truncates = options_.handling == SingularHandling::kTruncate;
  for (int k = 0; k < rows_; ++k) {
    const T w = std::max(work_[k * rows_ + k], T(0));  // in this order, what is no number stays none
    const bool given_up = truncates && w < threshold_;
    weight_[k] = given_up ? T(0) : T(1) / yield_of(w, threshold_ * lack * lack);
  }
  compose(weight_.data(), force_);
  split_ = report_.weak > 0 && !truncates;
  if (!split_) return;
  for (int k = 0; k < rows_; ++k) {
    const T w = work_[k * rows_ + k];
    weight_[k] = w > kNothing<T> ? T(1) / w : T(0);
  }
  compose(weight_.data(), projection_);
}

template <FloatingPoint T>
void RobustInverse<T>::find_weakest() {
  int weakest = 0;
  for (int k = 0; k < rows_; ++k) {
    const T w = work_[k * rows_ + k];
    if (w < work_[weakest * rows_ + weakest]) weakest = k;
    if (!(w >= threshold_)) ++report_.weak;  // neither is what is no number
  }
  report_.smallest = std::max(work_[weakest * rows_ + weakest], T(0));
  if (report_.weak == 0) return;
  report_.row = 0;
  const auto share = [&](int r) { return std::abs(vectors_[weakest * rows_ + r]); };
  for (int r = 1; r < rows_; ++r) report_.row = share(r) > share(report_.row) ? r : report_.row;
}

/// s⁻¹ Vᵀ weight V s⁻¹
template <FloatingPoint T>
void RobustInverse<T>::compose(const T* weight, std::vector<T>& out) const {
  const T* V = vectors_.data();
  for (int r = 0; r < rows_; ++r) {
    for (int c = 0; c <= r; ++c) {
      T sum(0);
      for (int k = 0; k < rows_; ++k) sum += V[k * rows_ + r] * weight[k] * V[k * rows_ + c];
      out[r * rows_ + c] = out[c * rows_ + r] = sum;
    }
  }
  unscale(out);
}

template <FloatingPoint T>
void RobustInverse<T>::unscale(std::vector<T>& matrix) const {
  for (int r = 0; r < rows_; ++r) {
    for (int c = 0; c < rows_; ++c) matrix[r * rows_ + c] *= scale_[r] * scale_[c];
  }
}

template class RobustInverse<float>;
template class RobustInverse<double>;

}  // namespace delassus
