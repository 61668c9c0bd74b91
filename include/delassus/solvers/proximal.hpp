// The proximal method of multipliers for equality constraints: forces λ with Λ⁻¹ λ = b, whatever the rank of Λ⁻¹.
//
// Paper: Carpentier, Budhiraja, Mansard, "Proximal and Sparse Resolution of Constrained Dynamic Equations", section III
// (docs/algorithms/constrained-dynamics.md). A step with the damping μ is
//
//   λ⁺ = λ + δ,   δ = (μ + Λ⁻¹)⁻¹ r,   r = b - Λ⁻¹ λ
//
// with the residual from an undamped product, so that what a damped solve lost to rounding is seen and solved for by the
// next one. Along an eigenvector of Λ⁻¹ with eigenvalue σ the residual shrinks by μ / (μ + σ). Where σ is zero, nothing
// that λ does is felt, and it grows by the same δ at each step: by nothing if the rows agree, without bound if they contradict
// each other. After k steps kδ is taken out again, which leaves the least force, and the motion that misses b least.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "delassus/delassus/operator.hpp"
#include "delassus/delassus/refinement.hpp"

namespace delassus {

/// Zero: what suits the scalar's rounding ε.
struct ProximalOptions {
  /// μ, relative to the mean of the diagonal of Λ⁻¹: √ε. Directions that yield less than this count as rigid.
  double damping = 0;
  /// μ where rows contradict each other: ∛ε. λ is of the size of 1/μ there, and so is its rounding.
  double wide_damping = 0;
  /// μ where rows nearly do: the square of that. What is left may yield to a force that is large.
  double narrow_damping = 0;
  /// Residual, relative to b, that counts as none: 1e4 ε.
  double tolerance = 0;
  int iterations = 40;
};

/// How a solve ended, beside its status.
template <class T>
struct ProximalReport {
  int iterations = 0;
  T residual{0};  // largest entry of b - Λ⁻¹ λ
  T change{0};    // largest entry of Λ⁻¹ δ of the last step: what may still be missing from the motion
};

template <class T>
class Proximal {
 public:
  explicit Proximal(const ProximalOptions& options = {});

  /// Memory for so many rows; solve allocates beyond only.
  void reserve(int rows);

  /// Finds λ from where it stands: from zero the least force, else the one nearest to the start. Damps the operator.
  ///
  ///   kInfeasible    the rows contradict each other; the index is the one that is missed most, remainder() has them all
  ///   kNotConverged  the iterations ran out; the index is the row that is farthest off
  ///   kNotFinite     the row whose residual is no number
  ///
  /// and what the operator has to say of its damping.
  template <class Op>
  requires DelassusOperator<Op, T> Status solve(Op& op, In<T> b, Out<T> lambda);

  const ProximalReport<T>& report() const { return report_; }
  /// b - Λ⁻¹ λ of the last solve.
  const std::vector<T>& remainder() const { return remainder_; }
  const ProximalOptions& options() const { return options_; }

 private:
  enum class End : std::uint8_t { kSolved, kStalled, kIterations };

  template <class Op>
  T mean_diagonal(const Op& op);
  template <class Op>
  void find_remainder(const Op& op, In<T> b, In<T> lambda);
  template <class Op>
  Status iterate(const Op& op, In<T> b, Out<T> lambda, End& end);
  template <class Op>
  Status take_out_growth(const Op& op, int steps, In<T> b, Out<T> lambda);
  template <class Op>
  Status improve(Op& op, const T& damping, In<T> b, Out<T> lambda, End& end);
  /// A step that is less exact than the operator would like is seen by the next one.
  static bool is_fatal(const Status& status) { return !status.ok() && status.code != Status::Code::kInaccurate; }
  bool is_solved(In<T> lambda, const T& scale) const;

