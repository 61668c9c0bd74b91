#include "delassus/solvers/contact_newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/finite.hpp"
#include "solvers/contact_newton_work.hpp"

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

/// (Λ⁻¹ + R) x.
void multiply(OperatorRef<double> op, const ContactProblem& problem, const std::vector<double>& x,
              std::vector<double>& out) {
  op.apply(x, out);
  for (int r = 0; r < problem.rows(); ++r)
    out[static_cast<std::size_t>(r)] += problem.compliance_of(r) * x[static_cast<std::size_t>(r)];
}

}  // namespace

ContactNewton::Work::Work(const ContactNewtonOptions& options) : options_(options) {
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

void ContactNewton::Work::reserve(int constraints, int rows) {
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

Status ContactNewton::Work::begin(const ContactProblem& problem, VectorView<const double> lambda) {
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

void ContactNewton::Work::start(const ContactProblem& problem) {
  project_forces();
  shift_ = problem.law == ContactLaw::kCoulomb ? Shift::kLagging : Shift::kNone;
  share_ = shift_ == Shift::kNone ? 0 : 1;
  eta_ = kFirstPart * options_.proximal;
  least_eta_ = options_.least_proximal;
  slow_ = 0;
  infeasible_ = false;
  last_velocity_ = least_velocity_ = best_.velocity = HUGE_VAL;
}

void ContactNewton::Work::project_forces() {
  for (const ForceBlock& block : blocks_) {
    double* force = force_.data() + block.row;
    project(block, mobility_.weights().data() + block.row, force, force);
  }
}

/// Expects (Λ⁻¹ + R) λ in product_.
bool ContactNewton::Work::judge(const ContactProblem& problem) {
  for (std::size_t r = 0; r < sigma_.size(); ++r) sigma_[r] = product_[r] + problem.free_velocity[static_cast<int>(r)];
  static_cast<ContactResiduals&>(certificate_) =
      measure_residuals(blocks_, problem, mobility_.mobility(), force_, sigma_);
  slow_ = certificate_.velocity > kSlow * least_velocity_ ? slow_ + 1 : 0;
  least_velocity_ = std::min(least_velocity_, certificate_.velocity);
  last_velocity_ = certificate_.velocity;
  if (certificate_.worst() < best_.worst()) keep_best();
  return is_within(certificate_, tolerance_);
}

/// With part of the shift, nearly is enough.
bool ContactNewton::Work::is_settled(const ContactProblem& problem) {
  const bool solved = judge(problem);
  if (problem.law == ContactLaw::kConvex || share_ == 1) return solved;
  last_velocity_ = moved_;
  return moved_ <= kOnTheWay * tolerance_;
}

void ContactNewton::Work::keep_best() {
  best_ = certificate_;
  best_force_ = force_;
  best_sigma_ = sigma_;
}

void ContactNewton::Work::begin_outer(const ContactProblem& problem) {
  anchor_ = force_;
  for (int r = 0; r < problem.rows(); ++r) free_[static_cast<std::size_t>(r)] = problem.free_velocity[r];
  if (shift_ != Shift::kLagging) return;
  for (const ForceBlock& block : blocks_) {
    const auto r = static_cast<std::size_t>(block.row);
    if (block.kind == SetKind::kFrictionCone) free_[r] += sliding_speed(block, &sigma_[r]);
  }
}

/// Π_K(...) at λ + length δ.
void ContactNewton::Work::find_target(double length) {
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
bool ContactNewton::Work::is_near() const {
  double most = 0;
  for (std::size_t r = 0; r < force_.size(); ++r) {
    most = std::max(most, mobility_.mobility()[r] * std::abs(target_[r] - force_[r]));
  }
  return most <= std::max(kCloser * tolerance_, kCloser * kCloser * last_velocity_);
}

/// Damping B + R and right-hand side B (Π - λ).
void ContactNewton::Work::make_blocks(const ContactProblem& problem) {
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
double ContactNewton::Work::slope(double length) {
  find_target(length);
  double sum = 0;
  for (std::size_t r = 0; r < force_.size(); ++r) {
    sum += step_product_[r] * (force_[r] + length * step_[r] - target_[r]);
  }
  return sum;
}

/// One, unless the slope has turned by then: then the root, roughly.
double ContactNewton::Work::find_length() {
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

void ContactNewton::Work::take_step() {
  const double length = shift_ == Shift::kExact ? find_length_by_miss() : find_length();
  for (std::size_t r = 0; r < force_.size(); ++r) {
    force_[r] += length * step_[r];
    product_[r] += length * step_product_[r];
  }
}

/// Forces in their sets. Where Newton's steps ran out, η fell too fast.
void ContactNewton::Work::end_outer(bool near) {
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
bool ContactNewton::Work::stiffen() {
  constexpr double kLarge = 1e-3;
  if (eta_ >= kLarge) return false;
  least_eta_ = eta_ / kFall;
  return true;
}

Status ContactNewton::Work::finish(StopReason reason, VectorView<double> lambda) {
  certificate_.reason = reason;
  if (reason != StopReason::kSolved && best_.worst() < certificate_.worst()) {
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

bool ContactNewton::Work::is_infeasible(OperatorRef<double> op, const ContactProblem& problem) {
  return contradiction_.find_last(op, problem, {blocks_, mobility_.weights(), mobility_.scale(), sigma_, tolerance_});
}

Status ContactNewton::Work::find_step(OperatorRef<double> op) {
  Status status = op.solve(right_, step_);
  if (sliding_.empty()) return status;
  for (std::size_t c = 0; c < sliding_.size(); ++c) {
    std::fill(step_product_.begin(), step_product_.end(), 0.0);
    step_product_[static_cast<std::size_t>(blocks_[static_cast<std::size_t>(sliding_[c].block)].row)] = 1;
    status = op.solve(step_product_, step_product_);
    if (!status.ok() && status.code != Status::Code::kInaccurate) return status;
    keep_column(c);
  }
  turn_right_side();
  return op.solve(right_, step_);
}

Status ContactNewton::Work::solve_outer(OperatorRef<double> op, const ContactProblem& problem) {
  constexpr int kMostSteps = 20;
  begin_outer(problem);
  bool near = false;
  for (int k = 0; k < kMostSteps && watch_.allows_more(certificate_.iterations); ++k) {
    find_target(0);
    near = is_near();
    if (near) break;
    make_blocks(problem);
    ++certificate_.iterations;
    ++certificate_.dampings;
    Status status = op.update_damping(Damping<double>::blocks(damping_));
    if (status.ok()) status = find_step(op);
    if (!status.ok() && status.code != Status::Code::kInaccurate) {
      if (!stiffen()) return status;
      break;
    }
    multiply(op, problem, step_, step_product_);
    take_step();
  }
  end_outer(near);
  multiply(op, problem, force_, product_);
  return {};
}

/// From other forces, with another shift.
void ContactNewton::Work::go_on(OperatorRef<double> op, const ContactProblem& problem, const std::vector<double>& force,
                                Shift shift, double share) {
  force_ = force;
  shift_ = shift;
  share_ = share;
  eta_ = options_.proximal;
  multiply(op, problem, force_, product_);
}

/// Outer steps until the law holds, with the share of the shift that counts now.
Status ContactNewton::Work::settle(OperatorRef<double> op, const ContactProblem& problem, int iterations,
                                   bool& reached) {
  constexpr int kMostSlow = 3;
  const int end = std::min(certificate_.iterations, options_.iterations - iterations) + iterations;
  reached = false;
  while (certificate_.iterations < end && watch_.allows_more(certificate_.iterations)) {
    const int before = certificate_.iterations;
    if (const Status status = solve_outer(op, problem); !status.ok()) return status;
    reached = is_settled(problem);
    infeasible_ = infeasible_ || (!reached && slow_ > kMostSlow && is_infeasible(op, problem));
    const bool stalled = certificate_.iterations == before && eta_ <= least_eta_;
    if (reached || infeasible_ || stalled || (slow_ > kMostSlow && shift_ == Shift::kLagging)) return {};
  }
  return {};
}

/// From the convex law to Coulomb's.
Status ContactNewton::Work::follow(OperatorRef<double> op, const ContactProblem& problem, bool& solved) {
  constexpr int kToConvex = 200, kToNext = 40;
  constexpr double kFirst = 0.25, kLeast = 0.01;
  bool reached = false;
  go_on(op, problem, best_force_, Shift::kNone, 0);
  Status status = settle(op, problem, kToConvex, reached);
  if (!reached) return status;
  double share = 0, stride = kFirst;
  while (status.ok() && share < 1 && stride > kLeast && watch_.allows_more(certificate_.iterations)) {
    if (reached) reached_ = force_;
    go_on(op, problem, reached_, Shift::kExact, std::min(share + stride, 1.0));
    status = settle(op, problem, kToNext, reached);
    if (reached) share = share_;
    stride *= reached ? 2 : 0.5;
  }
  solved = reached && share == 1;
  return status;
}

Status ContactNewton::Work::solve(OperatorRef<double> op, const ContactProblem& problem, VectorView<double> lambda,
                                  const SolveBudget& budget) {
  constexpr int kPatience = 60;
  watch_.begin(options_.iterations, budget);
  Status status = begin(problem, lambda);
  if (!status.ok()) return status;
  if (problem.rows() != op.rows()) return {Status::Code::kBadArgument, 1};
  if (problem.rows() == 0) return finish(StopReason::kSolved, lambda);
  mobility_.find_each(op, problem);
  start(problem);
  multiply(op, problem, force_, product_);
  bool solved = judge(problem);
  if (!solved) status = settle(op, problem, options_.iterations, solved);
  const auto goes_on = [&] { return status.ok() && !solved && !infeasible_; };
  if (problem.law == ContactLaw::kCoulomb && goes_on()) {
    go_on(op, problem, best_force_, Shift::kExact, 1);
    status = settle(op, problem, kPatience, solved);
    if (goes_on()) status = follow(op, problem, solved);
  }
  if (!status.ok()) return status;
  if (solved) return finish(StopReason::kSolved, lambda);
  if (infeasible_ || is_infeasible(op, problem)) return finish(StopReason::kInfeasible, lambda);
  const bool stalled = watch_.allows_more(certificate_.iterations);
  return finish(stalled ? StopReason::kStalled : watch_.reason(certificate_.iterations), lambda);
}

ContactNewton::ContactNewton(const ContactNewtonOptions& options) : work_(std::in_place, options) {}
void ContactNewton::reserve(int constraints, int rows) { work_->reserve(constraints, rows); }
Status ContactNewton::solve(OperatorRef<double> op, const ContactProblem& problem, Out<double> lambda,
                            const SolveBudget& budget) {
  return work_->solve(op, problem, lambda, budget);
}
const ContactCertificate& ContactNewton::certificate() const { return work_->certificate(); }
const std::vector<double>& ContactNewton::velocity() const { return work_->velocity(); }
const ContactNewtonOptions& ContactNewton::options() const { return work_->options(); }

}  // namespace delassus
