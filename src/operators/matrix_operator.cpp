#include "delassus/operators/matrix_operator.hpp"

#include <algorithm>
#include <limits>

#include "math/aligned_vector.hpp"
#include "math/cholesky.hpp"
#include "math/instantiate.hpp"
#include "math/lu.hpp"
#include "math/pivot.hpp"
#include "operators/add_damping.hpp"
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
struct MatrixOperator<T>::Work {
  LowerView<const T> lower() const { return {matrix.data(), rows}; }
  LowerView<const T> factor() const { return {damped_factor.data(), rows}; }

  void copy_lower(LowerView<T> to) const {
    for (int c = 0; c < rows; ++c) std::copy(lower().at(c, c), lower().at(0, c + 1), to.at(c, c));
  }

  /// R⁻¹ + Λ⁻¹, the lower triangle or all of it, and its factor.
  Status damp(const Damping<T>& given, std::span<const RowSpan> spans) {
    const LowerView<T> F{damped_factor.data(), rows};
    if (given.kind() != Damping<T>::Kind::kUnsymmetric) {
      copy_lower(F);
      if (const Status status = add_damping(given, spans, rows, F); !status.ok()) return status;
      return take_rounding(F), factor_in_place(F);
    }
    std::copy(matrix.begin(), matrix.end(), damped_factor.begin());
    if (const Status status = add_unsymmetric(given, spans, F); !status.ok()) return status;
    take_rounding(F);
    const int factored = lu_in_place(F, rows, rows);
    return factored == rows ? Status{} : Status{Status::Code::kNotPositive, factored};
  }

  void take_rounding(LowerView<T> A) {
    T largest_entry(0);
    for (int r = 0; r < rows; ++r) largest_entry = max(largest_entry, A(r, r));
    rounding = T(2 * kEpsilon<T> * rows / kTolerance<T>) * largest_entry;
  }

  bool is_unsymmetric() const { return damping.kind() == Damping<T>::Kind::kUnsymmetric; }

  /// x ← (R⁻¹ + Λ⁻¹)⁻¹ x, as the factor has it.
  template <class X>
  void solve_with_factor(T* x) const {
    if (is_unsymmetric()) {
      solve_unit_lower<X>(factor(), rows, rows, x);
      solve_upper<X>(factor(), rows, rows, x);
    } else {
      solve_lower<X>(factor(), rows, x);
      solve_lower_transposed<X>(factor(), rows, x);
    }
  }

  Status factor_in_place(LowerView<T> A) {
    for (int r = 0; r < rows; ++r) floor[r] = T(kPivotTolerance<T>) * A(r, r);
    return cholesky_in_place<T>(A, floor);
  }

  /// Cholesky leaves residuals of some roundings of |A| |z|, whatever the condition of A, and no entry of A is larger than those on its
  /// diagonal. So where that is within the tolerance of b, nothing has to be computed: this costs one multiplication. Of LU without pivoting
  /// nothing is known beforehand.
  bool is_exact(const T* b, const T* z) const {
    if (is_unsymmetric()) return false;
    return all_lanes(rounding * largest(z, rows) < largest(b, rows) + T(std::numeric_limits<Base<T>>::min()));
  }

  /// The same for columns side by side.
  template <class X>
  bool are_exact(const T* b, const T* z) const {
    constexpr int N = kVectors<X, T>;
    if (is_unsymmetric()) return false;
    X most_b(0), most_z(0);
    for (int r = 0; r < rows; ++r) {
      most_b = max(most_b, magnitude(load<X>(b + r * N)));
      most_z = max(most_z, magnitude(load<X>(z + r * N)));
    }
    return all_lanes(X(rounding) * most_z < most_b + X(std::numeric_limits<Base<T>>::min()));
  }

  /// remainder = right - (R⁻¹ + Λ⁻¹) z; returns its largest entry, and no number if one is none.
  T find_remainder(const T* z) {
    multiply_columns<T>(lower(), rows, z, remainder.data());
    damping.add_product(z, remainder.data());
    T sum(0);
    for (int r = 0; r < rows; ++r) sum += remainder[r] = right[r] - remainder[r];
    return largest(remainder.data(), rows) + (sum - sum);
  }

