// Impacts with restitution, in rounds within a step.
//
// Balls of Newton's cradle that touch are hit one after the other, however short the time: a law for all contacts at once lets the first one rebound. So contacts
// that approach are solved together, the others with no impulse; those that approach because of it are the next round, until none does
// (B. Smith, D. M. Kaufman, E. Vouga, R. Tamstorf, E. Grinspun, "Reflections on simultaneous impact", 2012). Each round is symmetric, and takes no
// energy with e = 1 and without friction. With u the velocities of the rounds before, J v_before + Δ, contacts of a round end with
//
//   J v⁺ + e u >= 0
//
// where v⁺ has the forces of the whole step: a ball that falls leaves the floor as fast as it came, and gravity of the step gives and takes nothing.
#include <algorithm>

#include "simulation/simulator_parts.hpp"
#include "simulation/step_problem.hpp"

namespace delassus {
namespace {

/// Cradles need as many as they have balls. With e < 1 each takes energy, until the threshold; what then is left is stopped as without restitution.
constexpr int kMostRounds = 50;

}  // namespace

/// Whether a contact takes part. Bounded forces have no impulse; loops hold, and limits let nothing pass.
bool StepProblem::add_impact(const RowSpan& span, ForceSet& set) {
  const auto first = static_cast<std::size_t>(span.first_row), end = first + static_cast<std::size_t>(span.rows);
  if (span.kind == kContactRows) {
    const double approach = before_[first];
    const bool meets = approach < -options_.restitution_threshold && position_[first] + options_.dt * approach < 0;
    if (meets) {
      g_[first] += options_.restitution * approach;
    } else {
      set = {SetKind::kBox, 0};
    }
    return meets;
  }
  for (std::size_t r = first; r < end; ++r) {
    if (set.kind == SetKind::kEquality) compliance_[r] = loop_compliance_;
    if (set.kind == SetKind::kNonNegative) g_[r] += std::max(position_[r], 0.0) / options_.dt;
  }
  if (set.kind == SetKind::kBox) set = {SetKind::kBox, 0};
  return false;
}

bool StepProblem::pose_impacts(const StepConstraints& constraints, const Motion& motion,
                               std::span<const double> struck) {
  const ConstraintRows<double>& rows = constraints.rows();
  measure_rows(constraints, {motion.model, motion.kin, struck, motion.free, motion.pushed});
  std::ranges::fill(compliance_, 0.0);
  apply_jacobian<double>(motion.model, motion.kin, rows, motion.pushed, g_, work_);
  sets_.assign(rows.sets.begin(), rows.sets.end());
  bool any = false;
  for (std::size_t c = 0; c < rows.spans.size(); ++c) any = add_impact(rows.spans[c], sets_[c]) || any;
  return any;
}

/// Impulses of all rounds into known_, and the velocities after the step with them into next_v_. A round that is not solved ends them.
void Simulator::Parts::strike() {
  known_.assign(lambda_.size(), 0.0);
  struck_v_ = state.v;
  next_v_ = free_;
  for (int round = 0; round < kMostRounds; ++round) {
    if (!problem.pose_impacts(now->constraints, {now->effective, kin, state.v, free_, next_v_}, struck_v_)) return;
    std::ranges::fill(lambda_, 0.0);
    if (!now->solver.solve(problem.view(now->constraints), lambda_).ok()) {
      report.inexact = true;
      return;
    }
    for (std::size_t r = 0; r < known_.size(); ++r) known_[r] += lambda_[r];
    now->solver.joint_response(lambda_, displacement_);
    for (std::size_t k = 0; k < displacement_.size(); ++k) {
      struck_v_[k] += displacement_[k];
      next_v_[k] += displacement_[k];
    }
  }
}

}  // namespace delassus
