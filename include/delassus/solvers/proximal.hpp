// The proximal method on any Delassus operator: Λ⁻¹ λ = b, whatever the rank of Λ⁻¹ (proximal_method.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "delassus/operators/delassus_operator.hpp"
#include "solvers/proximal_method.hpp"

namespace delassus {

template <class T>
struct OperatorWork {
  void reserve(int rows) {
    for (std::vector<T>* work : all()) work->reserve(static_cast<std::size_t>(rows));
  }
  void resize(int rows) {
    for (std::vector<T>* work : all()) work->resize(static_cast<std::size_t>(rows));
  }
  std::array<std::vector<T>*, 5> all() { return {&remainder, &step, &error, &diagonal, &saved}; }

  std::vector<T> remainder, step, error, diagonal, saved;
};

/// ‖Λ⁻¹ z‖ / ‖z‖ for a z without a pattern, which no direction of Λ⁻¹ escapes: about the root mean square of the eigenvalues, by
/// one product. (The diagonal itself may be one for every row.)
template <class T, class Op>
T size_of_operator(const Op& op, std::vector<T>& weights, std::vector<T>& product) {
  std::uint32_t state = 1;
  for (T& x : weights) {
    state = state * 1664525U + 1013904223U;
    x = T(static_cast<double>(static_cast<std::int32_t>(state)) * 0x1p-31);
  }
  op.apply(weights, product);
  T in(0), out(0);
  for (int r = 0; r < op.rows(); ++r) {
    in += weights[r] * weights[r];
    out += product[r] * product[r];
  }
  return all_lanes(T(0) < out) ? sqrt(out / in) : T(1);
}

/// rᵀ Λ⁻¹ r over the sum of diagonal times r². Leaves the diagonal in the work.
template <class T, class Op>
T reach_of_remainder(const Op& op, OperatorWork<T>& work) {
  op.apply(work.remainder, work.error);
  op.diagonal(work.diagonal);
  T felt(0), most(0);
  for (int r = 0; r < op.rows(); ++r) {
    felt += work.remainder[r] * work.error[r];
    most += work.diagonal[r] * work.remainder[r] * work.remainder[r];
  }
  return all_lanes(T(0) < most) ? felt / most : T(0);
}

/// Damping in proportion to the diagonal; rows that nothing moves get what the softest one gets.
template <class T, class Op>
Status damp_by_diagonal(Op& op, const T& part, OperatorWork<T>& work) {
  op.diagonal(work.diagonal);
  const T most = largest(work.diagonal.data(), op.rows());
  for (T& d : work.diagonal) d = part * select(T(0) < d, d, most);
  return op.update_damping(Damping<T>(work.diagonal));
}

/// How exactly a right-hand side is known.
template <class T>
struct RightHandSize {
  T size{0};   // of the numbers that it is a difference of: a small part of this is no residual
  T terms{0};  // of the terms that those are sums of: less than their rounding is nothing
};

/// λ of the caller, r and δ of the work.
template <class T, class Op>
requires DelassusOperator<Op, T>
class OperatorProblem {
 public:
  OperatorProblem(Op& op, In<T> b, const RightHandSize<T>& size, Out<T> lambda, OperatorWork<T>& work)
      : op_(op), b_(b), size_(size), lambda_(lambda), work_(work) {
    work.resize(rows());
  }

  int rows() const { return op_.rows(); }

  T scale() { return size_of_operator<T>(op_, work_.step, work_.remainder); }
  T size() const { return size_.size; }
  T terms() const { return size_.terms; }
  Status damp(const T& damping) { return op_.update_damping(Damping<T>(damping)); }
  void find_remainder() {
    if (is_at_rest()) {  // as at most starts: no product needed
      for (int r = 0; r < rows(); ++r) work_.remainder[r] = b_[r];
      return;
    }
    op_.apply(lambda_, work_.remainder);
    for (int r = 0; r < rows(); ++r) work_.remainder[r] = b_[r] - work_.remainder[r];
  }
  Status find_step() { return op_.solve(work_.remainder, work_.step); }
  Status refine_step(const T& damping) {
    std::vector<T>& error = work_.error;
    for (int k = 0; k < kRefinements; ++k) {
      op_.apply(work_.step, error);
      for (int r = 0; r < rows(); ++r) error[r] = work_.remainder[r] - damping * work_.step[r] - error[r];
      const Status status = op_.solve(error, error);
      if (is_fatal(status)) return status;
      for (int r = 0; r < rows(); ++r) work_.step[r] += error[r];
    }
    return {};
  }
  void filter(const T& damping) {
    for (int r = 0; r < rows(); ++r) work_.remainder[r] -= damping * work_.step[r];
  }
  void advance(const T& steps) {
    for (int r = 0; r < rows(); ++r) lambda_[r] += steps * work_.step[r];
  }
  bool is_balanced() const { return true; }
  T reach() { return reach_of_remainder<T>(op_, work_); }
  Status damp_by_rows(const T& part) { return damp_by_diagonal<T>(op_, part, work_); }
  void save() { std::copy_n(lambda_.data(), rows(), work_.saved.data()); }
  void restore() { std::copy_n(work_.saved.data(), rows(), lambda_.data()); }

  VectorView<const T> force() const { return {lambda_.data(), rows()}; }
  VectorView<const T> remainder() const { return work_.remainder; }
  VectorView<const T> step() const { return work_.step; }

 private:
  static constexpr int kRefinements = 2;

  bool is_at_rest() const {
    const T most = largest(lambda_.data(), rows());
    return !all_lanes(T(0) < most) && require_finite<T>(force()).ok();
  }

  Op& op_;
  VectorView<const T> b_;
  RightHandSize<T> size_;
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
    return solve(op, b, {largest(b.data(), b.size()), T(0)}, lambda);
  }
  /// The same where b is a difference.
  template <class Op>
  requires DelassusOperator<Op, T> Status solve(Op& op, In<T> b, const RightHandSize<T>& size, Out<T> lambda) {
    if (const Status s = check_sizes({{1, b.size(), op.rows()}, {2, lambda.size(), op.rows()}}); !s.ok()) return s;
    OperatorProblem<T, Op> problem(op, b, size, lambda, work_);
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
