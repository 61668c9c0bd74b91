#include "delassus/solvers/contact_interior_point.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/finite.hpp"
#include "model/splitmix.hpp"
#include "solvers/contact_interior_point_work.hpp"

namespace delassus {
namespace {

/// Root of the products that a start from given forces has: less, and steps are short where the next forces are not those.
constexpr double kWarm = 0.05;
/// A warm start with a step shorter than this, or whose residual has not halved in so many, was none.
constexpr double kShortWarm = 0.1;
constexpr int kSlowWarm = 7;

}  // namespace

ContactInteriorPoint::Work::Work(const ContactInteriorPointOptions& options) : options_(options) {
  if (!(options.tolerance > 0))
    throw Error("option 'tolerance' of the interior-point method has to be positive, in metres per second");
  if (!(options.relative_tolerance >= 0))
    throw Error("option 'relative_tolerance' of the interior-point method has to be zero or more");
  if (options.iterations < 1) throw Error("option 'iterations' of the interior-point method has to be one at least");
}

void ContactInteriorPoint::Work::reserve(int constraints, int rows) {
  const auto n = static_cast<std::size_t>(rows);
  blocks_.reserve(static_cast<std::size_t>(constraints));
  scalings_.reserve(n);
  products_.reserve(n);
  mobility_.reserve(rows);
  contradiction_.reserve(rows);
  scaled_.reserve(rows);
  damping_.reserve(n * cone::kMostRows);
  for (std::vector<double>* x :
       {&lambda_, &sigma_, &z_, &s_, &lower_, &upper_, &aim_, &aim_lower_, &aim_upper_, &residual_, &dz_, &ds_,
        &dlower_, &dupper_, &right_, &best_lambda_, &best_sigma_, &inside_}) {
    x->reserve(n);
  }
}

/// Sizes, and forces to begin with, which are those of λ in their sets.
Status ContactInteriorPoint::Work::begin(const ContactProblem& problem, VectorView<const double> lambda) {
  certificate_ = {};
  certificate_.reason = StopReason::kFailed;
  if (const Status s = check_sizes({{2, lambda.size(), problem.rows()}}); !s.ok()) return s;
  if (const Status s = as_status(1, [&] { list_force_blocks(problem, blocks_); }); !s.ok()) return s;
  const auto n = static_cast<std::size_t>(problem.rows());
  for (std::vector<double>* x :
       {&lambda_, &sigma_, &z_, &s_, &lower_, &upper_, &aim_, &aim_lower_, &aim_upper_, &residual_, &dz_, &ds_,
        &dlower_, &dupper_, &right_, &best_lambda_, &best_sigma_, &inside_}) {
    x->assign(n, 0.0);
  }
  std::size_t entries = 0;
  for (const ForceBlock& block : blocks_) entries += static_cast<std::size_t>(block.rows * block.rows);
  damping_.resize(entries);
  double most = 0;
  if (const Status status = measure_free_velocity(problem, blocks_, lambda, most); !status.ok()) return status;
  tolerance_ = std::max(options_.tolerance, options_.relative_tolerance * most);
  std::copy_n(lambda.data(), n, lambda_.begin());
  best_.constraint = -1;
  moved_ = false;
  return {};
}

/// Forces in lambda_, in their sets; keeps the best.
bool ContactInteriorPoint::Work::judge(OperatorRef<double> op, const ContactProblem& problem) {
  constexpr std::array<double, cone::kMostRows> kPlain{1, 1, 1, 1, 1, 1};
  for (const ForceBlock& block : blocks_) {
    double* force = lambda_.data() + block.row;
    project(block, kPlain.data(), force, force);
  }
  op.apply(lambda_, sigma_);
  add_free_velocity(problem, lambda_, sigma_);
  last_ = measure_residuals(blocks_, problem, mobility_.own_mobility(), lambda_, sigma_);
  if (best_.constraint < 0 || last_.worst() < best_.worst()) {
    best_ = last_;
    best_lambda_ = lambda_;
    best_sigma_ = sigma_;
  }
  return is_within(last_, tolerance_);
}

/// Forces of z.
bool ContactInteriorPoint::Work::judge_point(OperatorRef<double> op, const ContactProblem& problem) {
  for (std::size_t r = 0; r < z_.size(); ++r) lambda_[r] = scaled_.force(r, z_[r]);
  return judge(op, problem);
}

/// What the product of each cone is beside the mean: on the first path they are alike, on others in some proportions.
void ContactInteriorPoint::Work::choose_path(int path) {
  constexpr double kSpread = 100;
  SplitMix random(static_cast<std::uint64_t>(path));
  double sum = 0;
  for (double& product : products_) {
    product = path == 0 ? 1 : std::pow(kSpread, random.uniform(-0.5, 0.5));
    sum += product;
  }
  for (double& product : products_) product *= static_cast<double>(products_.size()) / sum;
  path_ = path;
}

/// Products are one in the mean; a contact that parts by itself begins with the velocity that it has.
void ContactInteriorPoint::Work::start_cold(const ContactProblem& problem) {
  for (std::size_t r = 0; r < z_.size(); ++r) {
    z_[r] = s_[r] = 0;
    lower_[r] = upper_[r] = scaled_.role(r) == RowRole::kBounded ? std::min(1.0, 1 / scaled_.bound(r)) : 0.0;
  }
  for (std::size_t c = 0; c < products_.size(); ++c) {
    const std::size_t r = scaled_.cones()[c].row(0);
    s_[r] = std::max(std::sqrt(products_[c]), scaled_.velocity(r, problem.free_velocity[static_cast<int>(r)]));
    z_[r] = products_[c] / s_[r];
  }
  warm_ = false;
  share_ = length_ = 1;
  proximal_ = 0;
  mark_ = tried_ = fallen_ = HUGE_VAL;
  since_mark_ = since_try_ = since_fall_ = 0;
  began_ = certificate_.iterations;
}

/// From forces in lambda_ and velocities in sigma_, the point on the path with the same z - s: z, s = (√(d² + 4 gap) ± d) / 2 in the cone's
/// arithmetic.
void ContactInteriorPoint::Work::start_warm(const ContactProblem& problem) {
  start_cold(problem);
  warm_ = true;
  for (std::size_t r = 0; r < z_.size(); ++r) {
    const double z = scaled_.unscaled_force(r, lambda_[r]), s = scaled_.velocity(r, sigma_[r]);
    if (scaled_.role(r) == RowRole::kHeld) z_[r] = z;
    if (scaled_.role(r) == RowRole::kBounded) lift_row(r, z, s, kWarm);
  }
  for (const ConeRows& cone : scaled_.cones()) {
    cone::Point z{}, s{};
    for (int k = 0; k < cone.count; ++k) {
      z[static_cast<std::size_t>(k)] = scaled_.unscaled_force(cone.row(k), lambda_[cone.row(k)]);
      s[static_cast<std::size_t>(k)] = scaled_.velocity(cone.row(k), sigma_[cone.row(k)]);
    }
    if (!symmetric_) s[0] += cone::tail(cone.count, s.data());
    cone::lift(cone.count, kWarm * kWarm, z.data(), s.data());
    cone.write(z.data(), z_);
    cone.write(s.data(), s_);
  }
}

/// Of a bounded row: each product at least the square of `root`.
void ContactInteriorPoint::Work::lift_row(std::size_t r, double z, double s, double root) {
  const double b = scaled_.bound(r), least = std::min(root, b), pull = std::max(s, 0.0), push = std::max(-s, 0.0);
  const double above = least * root / (pull + root), below = least * root / (push + root);
  z_[r] = std::clamp(z, above - b, b - below);
  lower_[r] = pull + root * root / (b + z_[r]);
  upper_[r] = push + root * root / (b - z_[r]);
}

/// Expects the residuals of this iteration in last_, and its products in gap_.
void ContactInteriorPoint::Work::watch_progress() {
  constexpr double kHalf = 0.5;
  ++since_try_;
  ++since_mark_;
  ++since_fall_;
  if (last_.worst() < kHalf * mark_) {
    mark_ = last_.worst();
    since_mark_ = 0;
  }
  if (gap_ < kHalf * fallen_) {
    fallen_ = gap_;
    since_fall_ = 0;
  }
}

/// Whether the residual has not halved in so many iterations, and products do not fall either. While they fall, a contact that hardly slides may seem to
/// stay as it is: its law is missed by all of that sliding until its force is as near to the edge of its cone.
bool ContactInteriorPoint::Work::is_slow(int iterations) const {
  constexpr int kNoFall = 3;
  return since_mark_ >= iterations && since_fall_ >= kNoFall;
}

/// Whether steps inside no longer pay, and those on the projection were not tried from here.
bool ContactInteriorPoint::Work::is_stuck() const {
  constexpr double kShort = 0.1, kSmallGap = 1e-4, kCloser = 0.3;
  constexpr int kSlow = 4, kTryAgain = 10;
  const bool slow = length_ < kShort || is_slow(kSlow);
  return slow && gap_ < kSmallGap && (last_.worst() < kCloser * tried_ || since_try_ >= kTryAgain);
}

/// Whether this path leads nowhere. Another one, on which products have other proportions, folds elsewhere or not at all.
bool ContactInteriorPoint::Work::is_lost() const {
  constexpr int kMostOnPath = 45, kSlow = 4;  // nearly all paths that lead to a solution do so within that many
  return certificate_.iterations - began_ >= kMostOnPath && is_slow(kSlow);
}

StopReason ContactInteriorPoint::Work::iterate(OperatorRef<double> op, const ContactProblem& problem) {
  for (;;) {
    if (judge_point(op, problem)) return StopReason::kSolved;
    if (!has_steps()) return watch_.reason(certificate_.iterations);
    gap_ = find_gap(0);
    find_residual(problem);
    watch_progress();
    if (is_stuck()) {
      tried_ = last_.worst();
      since_try_ = 0;
      if (project_on(op, problem)) return StopReason::kSolved;
      if (!has_steps()) return watch_.reason(certificate_.iterations);
    }
    if (!go_on(op, problem)) return moved_ ? StopReason::kStalled : StopReason::kFailed;
    if (!is_lost()) continue;
    if (is_infeasible(op, problem)) return StopReason::kInfeasible;
    choose_path(path_ + 1);
    start_cold(problem);
  }
}

/// One step. A matrix that cannot be factored gets more on its diagonal, and less of what makes it unsymmetric; false: that did not help.
bool ContactInteriorPoint::Work::go_on(OperatorRef<double> op, const ContactProblem& problem) {
  constexpr double kFirst = 1e-8, kMost = 1e-2, kRise = 100, kFall = 0.1;
  const Status status = step_inside(op, problem);
  if (status.ok()) {
    moved_ = true;
    proximal_ *= kFall;
    if (warm_ && (length_ < kShortWarm || is_slow(kSlowWarm))) start_cold(problem);
    return true;
  }
  trouble_ = status;
  share_ *= 0.5;
  length_ = 0;
  for (std::vector<double>* x : {&dz_, &ds_, &dlower_, &dupper_}) std::fill(x->begin(), x->end(), 0.0);
  const bool more = proximal_ < kMost;
  proximal_ = std::max(kFirst, kRise * proximal_);
  return more;
}

Status ContactInteriorPoint::Work::finish(StopReason reason, VectorView<double> lambda) {
  static_cast<ContactResiduals&>(certificate_) = best_;
  certificate_.reason = reason;
  if (const Status status = require_finite<double>(best_lambda_); !status.ok()) {
    certificate_.reason = StopReason::kFailed;
    return status;
  }
  std::copy(best_lambda_.begin(), best_lambda_.end(), lambda.data());
  return conclude(certificate_, tolerance_, contradiction_, blocks_);
}

/// Where constraints contradict each other forces grow without end, and what they tend to is the push that nothing feels. The velocities that
/// it would be against show it to the search.
bool ContactInteriorPoint::Work::is_infeasible(OperatorRef<double> op, const ContactProblem& problem) {
  ContactStand at{blocks_, mobility_.weights(), mobility_.scale(), best_sigma_, tolerance_};
  if (contradiction_.find_last(op, problem, at)) return true;
  double against = 0, square = 0;
  for (const ForceBlock& block : blocks_) {
    const int used = block.kind == SetKind::kFrictionCone && !symmetric_ ? 1 : block.rows;
    for (int r = block.row; r < block.row + used; ++r) {
      const double force = scaled_.force(static_cast<std::size_t>(r), z_[static_cast<std::size_t>(r)]);
      against -= problem.free_velocity[r] * force;
      square += at.weights[r] * force * force;
    }
  }
  if (!(against > 0 && std::isfinite(square))) return false;
  for (std::size_t r = 0; r < z_.size(); ++r)
    right_[r] = -at.weights[static_cast<int>(r)] * scaled_.force(r, z_[r]) * against / square;
  at.sigma = right_;
  return contradiction_.find(op, problem, at);
}

Status ContactInteriorPoint::Work::solve(OperatorRef<double> op, const ContactProblem& problem,
                                         VectorView<double> lambda, const SolveBudget& budget) {
  watch_.begin(options_.iterations, budget);
  if (const Status status = begin(problem, lambda); !status.ok()) return status;
  if (problem.rows() == 0) return finish(StopReason::kSolved, lambda);
  if (problem.rows() != op.rows()) return {Status::Code::kBadArgument, 1};
  mobility_.find_each(op, problem);
  scaled_.find(blocks_, problem, mobility_.mobility());
  scalings_.resize(scaled_.cones().size());
  products_.resize(scaled_.cones().size());
  choose_path(0);
  symmetric_ = problem.law == ContactLaw::kConvex;
  const bool given = std::any_of(lambda_.begin(), lambda_.end(), [](double x) { return x != 0; });
  if (judge(op, problem)) return finish(StopReason::kSolved, lambda);
  if (scaled_.size() == 0) {
    std::fill(lambda_.begin(), lambda_.end(), 0.0);
    if (judge(op, problem)) return finish(StopReason::kSolved, lambda);
  }
  if (given) {
    start_warm(problem);
  } else {
    start_cold(problem);
  }
  StopReason reason = iterate(op, problem);
  if (reason == StopReason::kFailed) return trouble_;
  const bool open = reason != StopReason::kSolved && reason != StopReason::kInfeasible;
  if (open && is_infeasible(op, problem)) reason = StopReason::kInfeasible;
  return finish(reason, lambda);
}

ContactInteriorPoint::ContactInteriorPoint(const ContactInteriorPointOptions& options)
    : work_(std::in_place, options) {}
void ContactInteriorPoint::reserve(int constraints, int rows) { work_->reserve(constraints, rows); }
Status ContactInteriorPoint::solve(OperatorRef<double> op, const ContactProblem& problem, Out<double> lambda,
                                   const SolveBudget& budget) {
  return work_->solve(op, problem, lambda, budget);
}
const ContactCertificate& ContactInteriorPoint::certificate() const { return work_->certificate(); }
const std::vector<double>& ContactInteriorPoint::velocity() const { return work_->velocity(); }
const ContactInteriorPointOptions& ContactInteriorPoint::options() const { return work_->options(); }

}  // namespace delassus
