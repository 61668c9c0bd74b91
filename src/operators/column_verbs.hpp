// Verbs of operators that have products and solves of single vectors alone: panels and matrices by columns, and solves again from the
// explicit matrix.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "delassus/math/arguments.hpp"
#include "delassus/operators/condensed.hpp"
#include "operators/explicit_fallback.hpp"

namespace delassus {

/// Memory for columns.
template <class T>
struct ColumnMemory {
  void resize(int rows) {
    for (std::vector<T>* x : {&column, &result, &right, &left}) x->resize(static_cast<std::size_t>(rows));
  }
  std::size_t bytes() const { return heap_bytes(column, result, right, left); }

  std::vector<T> column, result;  // of panels and matrices
  std::vector<T> right, left;     // of a solve: its right-hand side, what is left of it
};

/// f(in, out) for every column of two panels.
template <class T, class F>
CallStatus for_each_column(int rows, MatrixView<const T> in, MatrixView<T> out, ColumnMemory<T>& memory, F&& f) {
  if (const Status s = check_panels(in, out, rows); !s.ok()) return spoiled(s, out);
  const std::span<T> column(memory.column.data(), static_cast<std::size_t>(rows)),
      result(memory.result.data(), static_cast<std::size_t>(rows));
  for (int c = 0; c < in.cols(); ++c) {
    for (int r = 0; r < rows; ++r) column[static_cast<std::size_t>(r)] = in(r, c);
    f(column, result);
    for (int r = 0; r < rows; ++r) out(r, c) = result[static_cast<std::size_t>(r)];
  }
  return {};
}

/// f(c, product with the unit vector of c).
template <class T, class Op, class F>
void for_each_unit(const Op& op, ColumnMemory<T>& memory, F&& f) {
  const std::span<T> unit(memory.column.data(), static_cast<std::size_t>(op.rows())),
      result(memory.result.data(), unit.size());
  std::fill(unit.begin(), unit.end(), T(0));
  for (int c = 0; c < op.rows(); ++c) {
    unit[static_cast<std::size_t>(c)] = T(1);
    op.apply(unit, result);
    f(c, result);
    unit[static_cast<std::size_t>(c)] = T(0);
  }
}

template <class T, class Op>
Status solve_by_columns(const Op& op, MatrixView<const T> b, MatrixView<T> z, ColumnMemory<T>& memory) {
  Status worst;
  const Status fits = for_each_column<T>(op.rows(), b, z, memory, [&](auto in, auto out) {
    const Status status = op.solve(in, out);
    if (worst.ok()) worst = status;
  });
  return fits.ok() ? worst : fits;
}

template <class T, class Op>
CallStatus matrix_by_columns(const Op& op, MatrixView<T> matrix, ColumnMemory<T>& memory) {
  if (const Status s = check_matrix(matrix, op.rows(), op.rows()); !s.ok()) return spoiled(s, matrix);
  for_each_unit<T>(op, memory, [&](int c, std::span<const T> column) {
    for (int r = c; r < op.rows(); ++r) matrix(r, c) = matrix(c, r) = column[static_cast<std::size_t>(r)];
  });
  return {};
}

template <class T, class Op>
CallStatus diagonal_by_columns(const Op& op, VectorView<T> out, ColumnMemory<T>& memory) {
  if (const Status s = check_sizes({{0, out.size(), op.rows()}}); !s.ok()) return spoiled(s, out);
  for_each_unit<T>(op, memory, [&](int c, std::span<const T> column) { out[c] = column[static_cast<std::size_t>(c)]; });
  return {};
}

/// Replaces z, which solves for memory.right and is not exact, by the solution from the matrix where that leaves less. kInaccurate names
/// a row if what is left then is more than the tolerance too.
template <class T, class Op>
Status solve_again(const Op& op, const KeptDamping<T>& damping, std::span<const RowSpan> spans,
                   const CondensedOptions& options, VectorView<T> z, ColumnMemory<T>& memory,
                   ExplicitFallback<T>& fallback) {
  constexpr double kLeastTolerance = 1e4 * std::numeric_limits<double>::epsilon();
  const VectorView<const T> right(memory.right.data(), op.rows());
  T residual = remainder_of(op, damping, right, z, memory.left);
  if (options.may_fall_back(op.rows())) fallback.improve(op, damping.view(), spans, right, z, memory.left, residual);
  const T size = largest(right.data(), op.rows());
  if (all_lanes(residual < T(std::max(options.tolerance, kLeastTolerance)) * size)) return {};
  return {Status::Code::kInaccurate, worst_row(memory.left.data(), op.rows())};
}

}  // namespace delassus
