#include "delassus/solvers/contact_newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/finite.hpp"

namespace delassus {
namespace {

/// By how much η falls from one outer step to the next.
constexpr double kFall = 0.3;
/// Directions in which a projection does not move are damped by this much more than others, relative to η: stiff enough beside Λ⁻¹.
constexpr double kFlat = 0.01;
/// How much closer than the last outer step an inner one has to come.
constexpr double kCloser = 0.1;
/// What of the residual an outer step may leave before the shift no longer lags.
constexpr double kSlow = 0.5;
/// η to begin with, relative to the options: what needs more is found out soon.
constexpr double kFirstPart = 0.01;
/// How much less exactly than in the end the law has to hold with part of the shift.
constexpr double kOnTheWay = 100;
constexpr int kMostRows = 6;

/// The inverse of a symmetric positive matrix of n × n by Gauss-Jordan elimination without pivots, in place.
void invert(int n, double* a) {
  for (int p = 0; p < n; ++p) {
    const double pivot = 1 / a[p * n + p];
    a[p * n + p] = 1;
    for (int k = 0; k < n; ++k) a[p * n + k] *= pivot;
    for (int r = 0; r < n; ++r) {
      if (r == p) continue;
      const double factor = a[r * n + p];
      a[r * n + p] = 0;
      for (int k = 0; k < n; ++k) a[r * n + k] -= factor * a[p * n + k];
    }
  }
}

}  // namespace

ContactNewton::ContactNewton(const ContactNewtonOptions& options) : options_(options) {
  if (!(options.tolerance > 0))
    throw Error("option 'tolerance' of Newton's method has to be positive, in metres per second");
  if (!(options.relative_tolerance >= 0))
    throw Error("option 'relative_tolerance' of Newton's method has to be zero or more");
  if (options.iterations < 1) throw Error("option 'iterations' of Newton's method has to be one at least");
  if (!(options.least_proximal > 0 && options.proximal >= options.least_proximal && std::isfinite(options.proximal))) {
    throw Error(
        "options 'proximal' and 'least_proximal' of Newton's method have to be positive, the latter not larger");
  }
}

void ContactNewton::reserve(int constraints, int rows) {
  const auto n = static_cast<std::size_t>(rows);
  blocks_.reserve(static_cast<std::size_t>(constraints));
  mobility_.reserve(rows);
  contradiction_.reserve(rows);
  damping_.reserve(n * kMostRows);
  for (std::vector<double>* x : {&force_, &anchor_, &target_, &point_, &product_, &step_, &step_product_, &right_,
                                 &free_, &sigma_, &best_force_, &best_sigma_, &reached_}) {
    x->reserve(n);
  }
  reserve_sliding(constraints);
}

Status ContactNewton::begin(const ContactProblem& problem, VectorView<const double> lambda) {
  certificate_ = {};
  certificate_.reason = StopReason::kFailed;
  if (const Status s = check_sizes({{2, lambda.size(), problem.rows()}}); !s.ok()) return s;
  if (const Status s = as_status(1, [&] { list_force_blocks(problem, blocks_); }); !s.ok()) return s;
  const auto n = static_cast<std::size_t>(problem.rows());
  for (std::vector<double>* x :
       {&force_, &anchor_, &target_, &point_, &product_, &step_, &step_product_, &right_, &free_, &sigma_}) {
    x->resize(n);
  }
  std::size_t entries = 0;
  for (const ForceBlock& block : blocks_) entries += static_cast<std::size_t>(block.rows * block.rows);
  damping_.resize(entries);
  double most = 0;
  if (const Status status = measure_free_velocity(problem, blocks_, lambda, most); !status.ok()) return status;
  std::copy_n(lambda.data(), n, force_.begin());
  tolerance_ = std::max(options_.tolerance, options_.relative_tolerance * most);
  return {};
}

void ContactNewton::start(const ContactProblem& problem) {
  project_forces();
  shift_ = problem.law == ContactLaw::kCoulomb ? Shift::kLagging : Shift::kNone;
  share_ = shift_ == Shift::kNone ? 0 : 1;
  eta_ = kFirstPart * options_.proximal;
  least_eta_ = options_.least_proximal;
  slow_ = 0;
  infeasible_ = false;
  last_velocity_ = best_.velocity = HUGE_VAL;
}

void ContactNewton::project_forces() {
  for (const ForceBlock& block : blocks_) {
    double* force = force_.data() + block.row;
    project(block, mobility_.weights().data() + block.row, force, force);
  }
}

/// Expects (Λ⁻¹ + R) λ in product_.
bool ContactNewton::judge(const ContactProblem& problem) {
  for (std::size_t r = 0; r < sigma_.size(); ++r) sigma_[r] = product_[r] + problem.free_velocity[static_cast<int>(r)];
  static_cast<ContactResiduals&>(certificate_) =
      measure_residuals(blocks_, problem, mobility_.mobility(), force_, sigma_);
  slow_ = certificate_.velocity > kSlow * best_.velocity ? slow_ + 1 : 0;
  last_velocity_ = certificate_.velocity;
  if (certificate_.velocity < best_.velocity) keep_best();
  return is_within(certificate_, tolerance_);
}

/// With part of the shift, nearly is enough.
bool ContactNewton::is_settled(const ContactProblem& problem) {
  const bool solved = judge(problem);
  if (problem.law == ContactLaw::kConvex || share_ == 1) return solved;
  last_velocity_ = moved_;
  return moved_ <= kOnTheWay * tolerance_;
}

void ContactNewton::keep_best() {
  best_ = certificate_;
  best_force_ = force_;
  best_sigma_ = sigma_;
}

void ContactNewton::begin_outer(const ContactProblem& problem) {
  anchor_ = force_;
  for (int r = 0; r < problem.rows(); ++r) free_[static_cast<std::size_t>(r)] = problem.free_velocity[r];
  if (shift_ != Shift::kLagging) return;
  for (const ForceBlock& block : blocks_) {
    const auto r = static_cast<std::size_t>(block.row);
    if (block.kind == SetKind::kFrictionCone) free_[r] += sliding_speed(block, &sigma_[r]);
  }
}

/// Π_K(...) at λ + length δ.
void ContactNewton::find_target(double length) {
  const std::vector<double>& weights = mobility_.weights();
  const double eta = eta_ * mobility_.scale();
  for (std::size_t r = 0; r < force_.size(); ++r) {
    sigma_[r] = product_[r] + length * step_product_[r] + free_[r];
    point_[r] = anchor_[r] - sigma_[r] / (eta * weights[r]);
  }
  for (const ForceBlock& block : blocks_) {
    const auto r = static_cast<std::size_t>(block.row);
    if (shift_ == Shift::kExact && block.kind == SetKind::kFrictionCone) {
      point_[r] -= share_ * sliding_speed(block, &sigma_[r]) / (eta * weights[r]);
    }
    project(block, weights.data() + block.row, point_.data() + block.row, target_.data() + block.row);
  }
}

/// Whether the velocities that forces and target differ by are small beside what the last outer step left.
bool ContactNewton::is_near() const {
  double most = 0;
  for (std::size_t r = 0; r < force_.size(); ++r) {
    most = std::max(most, mobility_.mobility()[r] * std::abs(target_[r] - force_[r]));
  }
  return most <= std::max(kCloser * tolerance_, kCloser * kCloser * last_velocity_);
}

/// Damping B + R and right-hand side B (Π - λ).
void ContactNewton::make_blocks(const ContactProblem& problem) {
  const double eta = eta_ * mobility_.scale(), flat = kFlat * eta_;
  double* out = damping_.data();
  list_sliding();
  auto slides = sliding_.begin();
  for (const ForceBlock& block : blocks_) {
    const double* weights = mobility_.weights().data() + block.row;
    const int n = block.rows;
    projection_derivative(block, weights, point_.data() + block.row, out);
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) out[k * n + j] *= 1 - flat;
      out[k * (n + 1)] += flat;
    }
    invert(n, out);
    for (int k = 0; k < n; ++k) {
      double sum = 0;
      for (int j = 0; j < n; ++j) {
        out[k * n + j] *= eta * std::sqrt(weights[k] * weights[j]);
        sum += out[k * n + j] *
               (target_[static_cast<std::size_t>(block.row + j)] - force_[static_cast<std::size_t>(block.row + j)]);
      }
      right_[static_cast<std::size_t>(block.row + k)] = sum;
    }
    if (slides != sliding_.end() && blocks_[static_cast<std::size_t>(slides->block)].row == block.row) {
      damp_sliding(*slides++, n, out);
    }
    for (int k = 0; k < n; ++k) out[k * (n + 1)] += problem.compliance_of(block.row + k);
    out += n * n;
  }
}

