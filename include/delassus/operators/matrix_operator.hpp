// The verbs of an operator whose matrix is there: products, damped solves. What fills the matrix is not its business.
#pragma once

#include <span>
#include <vector>

#include "delassus/math/boxed.hpp"
#include "delassus/operators/delassus_operator.hpp"
#include "math/aligned_vector.hpp"
#include "math/lower_view.hpp"
#include "operators/add_damping.hpp"

namespace delassus {

template <class T>
class MatrixOperator {
 public:
  int rows() const { return rows_; }
  CallStatus apply(In<T> x, Out<T> y) const;
  CallStatus apply_panel(MatrixIn<T> x, MatrixOut<T> y) const;
  /// kInaccurate if refinement ended with a residual above 1e-7 of b (1e4 roundings in float); z is the best that there is. What Cholesky
  /// leaves is rounding in the product with z, so only solutions that are huge beside b are looked at.
  Status solve(In<T> b, Out<T> z) const;
  Status solve_panel(MatrixIn<T> b, MatrixOut<T> z) const;
  CallStatus dense(MatrixOut<T> matrix) const;
  CallStatus diagonal(Out<T> out) const;

 protected:
  /// Memory for these rows.
  void reserve(std::span<const RowSpan> spans, int rows);
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
  const KeptDamping<T>& damping() const { return damping_; }
  std::size_t bytes() const {
    return damping_.bytes() + heap_bytes(matrix_, damped_factor_, floor_, panel_, right_, remainder_, step_, solution_,
                                         inverse_factor_, inverse_);
  }

 private:
  LowerView<const T> matrix() const { return {matrix_.data(), rows_}; }
  LowerView<const T> damped_factor() const { return {damped_factor_.data(), rows_}; }
  bool is_exact(const T* b, const T* z) const;
  template <class X>
  bool are_exact(const T* b, const T* z) const;
  T find_remainder(const T* z) const;
  Status refine(T* z) const;
  void copy_lower(LowerView<T> to) const;
  Status factor_in_place(LowerView<T> A);
  void solve_columns(LowerView<const T> factor, const MatrixIn<T>& b, const MatrixOut<T>& z) const;
  template <class Step>
  void for_each_panel_chunk(const MatrixIn<T>& in, const MatrixOut<T>& out, Step&& step) const;

  int rows_ = 0;
  bool damped_ = false;
  AlignedVector<T> matrix_;
  std::vector<T> damped_factor_;
  std::vector<T> floor_;  // pivots that would be rounding
  KeptDamping<T> damping_;
  T rounding_{0};                 // of a solve for each z, over the tolerance
  mutable std::vector<T> panel_;  // some columns of a panel, and of its product
  mutable std::vector<T> right_, remainder_, step_, solution_;
  std::vector<T> inverse_factor_, inverse_;  // of the matrix itself, from the first invert on
};

/// A matrix that an operator forms for its damped solves alone.
template <class T>
struct FormedMatrix : MatrixOperator<T> {
  using MatrixOperator<T>::begin, MatrixOperator<T>::bytes, MatrixOperator<T>::damp;
  using MatrixOperator<T>::finish, MatrixOperator<T>::reserve;
};

}  // namespace delassus