  ProximalOptions options_;
  ProximalReport<T> report_;
  T target_{0};   // size of b
  T damping_{0};  // in use
  std::vector<T> remainder_, before_, step_;
};

// ----------------------------------------------------------------------------------------------------------- templates

template <class T>
Proximal<T>::Proximal(const ProximalOptions& options) : options_(options) {
  const double rounding = std::numeric_limits<Base<T>>::epsilon();
  if (options_.damping == 0) options_.damping = std::sqrt(rounding);
  if (options_.wide_damping == 0) options_.wide_damping = std::cbrt(rounding);
  if (options_.narrow_damping == 0) options_.narrow_damping = std::cbrt(rounding * rounding);
  if (options_.tolerance == 0) options_.tolerance = 1e4 * rounding;
}

template <class T>
void Proximal<T>::reserve(int rows) {
  for (std::vector<T>* work : {&remainder_, &before_, &step_}) work->reserve(static_cast<std::size_t>(rows));
}

/// zᵀ Λ⁻¹ z over the number of rows for signs z without a pattern: the mean of the diagonal, but for cross terms that mostly
/// cancel. It is one product; the diagonal itself may be one for every row.
template <class T>
template <class Op>
T Proximal<T>::mean_diagonal(const Op& op) {
  std::uint32_t state = 1;
  for (T& sign : step_) {
    state = state * 1664525U + 1013904223U;
    sign = T((state >> 31U) != 0 ? 1.0 : -1.0);
  }
  op.apply(step_, before_);
  T sum(0);
  for (int r = 0; r < op.rows(); ++r) sum += step_[r] * before_[r];
  return sum / T(static_cast<double>(op.rows()));
}

template <class T>
template <class Op>
void Proximal<T>::find_remainder(const Op& op, In<T> b, In<T> lambda) {
  op.apply(lambda, remainder_);
  for (int r = 0; r < op.rows(); ++r) remainder_[r] = b[r] - remainder_[r];
  report_.residual = largest(remainder_.data(), op.rows());
}

/// Steps until the residual is none, or until steps change it by no less than half of what the one before did: then what is
/// left lies where nothing yields.
template <class T>
template <class Op>
Status Proximal<T>::iterate(const Op& op, In<T> b, Out<T> lambda, End& end) {
  const int rows = op.rows();
  for (int steps = 1;; ++steps) {
    std::swap(before_, remainder_);
    Status status = op.solve_damped(before_, step_);
    if (is_fatal(status)) return status;
    for (int r = 0; r < rows; ++r) lambda[r] += step_[r];
    find_remainder(op, b, lambda);
    for (int r = 0; r < rows; ++r) before_[r] -= remainder_[r];
    const T change = largest(before_.data(), rows);
    const bool stalled = steps > 1 && !all_lanes(change < T(0.5) * report_.change);
    report_.change = change;
    ++report_.iterations;
    if (all_lanes(report_.residual < T(options_.tolerance) * target_)) {
      end = End::kSolved;
    } else if (stalled) {
      end = End::kStalled;
    } else if (report_.iterations >= options_.iterations) {
      end = End::kIterations;
    } else {
      continue;
    }
    return take_out_growth(op, steps, b, lambda);
  }
}

/// The next step would be what λ grows by. Not worth a solve where it is lost in λ.
template <class T>
template <class Op>
Status Proximal<T>::take_out_growth(const Op& op, int steps, In<T> b, Out<T> lambda) {
  constexpr double kLost = 1e-6;
  const T taken = T(static_cast<double>(steps));
  if (all_lanes(taken * report_.residual < T(kLost) * damping_ * largest(lambda.data(), op.rows()))) return {};
  const Status status = op.solve_damped(remainder_, step_);
  if (is_fatal(status)) return status;
  for (int r = 0; r < op.rows(); ++r) lambda[r] -= taken * step_[r];
  find_remainder(op, b, lambda);
  return {};
}

/// Rounding in Λ⁻¹ λ is no contradiction.
template <class T>
bool Proximal<T>::is_solved(In<T> lambda, const T& scale) const {
  const T rounding = T(1e2 * static_cast<double>(std::numeric_limits<Base<T>>::epsilon())) * scale *
                     largest(lambda.data(), lambda.size());
  return all_lanes(report_.residual < max(T(options_.tolerance) * target_, rounding)) || lambda.size() == 0;
}

template <class T>
template <class Op>
Status Proximal<T>::improve(Op& op, const T& damping, In<T> b, Out<T> lambda, End& end) {
  damping_ = damping;
  const Status status = op.update_damping(Damping<T>(damping_));
  return status.ok() ? iterate(op, b, lambda, end) : status;
}

template <class T>
template <class Op>
requires DelassusOperator<Op, T> Status Proximal<T>::solve(Op& op, In<T> b, Out<T> lambda) {
  const int rows = op.rows();
  require_size("b", b.size(), rows);
  require_size("lambda", lambda.size(), rows);
  for (std::vector<T>* work : {&remainder_, &before_, &step_}) work->resize(static_cast<std::size_t>(rows));
  report_ = {};
  if (rows == 0) return {};
  const T scale = mean_diagonal(op);
  target_ = largest(b.data(), rows);
  find_remainder(op, b, lambda);
  if (is_solved(lambda, scale)) return {};
  End end = End::kSolved;
  Status status = improve(op, T(options_.damping) * scale, b, lambda, end);
  if (status.ok() && !is_solved(lambda, scale)) {
    const bool nearly = all_lanes(report_.residual < T(std::sqrt(options_.tolerance)) * target_);
    status = improve(op, T(nearly ? options_.narrow_damping : options_.wide_damping) * scale, b, lambda, end);
  }
  if (!status.ok() || is_solved(lambda, scale)) return status;
  const int worst = worst_row(remainder_.data(), rows);
  if (!all_lanes(is_finite(report_.residual))) return {Status::Code::kNotFinite, worst};
  return {end == End::kIterations ? Status::Code::kNotConverged : Status::Code::kInfeasible, worst};
}

}  // namespace delassus
