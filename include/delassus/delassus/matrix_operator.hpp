// The verbs of an operator whose matrix is there: products, damped solves. What fills the matrix is not its business.
#pragma once

#include <span>
#include <vector>

#include "delassus/delassus/operator.hpp"
#include "delassus/math/heap_bytes.hpp"
#include "delassus/math/lower_view.hpp"

namespace delassus {

template <class T>
class MatrixOperator {
 public:
  int rows() const { return rows_; }
  void apply(In<T> x, Out<T> y) const;
  void apply_panel(MatrixIn<T> x, MatrixOut<T> y) const;
  /// Always ok: what Cholesky could factor it can also solve.
  Status solve_damped(In<T> b, Out<T> z) const;
  Status solve_panel(MatrixIn<T> b, MatrixOut<T> z) const;
  void dense(MatrixOut<T> matrix) const;
  void diagonal(Out<T> out) const;

 protected:
  /// Memory for this many rows.
  void reserve(int rows);
  /// Zeros, to be filled below and on the diagonal. There is no damping then.
  LowerView<T> begin(int rows);
  /// Copies the lower triangle to the upper one, or drops all rows if the status says that there is no matrix. Adds to the
  /// status: kNotFinite names a row that is no number.
  Status finish(Status status);
  /// Adds the damping and factors; blocks belong to these constraints.
  Status damp(const Damping<T>& damping, std::span<const RowSpan> spans);
  /// Λ, the inverse of the matrix, O(rows³), in memory that only its first use takes. The damping stays as it is.
  /// kNotPositive names a row that depends on those before it.
  Status invert();
  /// After a successful invert.
  MatrixView<const T> inverse() const { return {inverse_.data(), rows_, rows_}; }
  std::size_t bytes() const { return heap_bytes(matrix_, damped_factor_, floor_, panel_, inverse_factor_, inverse_); }

 private:
  LowerView<const T> matrix() const { return {matrix_.data(), rows_}; }
  LowerView<const T> damped_factor() const { return {damped_factor_.data(), rows_}; }
  void require_damped() const;
  void copy_lower(LowerView<T> to) const;
  Status factor_in_place(LowerView<T> A);
  void solve_columns(LowerView<const T> factor, const MatrixIn<T>& b, const MatrixOut<T>& z) const;
  template <class Step>
  void for_each_panel_chunk(const MatrixIn<T>& in, const MatrixOut<T>& out, Step&& step) const;

  int rows_ = 0;
  bool damped_ = false;
  std::vector<T> matrix_;
  std::vector<T> damped_factor_;
  std::vector<T> floor_;                     // pivots that would be rounding
  mutable std::vector<T> panel_;             // some columns of a panel, and of its product
  std::vector<T> inverse_factor_, inverse_;  // of the matrix itself, from the first invert on
};

}  // namespace delassus