  /// Of `right`.
  Status refine(T* z) {
    const T size = largest(right.data(), rows);
    const auto solve = [&](const T* b, T* x) {
      std::copy_n(b, rows, x);
      solve_with_factor<T>(x);
    };
    const T enough = T(kTolerance<T>) * size + T(std::numeric_limits<Base<T>>::min());
    const T residual = delassus::refine<T>(kRefinements, {enough}, rows, z, remainder.data(), step.data(), solve,
                                           [&](const T* x) { return find_remainder(x); });
    if (all_lanes(residual < enough)) return {};
    find_remainder(z);
    return {Status::Code::kInaccurate, worst_row(remainder.data(), rows)};
  }

  /// Some columns at a time go to memory where they stand row by row, through f(type of a row, where they are), and from
  /// where it says to `out`.
  template <class F>
  void for_each_panel_chunk(const MatrixIn<T>& in, const MatrixOut<T>& out, F&& f) {
    for_each_chunk<T>(in.cols(), [&]<class X>(std::type_identity<X> type, int at) {
      constexpr int N = kVectors<X, T>;
      for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < N; ++k) panel[r * N + k] = in(r, at + k);
      }
      const T* result = f(type, panel.data());
      for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < N; ++k) out(r, at + k) = result[r * N + k];
      }
    });
  }

  std::size_t bytes() const {
    return heap_bytes(matrix, damped_factor, floor, damping, panel, right, remainder, step, solution, inverse_factor,
                      inverse);
  }

  int rows = 0;
  bool damped = false;
  AlignedVector<T> matrix;
  std::vector<T> damped_factor;
  std::vector<T> floor;  // pivots that would be rounding
  KeptDamping<T> damping;
  T rounding{0};         // of a solve for each z, over the tolerance
  std::vector<T> panel;  // some columns of a panel, and of its product
  std::vector<T> right, remainder, step, solution;
  std::vector<T> inverse_factor, inverse;  // of the matrix itself, from the first invert on
};

template <class T>
MatrixOperator<T>::MatrixOperator() : work_(std::in_place) {}

template <class T>
int MatrixOperator<T>::rows() const {
  return work_->rows;
}

template <class T>
MatrixView<const T> MatrixOperator<T>::inverse() const {
  return {work_->inverse.data(), rows(), rows()};
}

template <class T>
const KeptDamping<T>& MatrixOperator<T>::damping() const {
  return work_->damping;
}

template <class T>
std::size_t MatrixOperator<T>::bytes() const {
  return sizeof(Work) + work_->bytes();
}

template <class T>
void MatrixOperator<T>::reserve(std::span<const RowSpan> spans, int rows) {
  Work& w = *work_;
  const std::size_t m = rows;
  w.damping.reserve(spans, rows);
  for (std::vector<T>* work : {&w.right, &w.remainder, &w.step, &w.solution}) work->reserve(m);
  w.matrix.reserve(m * m);
  w.damped_factor.reserve(m * m);
  w.floor.reserve(m);
  w.panel.reserve(2 * kChunk<T> * m);
}

template <class T>
LowerView<T> MatrixOperator<T>::begin(int rows) {
  Work& w = *work_;
  const std::size_t m = rows;
  w.rows = rows;
  w.damped = false;
  w.matrix.resize(m * m);
  w.damped_factor.resize(m * m);
  w.floor.resize(m);
  w.panel.resize(2 * kChunk<T> * m);
  for (std::vector<T>* work : {&w.right, &w.remainder, &w.step, &w.solution}) work->resize(m);
  const LowerView<T> lower{w.matrix.data(), rows};
  for (int c = 0; c < rows; ++c) std::fill(lower.at(c, c), lower.at(0, c + 1), T(0));
  return lower;
}

template <class T>
Status MatrixOperator<T>::finish(Status status) {
  Work& w = *work_;
  for (int r = 0; r < w.rows && status.ok(); ++r) {
    if (!all_lanes(is_finite(w.lower()(r, r)))) status = {Status::Code::kNotFinite, r};
  }
  if (!status.ok()) {
    w.rows = 0;
    return status;
  }
  mirror(LowerView<T>{w.matrix.data(), w.rows}, w.rows);
  return status;
}

template <class T>
CallStatus MatrixOperator<T>::apply(In<T> x, Out<T> y) const {
  Work& w = *work_;
  if (const Status s = check_product(x, y, w.rows); !s.ok()) return spoiled(s, y);
  multiply_columns<T>(w.lower(), w.rows, x.data(), y.data());
  return {};
}

