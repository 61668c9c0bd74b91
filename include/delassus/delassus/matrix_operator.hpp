// The verbs of an operator whose matrix is there: products, damped solves. What fills the matrix is not its business.
#pragma once

#include <vector>

#include "delassus/delassus/operator.hpp"
#include "delassus/math/lower_view.hpp"

namespace delassus {

template <class T>
class MatrixOperator {
 public:
  int rows() const { return rows_; }
  void apply(In<T> x, Out<T> y) const;
  /// Adds the damping to the diagonal and factors, O(rows³/3).
  Status update_damping(In<T> damping);
  void solve_damped(In<T> b, Out<T> z) const;
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

 private:
  MatrixView<const T> matrix() const { return {matrix_.data(), rows_, rows_}; }

  int rows_ = 0;
  bool damped_ = false;
  std::vector<T> matrix_;
  std::vector<T> damped_factor_;
  std::vector<T> floor_;  // pivots that would be rounding
};

}  // namespace delassus
