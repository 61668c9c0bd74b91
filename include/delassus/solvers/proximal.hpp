// The proximal method on any Delassus operator: Λ⁻¹ λ = b, whatever the rank of Λ⁻¹ (proximal_method.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "delassus/delassus/operator.hpp"
#include "delassus/solvers/proximal_method.hpp"

namespace delassus {

template <class T>
struct OperatorWork {
  void reserve(int rows) {
    for (std::vector<T>* work : {&remainder, &step}) work->reserve(static_cast<std::size_t>(rows));
  }
  void resize(int rows) {
    for (std::vector<T>* work : {&remainder, &step}) work->resize(static_cast<std::size_t>(rows));
  }
  std::vector<T> remainder, step;
};

/// zᵀ Λ⁻¹ z over the number of rows for signs z without a pattern: the mean of the diagonal, but for cross terms that mostly
/// cancel. It is one product; the diagonal itself may be one for every row.
template <class T, class Op>
T mean_diagonal(const Op& op, std::vector<T>& signs, std::vector<T>& product) {
  std::uint32_t state = 1;
  for (T& sign : signs) {
    state = state * 1664525U + 1013904223U;
    sign = T((state >> 31U) != 0 ? 1.0 : -1.0);
  }
  op.apply(signs, product);
  T sum(0);
  for (int r = 0; r < op.rows(); ++r) sum += signs[r] * product[r];
  return op.rows() == 0 ? T(1) : sum / T(static_cast<double>(op.rows()));
}

/// λ of the caller, r and δ of the work.
template <class T, class Op>
requires DelassusOperator<Op, T>
class OperatorProblem {
 public:
  OperatorProblem(Op& op, In<T> b, Out<T> lambda, OperatorWork<T>& work)
      : op_(op), b_(b), lambda_(lambda), work_(work) {
    require_size("b", b.size(), rows());
    require_size("lambda", lambda.size(), rows());
    work.resize(rows());
  }

  int rows() const { return op_.rows(); }

  T scale() { return mean_diagonal<T>(op_, work_.step, work_.remainder); }
  T size() const { return largest(b_.data(), rows()); }
  Status damp(const T& damping) { return op_.update_damping(Damping<T>(damping)); }
  void find_remainder() {
    op_.apply(lambda_, work_.remainder);
    for (int r = 0; r < rows(); ++r) work_.remainder[r] = b_[r] - work_.remainder[r];
  }
  Status find_step() { return op_.solve_damped(work_.remainder, work_.step); }
  void advance(const T& steps) {
    for (int r = 0; r < rows(); ++r) lambda_[r] += steps * work_.step[r];
  }
  bool is_balanced() const { return true; }

  VectorView<const T> force() const { return {lambda_.data(), rows()}; }
  VectorView<const T> remainder() const { return work_.remainder; }

 private:
  Op& op_;
  VectorView<const T> b_;
  VectorView<T> lambda_;
  OperatorWork<T>& work_;
};

template <class T>
class Proximal {
 public:
  explicit Proximal(const ProximalOptions& options = {}) : method_(options) {}

  /// Memory for so many rows; solve allocates beyond only.
  void reserve(int rows) {
    work_.reserve(rows);
    method_.reserve(rows);
  }

  /// Finds λ from where it stands: from zero the least force, else the one nearest to the start. Damps the operator. Statuses
  /// are those of ProximalMethod::solve, and of the operator's damping.
  template <class Op>
  requires DelassusOperator<Op, T> Status solve(Op& op, In<T> b, Out<T> lambda) {
    OperatorProblem<T, Op> problem(op, b, lambda, work_);
    return method_.solve(problem);
  }

  const ProximalReport<T>& report() const { return method_.report(); }
  const ProximalOptions& options() const { return method_.options(); }
  /// b - Λ⁻¹ λ of the last solve.
  const std::vector<T>& remainder() const { return work_.remainder; }

 private:
  ProximalMethod<T> method_;
  OperatorWork<T> work_;
};

}  // namespace delassus
