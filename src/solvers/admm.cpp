#include "delassus/solvers/admm.hpp"

#include <algorithm>
#include <cmath>

#include "math/finite.hpp"

namespace delassus {
namespace {

/// ρ of a first solve, relative to the size of Λ⁻¹.
constexpr double kFirstPenalty = 0.1;
/// Equalities leave nothing to project, so that their rows converge the faster the less they are damped; rounding sets the limit.
constexpr double kEqualityWeight = 1e-3;
/// How often the penalty is looked at, and the residual; what the penalty may differ from the best by before it is changed.
constexpr int kAdaptEvery = 10;
constexpr int kJudgeEvery = 5;
constexpr double kMostImbalance = 2, kMostChange = 5;

}  // namespace

Admm::Admm(const AdmmOptions& options) : options_(options), anderson_(options.memory) {
  if (!(options.tolerance > 0)) throw Error("option 'tolerance' of ADMM has to be positive, in metres per second");
  if (!(options.relative_tolerance >= 0)) throw Error("option 'relative_tolerance' of ADMM has to be zero or more");
  if (options.iterations < 1) throw Error("option 'iterations' of ADMM has to be one at least");
  if (!(options.relaxation > 0 && options.relaxation < 2))
    throw Error("option 'relaxation' of ADMM lies between 0 and 2");
  if (!(options.penalty >= 0 && std::isfinite(options.penalty))) {
    throw Error("option 'penalty' of ADMM has to be positive, or zero for the default");
  }
  if (options.memory < 0 || options.memory > 50) throw Error("option 'memory' of ADMM lies between 0 and 50");
}

void Admm::reserve(int constraints, int rows) {
  blocks_.reserve(static_cast<std::size_t>(constraints));
  anderson_.reserve(rows);
  mobility_.reserve(rows);
  contradiction_.reserve(rows);
  for (std::vector<double>* x : {&weights_, &damping_, &u_, &x_, &y_, &y_before_, &z_, &right_, &step_, &sigma_}) {
    x->reserve(static_cast<std::size_t>(rows));
  }
}

/// Sizes, and forces to begin with, which are those of λ in their sets.
Status Admm::begin(const ContactProblem& problem, VectorView<const double> lambda) {
  certificate_ = {};
  certificate_.reason = StopReason::kFailed;
  if (const Status s = check_sizes({{2, lambda.size(), problem.rows()}}); !s.ok()) return s;
  if (const Status s = as_status(1, [&] { list_force_blocks(problem, blocks_); }); !s.ok()) return s;
  const auto n = static_cast<std::size_t>(problem.rows());
  for (std::vector<double>* x : {&weights_, &damping_, &u_, &x_, &y_, &y_before_, &z_, &right_, &step_, &sigma_}) {
    x->resize(n);
  }
  anderson_.begin(problem.rows());
  double most = 0;
  if (const Status status = measure_free_velocity(problem, blocks_, lambda, most); !status.ok()) return status;
  tolerance_ = std::max(options_.tolerance, options_.relative_tolerance * most);
  std::fill(weights_.begin(), weights_.end(), 1.0);
  for (const ForceBlock& block : blocks_)
    project(block, &weights_[0] + block.row, lambda.data() + block.row, &y_[0] + block.row);
  return {};
}

void Admm::weigh_rows() {
  std::copy(mobility_.weights().begin(), mobility_.weights().end(), weights_.begin());
  for (const ForceBlock& block : blocks_) {
    if (block.kind != SetKind::kEquality) continue;
    for (int r = block.row; r < block.row + block.rows; ++r) weights_[static_cast<std::size_t>(r)] *= kEqualityWeight;
  }
  scale_ = mobility_.scale();
  const double given = options_.penalty > 0 ? options_.penalty : penalty_;
  penalty_ = given > 0 ? given : kFirstPenalty;
  rho_ = penalty_ * scale_;
}

/// One number as damping is cheaper than one per row.
bool Admm::has_equal_rows(const ContactProblem& problem) const {
  for (int r = 0; r < problem.rows(); ++r) {
    if (weights_[static_cast<std::size_t>(r)] != 1 || problem.compliance_of(r) != 0) return false;
  }
  return true;
}

const std::vector<double>& Admm::list_damping(const ContactProblem& problem) {
  for (int r = 0; r < problem.rows(); ++r) {
    damping_[static_cast<std::size_t>(r)] = rho_ * weights_[static_cast<std::size_t>(r)] + problem.compliance_of(r);
  }
  return damping_;
}

/// u from y and the velocities that it gives: at a solution this is the fixed point.
void Admm::start(const ContactProblem& problem) {
  for (std::size_t r = 0; r < u_.size(); ++r) u_[r] = y_[r] - sigma_[r] / (rho_ * weights_[r]);
  if (problem.law == ContactLaw::kCoulomb) {
    for (const ForceBlock& block : blocks_) {
      if (block.kind != SetKind::kFrictionCone) continue;
      const auto r = static_cast<std::size_t>(block.row);
      u_[r] -= sliding_speed(block, &sigma_[r]) / (rho_ * weights_[r]);
    }
  }
  failed_estimate_ = 10 * tolerance_;
}

/// y and z from u.
void Admm::split() {
  std::swap(y_, y_before_);
  for (const ForceBlock& block : blocks_)
    project(block, &weights_[0] + block.row, &u_[0] + block.row, &y_[0] + block.row);
  change_ = 0;
  for (std::size_t r = 0; r < u_.size(); ++r) {
    z_[r] = rho_ * weights_[r] * (y_[r] - u_[r]);
    change_ = std::max(change_, rho_ * weights_[r] * std::abs(y_[r] - y_before_[r]));
  }
}

/// ρW y + z - g - Γ(z).
void Admm::find_right_side(const ContactProblem& problem) {
  for (std::size_t r = 0; r < u_.size(); ++r) {
    right_[r] = rho_ * weights_[r] * y_[r] + z_[r] - problem.free_velocity[static_cast<int>(r)];
  }
  if (problem.law != ContactLaw::kCoulomb) return;
  for (const ForceBlock& block : blocks_) {
    if (block.kind == SetKind::kFrictionCone)
      right_[static_cast<std::size_t>(block.row)] -= sliding_speed(block, &z_[0] + block.row);
  }
}

void Admm::advance() {
  for (std::size_t r = 0; r < u_.size(); ++r) step_[r] = options_.relaxation * (x_[r] - y_[r]);
  anderson_.advance(u_, step_, weights_);
}

/// The velocities of y miss those in z by (Λ⁻¹ + R + ρW)(y - x). A product to look closer is worth it once that is small, and smaller than when it
/// did not do; and now and then anyway, because where forces are not unique x and y may differ by what nothing feels.
bool Admm::may_be_solved() {
  force_miss_ = 0;
  for (std::size_t r = 0; r < u_.size(); ++r)
    force_miss_ = std::max(force_miss_, weights_[r] * std::abs(x_[r] - y_[r]));
  estimate_ = (scale_ + rho_) * force_miss_;
  return estimate_ <= failed_estimate_ || certificate_.iterations % kJudgeEvery == 0;
}

/// Makes both residuals alike: forces that miss their sets, in units of velocity, and velocities that projections change.
bool Admm::adapt_penalty() {
  if (certificate_.iterations % kAdaptEvery != 0) return false;
  const double ratio = std::sqrt(scale_ * force_miss_ / std::max(change_, 1e-30));
  if (ratio <= kMostImbalance && ratio >= 1 / kMostImbalance) return false;
  rho_ *= std::clamp(ratio, 1 / kMostChange, kMostChange);
  penalty_ = rho_ / scale_;
  for (std::size_t r = 0; r < u_.size(); ++r) u_[r] = y_[r] - z_[r] / (rho_ * weights_[r]);
  anderson_.forget();
  return true;
}

/// By the velocities in sigma_, which are those of y.
bool Admm::judge(const ContactProblem& problem) {
  static_cast<ContactResiduals&>(certificate_) = measure_residuals(blocks_, problem, mobility_.mobility(), y_, sigma_);
  failed_estimate_ = std::min(failed_estimate_, estimate_) / 2;
  return is_within(certificate_, tolerance_);
}

Status Admm::finish(StopReason reason, VectorView<double> lambda) {
  certificate_.reason = reason;
  if (const Status status = require_finite<double>(y_); !status.ok()) {
    certificate_.reason = StopReason::kFailed;
    return status;
  }
  std::copy(y_.begin(), y_.end(), lambda.data());
  return conclude(certificate_, tolerance_, contradiction_, blocks_);
}

}  // namespace delassus
