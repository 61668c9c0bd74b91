// Matrices that operators without one form for damped solves. ExplicitFallback is for solves that the operator's own way does not get
// exact: taken from its products and factored by Cholesky, O(rows³). Memory and time are spent where a solve asks for it, not before.
#pragma once

#include <type_traits>

#include "delassus/operators/matrix_operator.hpp"
#include "operators/add_damping.hpp"
#include "operators/refinement.hpp"

namespace delassus {

/// A matrix that an operator forms for its damped solves alone.
template <class T>
struct FormedMatrix : MatrixOperator<T> {
  using MatrixOperator<T>::begin, MatrixOperator<T>::bytes, MatrixOperator<T>::damp;
  using MatrixOperator<T>::finish, MatrixOperator<T>::reserve;
};

/// remainder = b - (R⁻¹ + Λ⁻¹) z; returns its largest entry, and no number if one is none.
template <class T, class Op>
T remainder_of(const Op& op, const KeptDamping<T>& damping, std::type_identity_t<VectorView<const T>> b,
               std::type_identity_t<VectorView<const T>> z, std::vector<T>& remainder) {
  op.apply(z, remainder);
  damping.add_product(z.data(), remainder.data());
  T sum(0);
  for (int r = 0; r < b.size(); ++r) {
    T& left = remainder[static_cast<std::size_t>(r)];
    left = b[r] - left;
    sum += left;
  }
  return largest(remainder.data(), b.size()) + (sum - sum);
}

template <class T>
class ExplicitFallback : private MatrixOperator<T> {
 public:
  /// Memory for these rows; improve allocates beyond only.
  void reserve(std::span<const RowSpan> spans, int rows) {
    MatrixOperator<T>::reserve(spans, rows);
    static_cast<void>(this->begin(rows));
    solution_.reserve(static_cast<std::size_t>(rows));
    forget_matrix();
  }
  /// For another configuration, and for another damping.
  void forget_matrix() { has_matrix_ = has_damping_ = used_ = false; }
  void forget_damping() { has_damping_ = used_ = false; }
  void begin_solve() { used_ = false; }
  /// Whether the last solve is from the matrix.
  bool used() const { return used_; }

  /// Replaces z, which left `residual`, by the solution from the matrix of `op` if that leaves less, and `residual` with it. `remainder` has
  /// what is left, by the products of `op`.
  template <class Op>
  void improve(const Op& op, const Damping<T>& damping, std::span<const RowSpan> spans, VectorView<const T> b,
               VectorView<T> z, std::vector<T>& remainder, T& residual) {
    if (!factor(op, damping, spans, remainder)) return;
    static_cast<void>(this->solve(b, solution_));  // whether it is exact shows below
    const T left = remainder_of<T>(op, this->damping(), b, solution_, remainder);
    used_ = left < residual;
    if (!used_) return;
    residual = left;
    for (int r = 0; r < b.size(); ++r) z[r] = solution_[static_cast<std::size_t>(r)];
  }

  /// For a damping that the operator itself does not take: the matrix alone. `column` is memory for a column.
  template <class Op>
  Status damp_instead(const Op& op, const Damping<T>& damping, std::span<const RowSpan> spans, std::vector<T>& column) {
    if (!has_matrix_) {
      if (const Status status = take_matrix(op, spans, column); !status.ok()) return status;
      has_matrix_ = true;
    }
    const Status status = this->damp(damping, spans);
    has_damping_ = true;
    factored_ = status.ok();
    return status;
  }
  Status solve_instead(VectorView<const T> b, VectorView<T> z) {
    used_ = true;
    return this->solve(b, z);
  }

  std::size_t bytes() const { return MatrixOperator<T>::bytes() + heap_bytes(solution_); }

 private:
  /// False where there is no factor, and there will not be one until the damping changes.
  template <class Op>
  bool factor(const Op& op, const Damping<T>& damping, std::span<const RowSpan> spans, std::vector<T>& column) {
    if (!has_matrix_) {
      has_matrix_ = take_matrix(op, spans, column).ok();
      has_damping_ = false;
    }
    if (!has_damping_) {
      factored_ = has_matrix_ && this->damp(damping, spans).ok();
      has_damping_ = true;
    }
    return factored_;
  }

  /// By products with unit vectors, one at a time: the operator may be in the midst of a panel.
  template <class Op>
  Status take_matrix(const Op& op, std::span<const RowSpan> spans, std::vector<T>& column) {
    MatrixOperator<T>::reserve(spans, op.rows());
    const LowerView<T> lower = this->begin(op.rows());
    solution_.assign(static_cast<std::size_t>(op.rows()), T(0));
    for (int c = 0; c < op.rows(); ++c) {
      solution_[static_cast<std::size_t>(c)] = T(1);
      op.apply(solution_, column);
      for (int r = c; r < op.rows(); ++r) lower(r, c) = column[static_cast<std::size_t>(r)];
      solution_[static_cast<std::size_t>(c)] = T(0);
    }
    return this->finish({});
  }

  bool has_matrix_ = false, has_damping_ = false, factored_ = false, used_ = false;
  std::vector<T> solution_;
};

}  // namespace delassus
