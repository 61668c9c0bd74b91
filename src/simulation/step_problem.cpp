#include "simulation/step_problem.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

/// Rows of a loop that is nearly planar hardly move anything across the plane, and cannot take back there what rounding has opened. Where they give
/// way by a millionth of what the whole mass does, forces stay small, and loops hold to a millionth of the velocity that they prevent.
constexpr double kLoopCompliance = 1e-6, kLeastMass = 1e-6;

}  // namespace

StepProblem::StepProblem(const Model& model, const SimulationOptions& options, int constraints, int lasting_rows)
    : options_(options), loop_compliance_(kLoopCompliance / std::max(model.mass(), kLeastMass)), work_(model) {
  constexpr int kMostRows = 6;
  for (std::vector<double>* x : {&g_, &compliance_, &position_, &before_, &free_, &pushed_, &after_, &taken_up_}) {
    x->reserve(static_cast<std::size_t>(kMostRows * constraints + lasting_rows));
  }
  sets_.reserve(static_cast<std::size_t>(constraints + lasting_rows));
}

ContactProblem StepProblem::view(const StepConstraints& constraints) const {
  const bool convex = options_.model == ContactModel::kConvex || options_.model == ContactModel::kRelaxed;
  return {constraints.rows().spans,
          sets_,
          g_,
          compliance_,
          convex ? ContactLaw::kConvex : ContactLaw::kCoulomb,
          options_.dt};
}

bool StepProblem::is_rigid() const {
  using enum ContactModel;
  return options_.model == kRigid || options_.model == kConvex || options_.model == kPgs;
}

/// Positions, and velocities before the step.
void StepProblem::measure_rows(const StepConstraints& constraints, const Motion& motion) {
  const ConstraintRows<double>& rows = constraints.rows();
  const auto count = static_cast<std::size_t>(rows.num_rows());
  for (std::vector<double>* x : {&g_, &compliance_, &position_, &before_}) x->resize(count);
  constraint_positions<double>(motion.model, motion.kin, constraints.all(), rows, position_);
  apply_jacobian<double>(motion.model, motion.kin, rows, motion.v, before_, work_);
}

void StepProblem::pose(const StepConstraints& constraints, const JointLaws& laws, const JointInputs& in,
                       const Motion& motion, std::span<const double> mobility) {
  const ConstraintRows<double>& rows = constraints.rows();
  measure_rows(constraints, motion);
  std::ranges::fill(compliance_, 0.0);
  taken_up_.assign(g_.size(), 0.0);
  apply_jacobian<double>(motion.model, motion.kin, rows, motion.free, g_, work_);
  free_ = g_;
  if (motion.pushed.data() != motion.free.data())
    apply_jacobian<double>(motion.model, motion.kin, rows, motion.pushed, g_, work_);
  pushed_ = g_;
  sets_.assign(rows.sets.begin(), rows.sets.end());
  const auto first_drive = static_cast<std::size_t>(constraints.first_drive());
  const auto is_drive = [&](std::size_t c) {
    return c >= first_drive && c < first_drive + constraints.drives().size();
  };
  for (std::size_t c = 0; c < rows.spans.size(); ++c) {
    const bool contact = rows.spans[c].kind == kContactRows;
    if (is_drive(c)) continue;
    if (options_.model == ContactModel::kRelaxed) {
      relax(rows.spans[c], rows.sets[c], mobility);
    } else if (options_.model == ContactModel::kSoftImplicit && contact) {
      soften(rows.spans[c]);
    } else if (knows_contact_forces() && contact) {
      sets_[c] = {SetKind::kBox, 0};  // nothing beside what is known
    } else {
      add_bias(rows.spans[c], rows.sets[c]);
    }
  }
  for (std::size_t k = 0; k < constraints.drives().size(); ++k) {
    const auto drive = static_cast<std::size_t>(constraints.drives()[k]);
    const RowSpan& span = rows.spans[first_drive + k];
    const auto row = static_cast<std::size_t>(span.first_row);
    g_[row] += laws.bias(drive, in, motion.kin.q);
    compliance_[row] = laws.compliance(drive);
  }
}

bool StepProblem::take_up_loops(const StepConstraints& constraints, std::span<const double> lambda, double most) {
  const ConstraintRows<double>& rows = constraints.rows();
  bool any = false;
  if (options_.model == ContactModel::kRelaxed) return any;
  for (std::size_t c = 0; c < rows.spans.size(); ++c) {
    const RowSpan& span = rows.spans[c];
    if (sets_[c].kind != SetKind::kEquality) continue;
    for (auto r = static_cast<std::size_t>(span.first_row); r < static_cast<std::size_t>(span.first_row + span.rows);
         ++r) {
      taken_up_[r] = compliance_[r] * lambda[r];
      any = any || std::abs(taken_up_[r]) > most;
    }
  }
  for (std::size_t r = 0; r < g_.size(); ++r) any ? g_[r] -= taken_up_[r] : taken_up_[r] = 0;
  return any;
}

void StepProblem::let_loops_give() {
  for (std::size_t r = 0; r < g_.size(); ++r) g_[r] += taken_up_[r];
  std::ranges::fill(taken_up_, 0.0);
}

bool StepProblem::leave_out(const RowSpan& span, int constraint) {
  const bool approaches = g_[static_cast<std::size_t>(span.first_row)] < -options_.acceptable;
  if (!approaches) sets_[static_cast<std::size_t>(constraint)] = {SetKind::kBox, 0};
  return !approaches;
}

void StepProblem::find_end(const StepConstraints& constraints, const Motion& motion, std::span<const double> next_v) {
  after_.resize(g_.size());
  apply_jacobian<double>(motion.model, motion.kin, constraints.rows(), next_v, after_, work_);
}

double StepProblem::stated_velocity(const ForceSet& set, std::size_t r, double lambda) const {
  const bool rigid = set.kind == SetKind::kEquality && options_.model != ContactModel::kRelaxed;
  return after_[r] + g_[r] + taken_up_[r] - pushed_[r] + (rigid ? 0.0 : compliance_[r] * lambda);
}

/// The bias of a position that is not as it should be.
double StepProblem::recover(double position) const {
  return std::clamp(position / std::max(options_.recovery_time, options_.dt), -options_.recovery_speed,
                    options_.recovery_speed);
}

void StepProblem::add_bias(const RowSpan& span, const ForceSet& set) {
  const auto first = static_cast<std::size_t>(span.first_row), end = first + static_cast<std::size_t>(span.rows);
  if (set.kind == SetKind::kBox) return;
  if (set.kind == SetKind::kEquality) {
    for (std::size_t r = first; r < end; ++r) {
      g_[r] += recover(position_[r]);
      compliance_[r] = loop_compliance_;
    }
    return;
  }
  // Of a cone, the normal row alone has a position.
  const std::size_t pushing = set.kind == SetKind::kFrictionCone ? first + 1 : end;
  for (std::size_t r = first; r < pushing; ++r) {
    g_[r] += position_[r] > 0 ? position_[r] / options_.dt : recover(position_[r]);
  }
}

}  // namespace delassus
