#include "delassus/operators/matrix_operator.hpp"

#include <algorithm>
#include <limits>

#include "math/cholesky.hpp"
#include "math/instantiate.hpp"
#include "math/pivot.hpp"
#include "operators/refinement.hpp"

namespace delassus {
namespace {

/// Four columns of four rows each, copied to where they are four rows.
template <class T>
DELASSUS_INLINE void mirror_block(const LowerView<T>& lower, int row, int column) {
  if constexpr (FloatingPoint<T>) {
    using V = typename VectorOf<T, 4>::type;
    V a[4];
    for (int k = 0; k < 4; ++k) __builtin_memcpy(&a[k], lower.at(row, column + k), sizeof(V));
    const V b[4] = {__builtin_shufflevector(a[0], a[1], 0, 4, 2, 6), __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7),
                    __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6), __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7)};
    const V c[4] = {__builtin_shufflevector(b[0], b[2], 0, 1, 4, 5), __builtin_shufflevector(b[1], b[3], 0, 1, 4, 5),
                    __builtin_shufflevector(b[0], b[2], 2, 3, 6, 7), __builtin_shufflevector(b[1], b[3], 2, 3, 6, 7)};
    for (int k = 0; k < 4; ++k) __builtin_memcpy(lower.at(column, row + k), &c[k], sizeof(V));
  } else {
    for (int r = row; r < row + 4; ++r) {
      for (int c = column; c < column + 4; ++c) lower(c, r) = lower(r, c);
    }
  }
}

/// Copies what is below the diagonal to above it; eight columns at a time, so that what is written fills cache lines.
template <class T>
void mirror(const LowerView<T>& lower, int rows) {
  const int whole = rows / 4 * 4;
  for (int c = 0; c < whole; c += 8) {
    if (c + 8 <= whole) mirror_block(lower, c + 4, c);
    for (int r = c + 8; r < whole; r += 4) {
      mirror_block(lower, r, c);
      mirror_block(lower, r, c + 4);
    }
  }
  for (int c = 0; c < rows; ++c) {
    const int block_end = c < whole ? c / 4 * 4 + 4 : rows;
    for (int r = c + 1; r < block_end; ++r) lower(c, r) = lower(r, c);
    for (int r = whole > block_end ? whole : block_end; r < rows; ++r) lower(c, r) = lower(r, c);
  }
}

template <class T>
constexpr double kEpsilon = static_cast<double>(std::numeric_limits<Base<T>>::epsilon());
/// Residuals relative to b, as those of the condensed tree. What is below is left as it is: Cholesky solves for all b with one matrix that is near
/// this one, and steps of refinement, each with a rounding of its own, would lose that.
template <class T>
constexpr double kTolerance = std::max(1e-7, 1e4 * kEpsilon<T>);
constexpr int kRefinements = 3;

}  // namespace

template <class T>
void MatrixOperator<T>::reserve(std::span<const RowSpan> spans, int rows) {
  const std::size_t m = rows;
  damping_.reserve(spans, rows);
  for (std::vector<T>* work : {&right_, &remainder_, &step_, &solution_}) work->reserve(m);
  matrix_.reserve(m * m);
  damped_factor_.reserve(m * m);
  floor_.reserve(m);
  panel_.reserve(2 * kChunk<T> * m);
}

template <class T>
LowerView<T> MatrixOperator<T>::begin(int rows) {
  const std::size_t m = rows;
  rows_ = rows;
  damped_ = false;
  matrix_.resize(m * m);
  damped_factor_.resize(m * m);
  floor_.resize(m);
  panel_.resize(2 * kChunk<T> * m);
  for (std::vector<T>* work : {&right_, &remainder_, &step_, &solution_}) work->resize(m);
  const LowerView<T> lower{matrix_.data(), rows};
  for (int c = 0; c < rows; ++c) std::fill(lower.at(c, c), lower.at(0, c + 1), T(0));
  return lower;
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
  mirror(LowerView<T>{matrix_.data(), rows_}, rows_);
  return status;
}

template <class T>
CallStatus MatrixOperator<T>::apply(In<T> x, Out<T> y) const {
  if (const Status s = check_product(x, y, rows_); !s.ok()) return spoiled(s, y);
  multiply_columns<T>(matrix(), rows_, x.data(), y.data());
  return {};
}