/// Of what Newton's step descends, at λ + length δ: δᵀ (Λ⁻¹ + R) (λ + length δ - Π).
double ContactNewton::slope(double length) {
  find_target(length);
  double sum = 0;
  for (std::size_t r = 0; r < force_.size(); ++r) {
    sum += step_product_[r] * (force_[r] + length * step_[r] - target_[r]);
  }
  return sum;
}

/// One, unless the slope has turned by then: then the root, roughly.
double ContactNewton::find_length() {
  constexpr double kRoughly = 0.1, kInside = 0.05;
  constexpr int kMostTries = 12;
  double low = 0, high = 1, slope_low = slope(0), slope_high = slope(1);
  const double enough = kRoughly * std::abs(slope_low);
  if (slope_high <= enough) return 1;
  double length = 1;
  for (int k = 0; k < kMostTries; ++k) {
    const double secant = low - (high - low) * slope_low / (slope_high - slope_low);
    length = std::clamp(secant, low + kInside * (high - low), high - kInside * (high - low));
    const double here = slope(length);
    if (std::abs(here) <= enough) break;
    (here < 0 ? low : high) = length;
    (here < 0 ? slope_low : slope_high) = here;
  }
  return length;
}

void ContactNewton::take_step() {
  const double length = shift_ == Shift::kExact ? find_length_by_miss() : find_length();
  for (std::size_t r = 0; r < force_.size(); ++r) {
    force_[r] += length * step_[r];
    product_[r] += length * step_product_[r];
  }
}

