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
// each other. After k steps kδ is taken out again, which leaves the least force. Where rows contradict each other, further steps
// are made for what is within reach alone, r - μδ = Λ⁻¹δ, until the motion is the one that misses b least.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

#include "delassus/math/error.hpp"
#include "delassus/math/scalar.hpp"
#include "delassus/math/view.hpp"
#include "delassus/solvers/proximal.hpp"
#include "math/finite.hpp"
#include "operators/refinement.hpp"

namespace delassus {

/// Whether a damped solve has left nothing to go on with. One that is less exact than the operator would like is seen by the next.
inline bool is_fatal(const Status& status) { return !status.ok() && status.code != Status::Code::kInaccurate; }

/// What the method asks of a problem, which holds λ, r and δ. A problem may hold the motion as well, and move it along.
///
///   scale           the size of Λ⁻¹
///   size            that of the numbers that r is the difference of
///   terms           that of the terms which those are sums of: their rounding is no residual
///   damp            takes μ
///   find_remainder  r, from scratch
///   find_step       δ from r
///   refine_step     makes δ exact to the rounding of a product
///   filter          r -= μ δ: what of r is within reach, but for σ far below μ
///   advance         λ += k δ
///   is_balanced     whether all but the rows is solved too
///   reach           rᵀ Λ⁻¹ r over the sum of diagonal times r²: none, where r lies where nothing yields
///   damp_by_rows    takes so much of the diagonal of Λ⁻¹ as damping
///   save, restore   λ, and the motion if there is one
template <class P, class T>
concept ProximalProblem = requires(P problem, const P& ready, const T& number) {
  { ready.rows() } -> std::same_as<int>;
  { problem.scale() } -> std::same_as<T>;
  { problem.damp(number) } -> std::same_as<Status>;
  problem.find_remainder();
  { problem.find_step() } -> std::same_as<Status>;
  { problem.refine_step(number) } -> std::same_as<Status>;
  problem.filter(number);
  problem.advance(number);
  { ready.is_balanced() } -> std::same_as<bool>;
  { problem.reach() } -> std::same_as<T>;
  { problem.damp_by_rows(number) } -> std::same_as<Status>;
  problem.save();
  problem.restore();
  { ready.size() } -> std::same_as<T>;
  { ready.terms() } -> std::same_as<T>;
  { ready.force() } -> std::convertible_to<VectorView<const T>>;
  { ready.remainder() } -> std::convertible_to<VectorView<const T>>;
  { ready.step() } -> std::convertible_to<VectorView<const T>>;
};

template <class T>
class ProximalMethod {
 public:
  explicit ProximalMethod(const ProximalOptions& options = {});

  /// Memory for so many rows; solve allocates beyond only.
  void reserve(int rows) { before_.reserve(static_cast<std::size_t>(rows)); }

  /// Finds λ from where it stands: from zero the least force, else the one nearest to the start.
  ///
  ///   kInfeasible    the rows contradict each other; the index is the one that is missed most
  ///   kNotConverged  the iterations ran out; the index is the row that is farthest off
  ///   kNotFinite     the row whose residual is no number
  ///
  /// and what the problem has to say of its damping.
  template <class P>
  requires ProximalProblem<P, T> Status solve(P& problem);

  const ProximalReport<T>& report() const { return report_; }
  const ProximalOptions& options() const { return options_; }

 private:
  /// What rows that agree leave within reach, and contradictions do not.
  static constexpr double kWithinReach = 1e-10;

  enum class End : std::uint8_t { kGoesOn, kSolved, kStalled, kIterations };

