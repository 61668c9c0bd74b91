#include "solvers/contact_contradiction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace delassus {
namespace {

/// What a push may yield, beside what its rows yield by themselves, to count as one that nothing feels: rounding. Forces that obey the law
/// in spite of it have 1e13 times the energy of what approaches.
constexpr double kUnfelt = 1e-14;
/// As kUnfelt, where what rows yield by themselves is but an estimate.
constexpr double kNearlyUnfelt = 1e-8;
/// How much of what approaches the push has to be against.
constexpr double kAgainst = 0.5;
/// Constraints whose part of the velocities is less than this part of the largest are about to be solved.
constexpr double kPart = 1e-3;

bool is_bounded(const ForceBlock& block) { return block.kind == SetKind::kBox && std::isfinite(block.bound); }

/// The part of -σ / W that forces can push with: none where they are bounded.
void find_push(const ForceBlock& block, ContactLaw law, const double* weights, const double* sigma, double* push) {
  const bool normal = block.kind == SetKind::kFrictionCone && law == ContactLaw::kCoulomb;
  const int rows = is_bounded(block) ? 0 : normal ? 1 : block.rows;
  std::fill_n(push, block.rows, 0.0);
  for (int k = 0; k < rows; ++k) push[k] = -sigma[k] / weights[k];
  if (rows > 0) project(block, weights, push, push);
}

/// The velocity that row k of a constraint may not have, whatever its others do.
double missed_by_row(const ForceBlock& block, int k, double sigma) {
  if (is_bounded(block) || (block.kind == SetKind::kFrictionCone && k > 0)) return 0;
  const bool both_ways = block.kind == SetKind::kEquality || block.kind == SetKind::kBox;
  return both_ways ? std::abs(sigma) : std::max(0.0, -sigma);
}

/// Of what is missed, the part in this block.
double part_of(const ForceBlock& block, const double* weights, const double* push) {
  double most = 0;
  for (int k = 0; k < block.rows; ++k) most = std::max(most, weights[k] * std::abs(push[k]));
  return most;
}

}  // namespace

void ContactContradiction::reserve(int rows) {
  for (std::vector<double>* x : {&push_, &product_, &mobility_}) x->reserve(static_cast<std::size_t>(rows));
}

/// Finds y. False if it is small, or not against g.
bool ContactContradiction::begin(const ContactProblem& problem, const ContactStand& at) {
  for (std::vector<double>* x : {&push_, &product_, &mobility_}) x->resize(static_cast<std::size_t>(problem.rows()));
  for (const ForceBlock& block : at.blocks) {
    find_push(block, problem.law, at.weights.data() + block.row, at.sigma.data() + block.row, push_.data() + block.row);
  }
  const double most = name_parts(at);
  double against = 0;
  square_ = 0;
  for (int r = 0; r < problem.rows(); ++r) {
    const double push = push_[static_cast<std::size_t>(r)];
    square_ += at.weights[r] * push * push;
    against -= problem.free_velocity[r] * push;
  }
  return most > at.tolerance && std::isfinite(square_) && against >= kAgainst * square_;
}

/// The constraints with the largest parts, and no push where parts are small. Returns the largest.
double ContactContradiction::name_parts(const ContactStand& at) {
  constraint_ = against_ = -1;
  double most = 0, next = 0;
  for (std::size_t c = 0; c < at.blocks.size(); ++c) {
    const int row = at.blocks[c].row;
    const double part = part_of(at.blocks[c], at.weights.data() + row, push_.data() + row);
    if (part > most) {
      against_ = std::exchange(constraint_, static_cast<int>(c));
      next = std::exchange(most, part);
    } else if (part > next) {
      against_ = static_cast<int>(c);
      next = part;
    }
  }
  if (next < kPart * most) against_ = -1;
  for (const ForceBlock& block : at.blocks) {
    double* push = push_.data() + block.row;
    if (part_of(block, at.weights.data() + block.row, push) < kPart * most) std::fill_n(push, block.rows, 0.0);
  }
  return most;
}

/// Only then the diagonal is worth its price.
bool ContactContradiction::yields_little(const ContactProblem& problem, const ContactStand& at) {
  yielded_ = 0;
  for (int r = 0; r < problem.rows(); ++r) {
    const auto k = static_cast<std::size_t>(r);
    yielded_ += push_[k] * (product_[k] + problem.compliance_of(r) * push_[k]);
  }
  return yielded_ <= kNearlyUnfelt * at.scale * square_;
}

/// What the rows of a constraint yield by themselves. They act on the same links: what one yields, rounding leaves a trace of in the others.
double ContactContradiction::mobility_of(const ContactProblem& problem, const ForceBlock& block) const {
  double most = kImmovable / kUnfelt;
  for (int r = block.row; r < block.row + block.rows; ++r)
    most = std::max(most, mobility_[static_cast<std::size_t>(r)] + problem.compliance_of(r));
  return most;
}

bool ContactContradiction::holds(const ContactProblem& problem, const ContactStand& at) const {
  double alone = 0;
  for (const ForceBlock& block : at.blocks) {
    const double* push = push_.data() + block.row;
    alone += mobility_of(problem, block) * std::inner_product(push, push + block.rows, push, 0.0);
  }
  return yielded_ <= kUnfelt * alone;
}

/// The one that misses most counts.
bool ContactContradiction::has_immovable(const ContactProblem& problem, const ContactStand& at) {
  double most = at.tolerance;
  int immovable = -1;
  for (std::size_t c = 0; c < at.blocks.size(); ++c) {
    const ForceBlock& block = at.blocks[c];
    const double least = kUnfelt * mobility_of(problem, block);
    for (int k = 0; k < block.rows; ++k) {
      const int r = block.row + k;
      const double missed = missed_by_row(block, k, at.sigma[r]);
      if (missed <= most || mobility_[static_cast<std::size_t>(r)] + problem.compliance_of(r) > least) continue;
      most = missed;
      immovable = static_cast<int>(c);
    }
  }
  if (immovable < 0) return false;
  constraint_ = immovable;
  against_ = -1;
  return true;
}

bool ContactContradiction::find(OperatorRef<double> op, const ContactProblem& problem, const ContactStand& at) {
  if (!begin(problem, at)) return false;
  op.apply(push_, product_);
  if (!yields_little(problem, at)) return false;
  op.diagonal(mobility_);
  if (!holds(problem, at)) return false;
  // Beside one that nothing moves, others in y prove nothing.
  static_cast<void>(has_immovable(problem, at));
  return true;
}

bool ContactContradiction::find_last(OperatorRef<double> op, const ContactProblem& problem, const ContactStand& at) {
  if (find(op, problem, at)) return true;
  op.diagonal(mobility_);
  return has_immovable(problem, at);
}

Status conclude(ContactCertificate& certificate, double tolerance, const ContactContradiction& contradiction,
                std::span<const ForceBlock> blocks) {
  if (certificate.solved() && !(certificate.rounding <= tolerance)) certificate.reason = StopReason::kStalled;
  if (certificate.solved()) return {};
  const bool infeasible = certificate.reason == StopReason::kInfeasible;
  if (infeasible) {
    certificate.constraint = contradiction.constraint();
    certificate.against = contradiction.against();
  }
  return {infeasible ? Status::Code::kInfeasible : Status::Code::kNotConverged,
          blocks[static_cast<std::size_t>(certificate.constraint)].row};
}

}  // namespace delassus
