// The verbs of an operator whose matrix is there: products, damped solves. What fills the matrix is not its business: algorithms of explicit_operator.hpp, or you.
// And how well conditioned a matrix is.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

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

/// A matrix of your own in the place of J M⁻¹ Jᵀ, without any mechanism: contact problems of files and of other programs.
template <class T>
class GivenDelassus : public MatrixOperator<T> {
 public:
  /// Copies the lower triangle of a symmetric matrix. Block dampings belong to these constraints. Throws an Error if sizes differ, or if a number on the
  /// diagonal is not finite.
  GivenDelassus(MatrixIn<T> matrix, std::span<const RowSpan> spans) : spans_(spans.begin(), spans.end()) {
    const int rows = matrix.rows();
    require_size("matrix", matrix.cols(), rows);
    require_size("spans", spans.empty() ? 0 : spans.back().first_row + spans.back().rows, rows);
    this->reserve(spans, rows);
    const LowerView<T> lower = this->begin(rows);
    for (int c = 0; c < rows; ++c) {
      for (int r = c; r < rows; ++r) lower(r, c) = matrix(r, c);
    }
    const Status status = this->finish({});
    if (!status.ok()) throw Error("argument 'matrix': row " + std::to_string(status.index) + " is not finite");
  }

  /// kNotPositive names a row at which the sum of matrix and damping is not positive definite.
  Status update_damping(const Damping<T>& damping) { return this->damp(damping, spans_); }
  /// There are no joints.
  CallStatus joint_response(In<T> x, Out<T> acceleration) const {
    return check_vectors(x, this->rows(), acceleration, 0);
  }
  std::size_t bytes() const { return MatrixOperator<T>::bytes() + heap_bytes(spans_); }

 private:
  std::vector<RowSpan> spans_;
};

/// How well conditioned a Delassus matrix is.
struct Spectrum {
  double largest = 0;
  double smallest = 0;  // may be slightly negative by rounding
  int rank = 0;         // eigenvalues above size · ε · largest

  /// Ratio of the largest eigenvalue to the smallest of those that count for the rank.
  double condition = 0;
};

/// Eigenvalues of a symmetric matrix in double precision. Allocates: for diagnosis, not for the loop.
Spectrum make_spectrum(MatrixView<const double> matrix);

}  // namespace delassus