template <class T>
CallStatus MatrixOperator<T>::apply_panel(MatrixIn<T> x, MatrixOut<T> y) const {
  if (const Status s = check_sizes({{0, x.rows(), rows_},
                                    {1, y.rows(), rows_},
                                    {1, y.cols(), x.cols()},
                                    check_apart(1, x.data(), y.data(), rows_)});
      !s.ok())
    return spoiled(s, y);
  for_each_panel_chunk(x, y, [&]<class X>(std::type_identity<X>, T* columns) {
    T* product = columns + static_cast<std::ptrdiff_t>(kVectors<X, T>) * rows_;
    multiply_columns<X>(matrix(), rows_, columns, product);
    return product;
  });
  return {};
}

/// Some columns at a time go to memory where they stand row by row, through step(type of a row, where they are), and from
/// where it says to `out`.
template <class T>
template <class Step>
void MatrixOperator<T>::for_each_panel_chunk(const MatrixIn<T>& in, const MatrixOut<T>& out, Step&& step) const {
  for_each_chunk<T>(in.cols(), [&]<class X>(std::type_identity<X> type, int at) {
    constexpr int N = kVectors<X, T>;
    for (int r = 0; r < rows_; ++r) {
      for (int k = 0; k < N; ++k) panel_[r * N + k] = in(r, at + k);
    }
    const T* result = step(type, panel_.data());
    for (int r = 0; r < rows_; ++r) {
      for (int k = 0; k < N; ++k) out(r, at + k) = result[r * N + k];
    }
  });
}

template <class T>
Status MatrixOperator<T>::damp(const Damping<T>& damping, std::span<const RowSpan> spans) {
  if (!damping.fits(spans, rows_)) return {Status::Code::kBadArgument, 0};
  damped_ = false;
  const LowerView<T> F{damped_factor_.data(), rows_};
  copy_lower(F);
  Status status = add_damping(damping, spans, rows_, F);
  if (!status.ok()) return status;
  damping_.take(damping, spans, rows_);
  T largest_entry(0);
  for (int r = 0; r < rows_; ++r) largest_entry = max(largest_entry, F(r, r));
  rounding_ = T(2 * kEpsilon<T> * rows_ / kTolerance<T>) * largest_entry;
  status = factor_in_place(F);
  damped_ = status.ok();
  return status;
}

template <class T>
void MatrixOperator<T>::copy_lower(LowerView<T> to) const {
  for (int c = 0; c < rows_; ++c) std::copy(matrix().at(c, c), matrix().at(0, c + 1), to.at(c, c));
}

template <class T>
Status MatrixOperator<T>::factor_in_place(LowerView<T> A) {
  for (int r = 0; r < rows_; ++r) floor_[r] = T(kPivotTolerance<T>) * A(r, r);
  return cholesky_in_place<T>(A, floor_);
}

template <class T>
Status MatrixOperator<T>::invert() {
  const std::size_t m = rows_;
  inverse_factor_.resize(m * m);
  const LowerView<T> factor{inverse_factor_.data(), rows_};
  copy_lower(factor);
  if (const Status status = factor_in_place(factor); !status.ok()) return status;
  inverse_.assign(m * m, T(0));
  const MatrixView<T> out(inverse_.data(), rows_, rows_);
  for (int r = 0; r < rows_; ++r) out(r, r) = T(1);
  solve_columns({inverse_factor_.data(), rows_}, MatrixView<const T>(inverse_.data(), rows_, rows_), out);
  return {};
}

/// Cholesky leaves residuals of some roundings of |A| |z|, whatever the condition of A, and no entry of A is larger than those on its
/// diagonal. So where that is within the tolerance of b, nothing has to be computed: this costs one multiplication.
template <class T>
bool MatrixOperator<T>::is_exact(const T* b, const T* z) const {
  return all_lanes(rounding_ * largest(z, rows_) < largest(b, rows_) + T(std::numeric_limits<Base<T>>::min()));
}

/// The same for columns side by side.
template <class T>
template <class X>
bool MatrixOperator<T>::are_exact(const T* b, const T* z) const {
  constexpr int N = kVectors<X, T>;
  X most_b(0), most_z(0);
  for (int r = 0; r < rows_; ++r) {
    most_b = max(most_b, magnitude(load<X>(b + r * N)));
    most_z = max(most_z, magnitude(load<X>(z + r * N)));
  }
  return all_lanes(X(rounding_) * most_z < most_b + X(std::numeric_limits<Base<T>>::min()));
}

