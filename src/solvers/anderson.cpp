#include "solvers/anderson.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace delassus {
namespace {

/// Σ w a b, in several sums at a time: one sum would wait for itself.
double weighted_product(int size, const double* w, const double* a, const double* b) {
  constexpr int kSums = 8;
  double sum[kSums] = {};
  int r = 0;
  for (; r + kSums <= size; r += kSums) {
    for (int k = 0; k < kSums; ++k) sum[k] += w[r + k] * a[r + k] * b[r + k];
  }
  for (; r < size; ++r) sum[0] += w[r] * a[r] * b[r];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/// Solves A x = b in place of b by Cholesky, with what keeps A positive on its diagonal. False if it is not.
bool solve_small(int size, double* a, double* b) {
  for (int j = 0; j < size; ++j) {
    double* row = a + j * size;
    for (int i = 0; i <= j; ++i) {
      double sum = row[i];
      for (int k = 0; k < i; ++k) sum -= row[k] * a[i * size + k];
      if (i < j) {
        row[i] = sum / a[i * size + i];
      } else if (sum > 0) {
        row[j] = std::sqrt(sum);
      } else {
        return false;
      }
    }
  }
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < i; ++k) b[i] -= a[i * size + k] * b[k];
    b[i] /= a[i * size + i];
  }
  for (int i = size - 1; i >= 0; --i) {
    for (int k = i + 1; k < size; ++k) b[i] -= a[k * size + i] * b[k];
    b[i] /= a[i * size + i];
  }
  return true;
}

}  // namespace

void Anderson::reserve(int size) { begin(size); }  // vectors keep what they had room for

void Anderson::begin(int size) {
  const auto n = static_cast<std::size_t>(size), m = static_cast<std::size_t>(memory_);
  size_ = size;
  point_.resize(n);
  step_.resize(n);
  points_.resize(n * m);
  steps_.resize(n * m);
  products_.resize(m * m);
  factor_.resize(m * m);
  right_.resize(m);
  forget();
}

/// Columns go round: the oldest is overwritten. Products of columns are kept, and only those of the new one computed.
void Anderson::keep_differences(VectorView<const double> u, VectorView<const double> step,
                                VectorView<const double> weights) {
  if (count_ == 0) next_ = 0;
  double *du = column(points_, next_), *df = column(steps_, next_);
  for (int r = 0; r < size_; ++r) {
    du[r] = u[r] - point_[static_cast<std::size_t>(r)];
    df[r] = step[r] - step_[static_cast<std::size_t>(r)];
  }
  count_ = std::min(count_ + 1, memory_);
  for (int k = 0; k < count_; ++k) {
    const double product = weighted_product(size_, weights.data(), df, column(steps_, k));
    products_[static_cast<std::size_t>(next_ * memory_ + k)] = product;
    products_[static_cast<std::size_t>(k * memory_ + next_)] = product;
  }
  next_ = (next_ + 1) % memory_;
}

/// Least squares over the differences. They become nearly dependent as the iteration converges, hence the small part of the trace.
bool Anderson::find_combination(VectorView<const double> step, VectorView<const double> weights) {
  constexpr double kRegularisation = 1e-10;
  double trace = 0;
  for (int k = 0; k < count_; ++k) trace += products_[static_cast<std::size_t>(k * memory_ + k)];
  for (int j = 0; j < count_; ++j) {
    for (int k = 0; k < count_; ++k) {
      factor_[static_cast<std::size_t>(j * count_ + k)] =
          products_[static_cast<std::size_t>(j * memory_ + k)] + (j == k ? kRegularisation * trace : 0.0);
    }
    right_[static_cast<std::size_t>(j)] = weighted_product(size_, weights.data(), step.data(), column(steps_, j));
  }
  return solve_small(count_, factor_.data(), right_.data());
}

void Anderson::advance(VectorView<double> u, VectorView<const double> step, VectorView<const double> weights) {
  constexpr double kAstray = 2;
  const double norm = std::sqrt(weighted_product(size_, weights.data(), step.data(), step.data()));
  if (memory_ > 0 && !fresh_) keep_differences(u, step, weights);
  if (!fresh_ && norm > kAstray * last_norm_) count_ = 0;
  last_norm_ = norm;
  fresh_ = false;
  std::copy_n(u.data(), size_, point_.begin());
  std::copy_n(step.data(), size_, step_.begin());
  for (int r = 0; r < size_; ++r) u[r] += step[r];
  if (count_ == 0 || !find_combination(step, weights)) return;
  for (int k = 0; k < count_; ++k) {
    const double part = right_[static_cast<std::size_t>(k)];
    const double *du = column(points_, k), *df = column(steps_, k);
    for (int r = 0; r < size_; ++r) u[r] -= part * (du[r] + df[r]);
  }
}

}  // namespace delassus
