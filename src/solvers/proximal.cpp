#include "delassus/solvers/proximal.hpp"

#include <algorithm>

#include "math/instantiate.hpp"
#include "solvers/operator_work.hpp"
#include "solvers/proximal_method.hpp"

namespace delassus {
namespace {

/// λ of the caller, r and δ of the work.
template <class T>
class OperatorProblem {
 public:
  OperatorProblem(OperatorRef<T> op, In<T> b, const RightHandSize<T>& size, Out<T> lambda, OperatorWork<T>& work)
      : op_(op), rows_(op.rows()), b_(b), size_(size), lambda_(lambda), work_(work) {
    work.resize(rows());
  }

  int rows() const { return rows_; }

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

  OperatorRef<T> op_;
  int rows_;
  VectorView<const T> b_;
  RightHandSize<T> size_;
  VectorView<T> lambda_;
  OperatorWork<T>& work_;
};

}  // namespace

template <class T>
struct Proximal<T>::Work {
  explicit Work(const ProximalOptions& options) : method(options) {}

  ProximalMethod<T> method;
  OperatorWork<T> vectors;
};

template <class T>
Proximal<T>::Proximal(const ProximalOptions& options) : work_(std::in_place, options) {}

template <class T>
void Proximal<T>::reserve(int rows) {
  work_->vectors.reserve(rows);
  work_->method.reserve(rows);
}

template <class T>
Status Proximal<T>::solve(OperatorRef<T> op, In<T> b, Out<T> lambda) {
  return solve(op, b, {largest(b.data(), b.size()), T(0)}, lambda);
}

template <class T>
Status Proximal<T>::solve(OperatorRef<T> op, In<T> b, const RightHandSize<T>& size, Out<T> lambda) {
  if (const Status s = check_sizes({{1, b.size(), op.rows()}, {2, lambda.size(), op.rows()}}); !s.ok()) return s;
  OperatorProblem<T> problem(op, b, size, lambda, work_->vectors);
  return work_->method.solve(problem);
}

template <class T>
const ProximalReport<T>& Proximal<T>::report() const {
  return work_->method.report();
}

template <class T>
const ProximalOptions& Proximal<T>::options() const {
  return work_->method.options();
}

template <class T>
const std::vector<T>& Proximal<T>::remainder() const {
  return work_->vectors.remainder;
}

#define DELASSUS_INSTANTIATE(T) template class Proximal<T>;
DELASSUS_FOR_EACH_SOLVER_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