  template <class P>
  void find_remainder(P& problem);
  template <class P>
  void keep_remainder(const P& problem);
  template <class P>
  End take_step(P& problem, int steps);
  template <class P>
  Status iterate(P& problem, End& end);
  template <class P>
  Status take_out_growth(P& problem, int steps);
  template <class P>
  Status approach(P& problem, End& end);
  template <class P>
  Status improve(P& problem, double damping, End& end);
  template <class P>
  void even_out(P& problem);
  /// False for a residual that is no number; true for none within none.
  bool is_within(const T& bound) const {
    return all_lanes(is_finite(report_.residual)) && !all_lanes(bound < report_.residual);
  }
  /// Whether what is left still shrinks, or is so little that a contradiction is unlikely: there are directions that yield less
  /// than the damping. A true contradiction shrinks by rounding only.
  bool yields_slowly() const {
    return all_lanes(T(1e-6) * report_.residual < report_.change) ||
           all_lanes(report_.residual < T(std::sqrt(options_.tolerance)) * size_);
  }
  template <class P>
  bool is_solved(const P& problem) const;
  template <class P>
  Status describe_end(const P& problem, End end) const;

  ProximalOptions options_;
  ProximalReport<T> report_;
  T size_{0};     // of what r is the difference of
  T scale_{0};    // of Λ⁻¹
  T damping_{0};  // in use
  std::vector<T> before_;
};

// ----------------------------------------------------------------------------------------------------------- templates

template <class T>
ProximalMethod<T>::ProximalMethod(const ProximalOptions& options) : options_(options) {
  for (const double x : {options.damping, options.narrow_damping, options.tolerance}) {
    if (!(x >= 0))
      throw Error("argument 'options': dampings and tolerance of a proximal solve are positive, or zero for defaults");
  }
  if (options.iterations < 1) throw Error("argument 'options': a proximal solve needs one iteration at least");
  const double rounding = std::numeric_limits<Base<T>>::epsilon();
  if (options_.damping == 0) options_.damping = std::sqrt(rounding);
  if (options_.narrow_damping == 0) options_.narrow_damping = std::cbrt(rounding * rounding);
  if (options_.tolerance == 0) options_.tolerance = (std::same_as<Base<T>, float> ? 1e2 : 1e4) * rounding;
}

template <class T>
template <class P>
void ProximalMethod<T>::find_remainder(P& problem) {
  problem.find_remainder();
  const VectorView<const T> remainder = problem.remainder();
  T sum(0);
  for (int r = 0; r < problem.rows(); ++r) sum += remainder[r];
  report_.residual = largest(remainder.data(), problem.rows()) + (sum - sum);  // no number if one of them is none
}

template <class T>
template <class P>
void ProximalMethod<T>::keep_remainder(const P& problem) {
  for (int r = 0; r < problem.rows(); ++r) before_[r] = problem.remainder()[r];
}

template <class T>
template <class P>
auto ProximalMethod<T>::take_step(P& problem, int steps) -> End {
  problem.advance(T(1));
  find_remainder(problem);
  for (int r = 0; r < problem.rows(); ++r) before_[r] -= problem.remainder()[r];
  const T change = largest(before_.data(), problem.rows());
  const bool stalled = steps > 1 && !all_lanes(change < T(0.5) * report_.change);
  report_.change = change;
  ++report_.iterations;
  if (is_within(T(options_.tolerance) * size_) && problem.is_balanced()) return End::kSolved;
  if (stalled) return End::kStalled;
  return report_.iterations < options_.iterations ? End::kGoesOn : End::kIterations;
}

/// Steps until the residual is none, or until steps change it by no less than half of what the one before did: then what is
/// left lies where nothing yields.
template <class T>
template <class P>
Status ProximalMethod<T>::iterate(P& problem, End& end) {
  for (int steps = 1;; ++steps) {
    keep_remainder(problem);
    const Status status = problem.find_step();
    if (is_fatal(status)) return status;
    end = take_step(problem, steps);
    if (end != End::kGoesOn) return take_out_growth(problem, steps);
  }
}

/// The next step would be what λ grows by. Not worth a solve where it is lost in λ: it is no larger than the last step was, nor
/// than the residual lets it be.
template <class T>
template <class P>
Status ProximalMethod<T>::take_out_growth(P& problem, int steps) {
  constexpr double kLost = 1e-6;
  const T taken = T(static_cast<double>(steps));
  const T growth = min(report_.residual / damping_, largest(problem.step().data(), problem.rows()));
  if (all_lanes(taken * growth < T(kLost) * largest(problem.force().data(), problem.rows()))) return {};
  const Status status = problem.find_step();
  if (is_fatal(status)) return status;
  problem.advance(-taken);
  find_remainder(problem);
  return {};
}

/// Steps for what is within reach, until the motion rests or steps change it by no less than half of what the one before did.
/// What is out of reach makes δ large, and the rounding of a solve with it, hence the refinement.
template <class T>
template <class P>
Status ProximalMethod<T>::approach(P& problem, End& end) {
  for (int steps = 1;; ++steps) {
    keep_remainder(problem);
    Status status = problem.find_step();
    if (!is_fatal(status)) status = problem.refine_step(damping_);
    if (is_fatal(status)) return status;
    problem.filter(damping_);
    status = problem.find_step();
    if (is_fatal(status)) return status;
    end = take_step(problem, steps);
    if (end != End::kGoesOn) return {};
  }
}

/// Rounding in Λ⁻¹ λ and in b is no contradiction.
template <class T>
template <class P>
bool ProximalMethod<T>::is_solved(const P& problem) const {
  const auto epsilon = static_cast<double>(std::numeric_limits<Base<T>>::epsilon());
  const T product = scale_ * largest(problem.force().data(), problem.rows());
  const T rounding = T(4 * epsilon) * product + T(1e2 * epsilon) * problem.terms();
  return is_within(max(T(options_.tolerance) * size_, rounding));
}

template <class T>
template <class P>
Status ProximalMethod<T>::improve(P& problem, double damping, End& end) {
  damping_ = T(damping) * scale_;
  const Status status = problem.damp(damping_);
  return status.ok() ? iterate(problem, end) : status;
}

/// Rows that differ in what they yield by so much that no single damping serves all of them, a bolt and a truck: each gets a part of
/// its own. What that finds is kept if it is a solution; the force is the least in that metric then.
template <class T>
template <class P>
void ProximalMethod<T>::even_out(P& problem) {
  problem.save();
  Status status = problem.damp_by_rows(T(options_.damping));
  End end = End::kGoesOn;
  if (status.ok()) status = iterate(problem, end);
  if (status.ok() && is_solved(problem)) return;
  problem.restore();
  find_remainder(problem);
}

template <class T>
template <class P>
Status ProximalMethod<T>::describe_end(const P& problem, End end) const {
  if (is_solved(problem)) return {};
  if (const Status status = require_finite<T>(problem.remainder()); !status.ok()) return status;
  const int worst = worst_row(problem.remainder().data(), problem.rows());
  return {end == End::kIterations ? Status::Code::kNotConverged : Status::Code::kInfeasible, worst};
}

template <class T>
template <class P>
requires ProximalProblem<P, T> Status ProximalMethod<T>::solve(P& problem) {
  before_.resize(static_cast<std::size_t>(problem.rows()));
  report_ = {};
  size_ = problem.size();
  scale_ = problem.scale();
  find_remainder(problem);
  if (problem.is_balanced() && is_solved(problem)) return {};
  End end = End::kSolved;
  Status status = improve(problem, options_.damping, end);
  const auto goes_on = [&] { return status.ok() && end != End::kIterations && !is_solved(problem); };
  if (goes_on()) status = approach(problem, end);
  if (goes_on() && yields_slowly()) {
    status = improve(problem, options_.narrow_damping, end);
    if (goes_on()) status = approach(problem, end);
  }
  if (goes_on() && all_lanes(T(kWithinReach) < problem.reach())) even_out(problem);
  return status.ok() ? describe_end(problem, end) : status;
}

}  // namespace delassus
