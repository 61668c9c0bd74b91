// The slow and obvious way: dense matrices straight from their definitions, to hold everything else against.
//
// Nothing here shares code with the sweeps. Poses come from the ModelDescription, Jacobians column by column
// from the axes of the joints, M from the bodies' Jacobians, rows from the text of constraint.hpp. What has a
// time derivative gets it from numbers that carry their own derivative, so it is exact to rounding. T is
// double or long double, and is named in the call, as in oracle::inertia_matrix<long double>(model, q);
// vectors and Eigen's vectors of T convert.
//
// Every function throws an Error if a vector has the wrong size or a constraint does not fit the model.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/math/view.hpp"
#include "delassus/model/model.hpp"

namespace delassus::oracle {

/// Dense and row-major. Points and directions are matrices with one column. Converts to a MatrixView.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(int rows, int cols) : Matrix(rows, cols, std::vector<T>(static_cast<std::size_t>(rows * cols), T(0))) {}
  /// As many entries as rows * cols, row by row.
  Matrix(int rows, int cols, std::vector<T> entries) : rows_(rows), cols_(cols), entries_(std::move(entries)) {}

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  T& operator()(int r, int c) { return entries_[static_cast<std::size_t>(r * cols_ + c)]; }
  const T& operator()(int r, int c) const { return entries_[static_cast<std::size_t>(r * cols_ + c)]; }
  const std::vector<T>& entries() const { return entries_; }

  // What MatrixView asks for, under the names that Eigen gives them.
  T* data() { return entries_.data(); }
  const T* data() const { return entries_.data(); }
  std::ptrdiff_t rowStride() const { return cols_; }  // NOLINT(readability-identifier-naming)
  std::ptrdiff_t colStride() const { return 1; }      // NOLINT(readability-identifier-naming)

 private:
  int rows_ = 0, cols_ = 0;
  std::vector<T> entries_;
};

/// A frame in the world: axes as the columns of R, origin p.
template <class T>
struct Place {
  Matrix<T> R;
  Matrix<T> p;
};

/// One entry for each of the model's frames, in its order.
template <class T>
struct Kinematics {
  std::vector<Place<T>> places;
  /// 6 × nv in world axes: rows 0 to 2 give the angular velocity, rows 3 to 5 the velocity of the frame's
  /// origin.
  std::vector<Matrix<T>> jacobians;
  std::vector<T> q;
};

template <class T>
Kinematics<T> kinematics(const Model& model, In<T> q);

/// The coordinates after a time dt at velocity v. Rotations are moved exactly; the position of a free joint
/// is moved along its first direction, which is right to first order and all that differencing needs.
template <class T>
std::vector<T> integrate(const Model& model, In<T> q, In<T> v, T dt);

/// M, with the armature on its diagonal.
template <class T>
Matrix<T> inertia_matrix(const Model& model, In<T> q);

/// h = C v + g of M v̇ + h = τ: what it takes not to accelerate. Joint damping and friction are no part of it.
template <class T>
std::vector<T> bias_forces(const Model& model, In<T> q, In<T> v);

/// J, m × nv, constraints in their order.
template <class T>
Matrix<T> constraint_jacobian(const Model& model, const std::vector<Constraint>& constraints, In<T> q);

/// How far every row is from being satisfied; zero where rows have no position (friction, tangents of
/// contacts).
template <class T>
std::vector<T> constraint_position(const Model& model, const std::vector<Constraint>& constraints, In<T> q);

/// J̇ v: the rate of J(q) v along the motion at constant v.
template <class T>
std::vector<T> constraint_drift(const Model& model, const std::vector<Constraint>& constraints, In<T> q, In<T> v);

/// J M⁻¹ Jᵀ.
template <class T>
Matrix<T> delassus_matrix(const Model& model, const std::vector<Constraint>& constraints, In<T> q);

/// A⁻¹ B by the Cholesky factor of A; throws an Error if A is not positive definite.
template <class T>
Matrix<T> solve_positive(Matrix<T> A, Matrix<T> B);

template <class T>
Matrix<T> transposed(const Matrix<T>& A) {
  Matrix<T> B(A.cols(), A.rows());
  for (int r = 0; r < A.rows(); ++r) {
    for (int c = 0; c < A.cols(); ++c) B(c, r) = A(r, c);
  }
  return B;
}

template <class T>
Matrix<T> operator*(const Matrix<T>& A, const Matrix<T>& B) {
  Matrix<T> C(A.rows(), B.cols());
  for (int r = 0; r < A.rows(); ++r) {
    for (int k = 0; k < A.cols(); ++k) {
      for (int c = 0; c < B.cols(); ++c) C(r, c) = C(r, c) + A(r, k) * B(k, c);
    }
  }
  return C;
}

template <class T>
Matrix<T> operator*(const T& s, Matrix<T> A) {
  for (int r = 0; r < A.rows(); ++r) {
    for (int c = 0; c < A.cols(); ++c) A(r, c) = s * A(r, c);
  }
  return A;
}

template <class T>
Matrix<T> operator+(Matrix<T> A, const Matrix<T>& B) {
  for (int r = 0; r < A.rows(); ++r) {
    for (int c = 0; c < A.cols(); ++c) A(r, c) = A(r, c) + B(r, c);
  }
  return A;
}

template <class T>
Matrix<T> operator-(const Matrix<T>& A, const Matrix<T>& B) {
  return A + T(-1) * B;
}

}  // namespace delassus::oracle
