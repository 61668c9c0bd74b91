// The verbs of an operator whose matrix is there: products, damped solves. What fills the matrix is not its business.
#pragma once

#include <cstddef>
#include <span>

#include "delassus/math/boxed.hpp"
#include "delassus/operators/delassus_operator.hpp"

namespace delassus {

template <class T>
class KeptDamping;  // src/operators/add_damping.hpp

template <class T>
class MatrixOperator {
 public:
  int rows() const;
  CallStatus apply(In<T> x, Out<T> y) const;
  CallStatus apply_panel(MatrixIn<T> x, MatrixOut<T> y) const;
  /// kInaccurate if refinement ended with a residual above 1e-7 of b (1e4 roundings in float); z is the best that there is. What Cholesky
  /// leaves is rounding in the product with z, so only solutions that are huge beside b are looked at.
  Status solve(In<T> b, Out<T> z) const;
  Status solve_panel(MatrixIn<T> b, MatrixOut<T> z) const;
  CallStatus dense(MatrixOut<T> matrix) const;
  CallStatus diagonal(Out<T> out) const;

 protected:
  MatrixOperator();
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
  MatrixView<const T> inverse() const;
  const KeptDamping<T>& damping() const;
  std::size_t bytes() const;

 private:
  struct Work;

  mutable Boxed<Work> work_;
};

}  // namespace delassus