/// remainder = right - (R⁻¹ + Λ⁻¹) z; returns its largest entry, and no number if one is none.
template <class T>
T MatrixOperator<T>::find_remainder(const T* z) const {
  multiply_columns<T>(matrix(), rows_, z, remainder_.data());
  damping_.add_product(z, remainder_.data());
  T sum(0);
  for (int r = 0; r < rows_; ++r) sum += remainder_[r] = right_[r] - remainder_[r];
  return largest(remainder_.data(), rows_) + (sum - sum);
}

/// Of `right_`.
template <class T>
Status MatrixOperator<T>::refine(T* z) const {
  const T size = largest(right_.data(), rows_);
  const auto solve = [&](const T* b, T* x) {
    std::copy_n(b, rows_, x);
    solve_lower<T>(damped_factor(), rows_, x);
    solve_lower_transposed<T>(damped_factor(), rows_, x);
  };
  const T enough = T(kTolerance<T>) * size + T(std::numeric_limits<Base<T>>::min());
  const T residual = delassus::refine<T>(kRefinements, enough, rows_, z, remainder_.data(), step_.data(), solve,
                                         [&](const T* x) { return find_remainder(x); });
  if (all_lanes(residual < enough)) return {};
  find_remainder(z);
  return {Status::Code::kInaccurate, worst_row(remainder_.data(), rows_)};
}

template <class T>
Status MatrixOperator<T>::solve(In<T> b, Out<T> z) const {
  if (!damped_) return kTooEarly;
  if (const Status s = check_vectors(b, rows_, z, rows_); !s.ok()) return s;
  for (int r = 0; r < rows_; ++r) z[r] = right_[r] = b[r];
  solve_lower<T>(damped_factor(), rows_, z.data());
  solve_lower_transposed<T>(damped_factor(), rows_, z.data());
  return is_exact(right_.data(), z.data()) ? Status{} : refine(z.data());
}

template <class T>
Status MatrixOperator<T>::solve_panel(MatrixIn<T> b, MatrixOut<T> z) const {
  if (!damped_) return kTooEarly;
  if (const Status s = check_panels(b, z, rows_); !s.ok()) return s;
  Status worst;
  for_each_panel_chunk(b, z, [&]<class X>(std::type_identity<X>, T* columns) {
    constexpr int N = kVectors<X, T>;
    T* right = columns + static_cast<std::ptrdiff_t>(N) * rows_;
    std::copy_n(columns, N * rows_, right);
    solve_lower<X>(damped_factor(), rows_, columns);
    solve_lower_transposed<X>(damped_factor(), rows_, columns);
    if (N > 1 && are_exact<X>(right, columns)) return columns;
    for (int k = 0; k < N; ++k) {
      for (int r = 0; r < rows_; ++r) {
        right_[r] = right[r * N + k];
        solution_[r] = columns[r * N + k];
      }
      if (is_exact(right_.data(), solution_.data())) continue;
      const Status status = refine(solution_.data());
      if (worst.ok()) worst = status;
      for (int r = 0; r < rows_; ++r) columns[r * N + k] = solution_[r];
    }
    return columns;
  });
  return worst;
}

template <class T>
void MatrixOperator<T>::solve_columns(LowerView<const T> factor, const MatrixIn<T>& b, const MatrixOut<T>& z) const {
  for_each_panel_chunk(b, z, [&]<class X>(std::type_identity<X>, T* columns) {
    solve_lower<X>(factor, rows_, columns);
    solve_lower_transposed<X>(factor, rows_, columns);
    return columns;
  });
}

template <class T>
CallStatus MatrixOperator<T>::dense(MatrixOut<T> out) const {
  if (const Status s = check_matrix(out, rows_, rows_); !s.ok()) return spoiled(s, out);
  for (int r = 0; r < rows_; ++r) {
    for (int c = 0; c < rows_; ++c) out(r, c) = matrix()(r, c);
  }
  return {};
}

template <class T>
CallStatus MatrixOperator<T>::diagonal(Out<T> out) const {
  if (const Status s = check_sizes({{0, out.size(), rows_}}); !s.ok()) return spoiled(s, out);
  for (int r = 0; r < rows_; ++r) out[r] = matrix()(r, r);
  return {};
}

#define DELASSUS_INSTANTIATE(T) template class MatrixOperator<T>;
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