/// Forces in their sets. Where Newton's steps ran out, η fell too fast.
void ContactNewton::end_outer(bool near) {
  constexpr double kMost = 100;
  const bool exact = shift_ == Shift::kExact;
  if (!near && exact) force_ = anchor_;
  project_forces();
  moved_ = near ? 0 : HUGE_VAL;
  for (std::size_t r = 0; r < force_.size() && near; ++r) {
    moved_ = std::max(moved_, eta_ * mobility_.mobility()[r] * std::abs(force_[r] - anchor_[r]));
  }
  if (near) {
    eta_ = std::max(kFall * eta_, least_eta_);
  } else {
    eta_ = std::min(eta_ / (kFall * kFall), (exact ? kMost : 1) * options_.proximal);
  }
}

/// Where the operator cannot be damped by as little as η, η stays larger; false: it is large.
bool ContactNewton::stiffen() {
  constexpr double kLarge = 1e-3;
  if (eta_ >= kLarge) return false;
  least_eta_ = eta_ / kFall;
  return true;
}

Status ContactNewton::finish(StopReason reason, VectorView<double> lambda) {
  certificate_.reason = reason;
  if (reason != StopReason::kSolved && best_.velocity < certificate_.velocity) {
    static_cast<ContactResiduals&>(certificate_) = best_;
    force_ = best_force_;
    sigma_ = best_sigma_;
  }
  if (const Status status = require_finite<double>(force_); !status.ok()) {
    certificate_.reason = StopReason::kFailed;
    return status;
  }
  std::copy(force_.begin(), force_.end(), lambda.data());
  return conclude(certificate_, tolerance_, contradiction_, blocks_);
}

}  // namespace delassus
