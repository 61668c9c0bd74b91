#include "solvers/anderson.hpp"

#include <algorithm>
#include <cmath>

#include "math/chunks.hpp"
#include "math/columns.hpp"

namespace delassus {
namespace {

constexpr int kLanes = kChunk<double>;
using Lanes = Pack<double, kLanes>;

/// Whole chunks for so many entries.
constexpr int padded(int entries) { return (entries + kLanes - 1) / kLanes * kLanes; }

/// Solves A x = b by elimination without pivots. Of A the upper triangle is read, by rows of `stride` entries, with b behind the last column; rows
/// begin and end with whole chunks, of which entries that do not count may be anything. False if A is not positive.
bool solve_small(int size, int stride, double* a, double* x) {
  for (int p = 0; p < size; ++p) {
    const double* pivot = a + p * stride;
    if (!(pivot[p] > 0)) return false;
    const double inverse = 1 / pivot[p];
    for (int j = p + 1; j < size; ++j) {
      const double factor = pivot[j] * inverse;
      double* row = a + j * stride;
      for (int k = j / kLanes * kLanes; k < stride; k += kLanes)
        store(row + k, load<Lanes>(row + k) - load<Lanes>(pivot + k) * factor);
    }
  }
  for (int i = 0; i < size; ++i) x[i] = a[i * stride + size];
  for (int p = size - 1; p >= 0; --p) {
    x[p] /= a[p * stride + p];
    for (int i = 0; i < p; ++i) x[i] -= a[i * stride + p] * x[p];
  }
  return true;
}

}  // namespace

void Anderson::reserve(int size) { begin(size); }  // vectors keep what they had room for

void Anderson::begin(int size) {
  size_ = size;
  stride_ = padded(size);
  const auto n = static_cast<std::size_t>(stride_), m = static_cast<std::size_t>(memory_);
  for (AlignedVector<double>* x : {&step_, &target_, &weighted_step_, &weighted_change_}) x->resize(n);
  steps_.resize(n * m);
  targets_.resize(n * m);
  products_.resize(m * m);
  factor_.resize(m * static_cast<std::size_t>(padded(memory_ + 1)));
  right_.resize(m);
  std::fill(weighted_step_.begin() + size_, weighted_step_.end(), 0.0);
  std::fill(weighted_change_.begin() + size_, weighted_change_.end(), 0.0);
  for (int k = 0; k < memory_; ++k) std::fill(column(steps_, k) + size_, column(steps_, k) + stride_, 0.0);
  forget();
}

/// Columns go round: the oldest is overwritten. Returns the square of the step's norm.
double Anderson::keep(VectorView<const double> u, VectorView<const double> step, VectorView<const double> weights) {
  if (count_ == 0) next_ = 0;
  double *df = column(steps_, next_), *dg = column(targets_, next_);
  Lanes sum(0);
  double rest = 0;
  for_each_chunk<double>(size_, [&]<class X>(std::type_identity<X>, int r) {
    const X f = load<X>(step.data() + r), g = load<X>(u.data() + r) + f, w = load<X>(weights.data() + r);
    const X change = f - load<X>(&step_[0] + r);
    store(df + r, change);
    store(dg + r, g - load<X>(&target_[0] + r));
    store(&weighted_change_[0] + r, w * change);
    store(&weighted_step_[0] + r, w * f);
    store(&step_[0] + r, f);
    store(&target_[0] + r, g);
    if constexpr (std::same_as<X, Lanes>) {
      sum += w * f * f;
    } else {
      rest += sum_lanes<double>(w * f * f);
    }
  });
  return sum_lanes<double>(sum) + rest;
}

/// Products of columns are kept: only those of the newest, and of the step, are computed, several columns at a time.
void Anderson::multiply() {
  const double *change = weighted_change_.data(), *step = weighted_step_.data();
  for_each_block<4, 2>(count_, [&](auto width, int at) {
    constexpr int kWidth = width();
    Lanes with_change[kWidth], with_step[kWidth];
    DELASSUS_UNROLL
    for (int k = 0; k < kWidth; ++k) with_change[k] = with_step[k] = Lanes(0);
    const double* columns = column(steps_, at);
    for (int r = 0; r < stride_; r += kLanes) {
      const auto c = load<Lanes>(change + r), s = load<Lanes>(step + r);
      DELASSUS_UNROLL
      for (int k = 0; k < kWidth; ++k) {
        const auto x = load<Lanes>(columns + static_cast<std::ptrdiff_t>(k) * stride_ + r);
        with_change[k] += c * x;
        with_step[k] += s * x;
      }
    }
    for (int k = 0; k < kWidth; ++k) {
      const auto product = sum_lanes<double>(with_change[k]);
      products_[static_cast<std::size_t>(next_ * memory_ + at + k)] = product;
      products_[static_cast<std::size_t>((at + k) * memory_ + next_)] = product;
      right_[static_cast<std::size_t>(at + k)] = sum_lanes<double>(with_step[k]);
    }
  });
}

/// Least squares over the differences. They become nearly dependent as the iteration converges, hence the small part of the trace.
bool Anderson::find_combination() {
  constexpr double kRegularisation = 1e-10;
  double trace = 0;
  for (int k = 0; k < count_; ++k) trace += products_[static_cast<std::size_t>(k * memory_ + k)];
  const int stride = padded(count_ + 1);
  for (int j = 0; j < count_; ++j) {
    double* row = &factor_[static_cast<std::size_t>(j * stride)];
    std::copy_n(&products_[static_cast<std::size_t>(j * memory_)], count_, row);
    row[j] += kRegularisation * trace;
    row[count_] = right_[static_cast<std::size_t>(j)];
  }
  return solve_small(count_, stride, factor_.data(), right_.data());
}

void Anderson::advance(VectorView<double> u, VectorView<const double> step, VectorView<const double> weights) {
  constexpr double kAstray = 2;
  if (memory_ == 0) {
    for (int r = 0; r < size_; ++r) u[r] += step[r];
    return;
  }
  const double norm = std::sqrt(keep(u, step, weights));
  const bool compares = !fresh_ && !(norm > kAstray * last_norm_);
  last_norm_ = norm;
  fresh_ = false;
  count_ = compares ? std::min(count_ + 1, memory_) : 0;
  bool combined = false;
  if (count_ > 0) {
    multiply();
    combined = find_combination();
    next_ = (next_ + 1) % memory_;
  }
  for_each_chunk<double>(size_, [&]<class X>(std::type_identity<X>, int r) {
    X sum = load<X>(&target_[0] + r);
    for (int k = 0; combined && k < count_; ++k)
      sum -= load<X>(column(targets_, k) + r) * right_[static_cast<std::size_t>(k)];
    store(u.data() + r, sum);
  });
}

}  // namespace delassus