template <class T>
CallStatus MatrixOperator<T>::apply_panel(MatrixIn<T> x, MatrixOut<T> y) const {
  Work& w = *work_;
  if (const Status s = check_sizes({{0, x.rows(), w.rows},
                                    {1, y.rows(), w.rows},
                                    {1, y.cols(), x.cols()},
                                    check_apart(1, x.data(), y.data(), w.rows)});
      !s.ok())
    return spoiled(s, y);
  w.for_each_panel_chunk(x, y, [&]<class X>(std::type_identity<X>, T* columns) {
    T* product = columns + static_cast<std::ptrdiff_t>(kVectors<X, T>) * w.rows;
    multiply_columns<X>(w.lower(), w.rows, columns, product);
    return product;
  });
  return {};
}

template <class T>
Status MatrixOperator<T>::damp(const Damping<T>& damping, std::span<const RowSpan> spans) {
  Work& w = *work_;
  if (!damping.fits(spans, w.rows)) return {Status::Code::kBadArgument, 0};
  const Status status = w.damp(damping, spans);
  w.damped = status.ok();
  if (w.damped) w.damping.take(damping, spans, w.rows);
  return status;
}

template <class T>
Status MatrixOperator<T>::invert() {
  Work& w = *work_;
  const std::size_t m = w.rows;
  w.inverse_factor.resize(m * m);
  w.copy_lower({w.inverse_factor.data(), w.rows});
  if (const Status status = w.factor_in_place({w.inverse_factor.data(), w.rows}); !status.ok()) return status;
  w.inverse.assign(m * m, T(0));
  const MatrixView<T> out(w.inverse.data(), w.rows, w.rows);
  for (int r = 0; r < w.rows; ++r) out(r, r) = T(1);
  const LowerView<const T> factor{w.inverse_factor.data(), w.rows};
  w.for_each_panel_chunk(inverse(), out, [&]<class X>(std::type_identity<X>, T* columns) {
    solve_lower<X>(factor, w.rows, columns);
    solve_lower_transposed<X>(factor, w.rows, columns);
    return columns;
  });
  return {};
}

template <class T>
Status MatrixOperator<T>::solve(In<T> b, Out<T> z) const {
  Work& w = *work_;
  if (!w.damped) return kTooEarly;
  if (const Status s = check_vectors(b, w.rows, z, w.rows); !s.ok()) return s;
  for (int r = 0; r < w.rows; ++r) z[r] = w.right[r] = b[r];
  w.template solve_with_factor<T>(z.data());
  return w.is_exact(w.right.data(), z.data()) ? Status{} : w.refine(z.data());
}

template <class T>
Status MatrixOperator<T>::solve_panel(MatrixIn<T> b, MatrixOut<T> z) const {
  Work& w = *work_;
  if (!w.damped) return kTooEarly;
  if (const Status s = check_panels(b, z, w.rows); !s.ok()) return s;
  Status worst;
  w.for_each_panel_chunk(b, z, [&]<class X>(std::type_identity<X>, T* columns) {
    constexpr int N = kVectors<X, T>;
    T* right = columns + static_cast<std::ptrdiff_t>(N) * w.rows;
    std::copy_n(columns, N * w.rows, right);
    w.template solve_with_factor<X>(columns);
    if (N > 1 && w.template are_exact<X>(right, columns)) return columns;
    for (int k = 0; k < N; ++k) {
      for (int r = 0; r < w.rows; ++r) {
        w.right[r] = right[r * N + k];
        w.solution[r] = columns[r * N + k];
      }
      if (w.is_exact(w.right.data(), w.solution.data())) continue;
      const Status status = w.refine(w.solution.data());
      if (worst.ok()) worst = status;
      for (int r = 0; r < w.rows; ++r) columns[r * N + k] = w.solution[r];
    }
    return columns;
  });
  return worst;
}

template <class T>
CallStatus MatrixOperator<T>::dense(MatrixOut<T> out) const {
  Work& w = *work_;
  if (const Status s = check_matrix(out, w.rows, w.rows); !s.ok()) return spoiled(s, out);
  for (int r = 0; r < w.rows; ++r) {
    for (int c = 0; c < w.rows; ++c) out(r, c) = w.lower()(r, c);
  }
  return {};
}

template <class T>
CallStatus MatrixOperator<T>::diagonal(Out<T> out) const {
  Work& w = *work_;
  if (const Status s = check_sizes({{0, out.size(), w.rows}}); !s.ok()) return spoiled(s, out);
  for (int r = 0; r < w.rows; ++r) out[r] = w.lower()(r, r);
  return {};
}

#define DELASSUS_INSTANTIATE(T) template class MatrixOperator<T>;
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
