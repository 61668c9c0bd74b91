#include "simulation/step_problem.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

namespace delassus {
namespace {

/// Of RowSpan.
constexpr int kContact = 0;
static_assert(std::is_same_v<std::variant_alternative_t<kContact, Constraint>, PointContact>);

}  // namespace

StepProblem::StepProblem(const Model& model, const SimulationOptions& options, int constraints, int lasting_rows)
    : dt_(options.dt),
      recovery_(options.recovery),
      recovery_speed_(options.recovery_speed),
      restitution_(options.restitution),
      threshold_(options.restitution_threshold),
      law_(options.model == ContactModel::kConvex ? ContactLaw::kConvex : ContactLaw::kCoulomb),
      work_(model) {
  constexpr int kMostRows = 6;
  for (std::vector<double>* x : {&g_, &compliance_, &position_, &before_}) {
    x->reserve(static_cast<std::size_t>(kMostRows * constraints + lasting_rows));
  }
}

ContactProblem StepProblem::view(const StepConstraints& constraints) const {
  const ConstraintRows<double>& rows = constraints.rows();
  return {rows.spans, rows.sets, g_, compliance_, law_, dt_};
}

void StepProblem::pose(const StepConstraints& constraints, const JointLaws& laws, const JointInputs& in,
                       const Motion& motion) {
  const ConstraintRows<double>& rows = constraints.rows();
  const auto count = static_cast<std::size_t>(rows.num_rows());
  for (std::vector<double>* x : {&g_, &compliance_, &position_}) x->resize(count);
  std::ranges::fill(compliance_, 0.0);
  apply_jacobian<double>(motion.model, motion.kin, rows, motion.free, g_, work_);
  constraint_positions<double>(motion.model, motion.kin, constraints.all(), rows, position_);
  if (restitution_ > 0) {
    before_.resize(count);
    apply_jacobian<double>(motion.model, motion.kin, rows, motion.v, before_, work_);
  }
  for (std::size_t c = 0; c < rows.spans.size(); ++c) add_bias(rows.spans[c], rows.sets[c]);
  for (std::size_t k = 0; k < constraints.drives().size(); ++k) {
    const auto drive = static_cast<std::size_t>(constraints.drives()[k]);
    const RowSpan& span = rows.spans[static_cast<std::size_t>(constraints.first_drive()) + k];
    const auto row = static_cast<std::size_t>(span.first_row);
    g_[row] += laws.bias(drive, in, motion.kin.q);
    compliance_[row] = laws.compliance(drive);
  }
}

/// The bias of a position that is not as it should be.
double StepProblem::recover(double position) const {
  return std::clamp(recovery_ * position / dt_, -recovery_speed_, recovery_speed_);
}

void StepProblem::add_bias(const RowSpan& span, const ForceSet& set) {
  const auto first = static_cast<std::size_t>(span.first_row), end = first + static_cast<std::size_t>(span.rows);
  if (set.kind == SetKind::kBox) return;
  if (set.kind == SetKind::kEquality) {
    for (std::size_t r = first; r < end; ++r) g_[r] += recover(position_[r]);
    return;
  }
  const bool bounces = restitution_ > 0 && span.kind == kContact;
  // Of a cone, the normal row alone has a position.
  const std::size_t pushing = set.kind == SetKind::kFrictionCone ? first + 1 : end;
  for (std::size_t r = first; r < pushing; ++r) {
    double bias = position_[r] > 0 ? position_[r] / dt_ : recover(position_[r]);
    const bool meets = bounces && g_[r] + position_[r] / dt_ < 0 && before_[r] < -threshold_;
    if (meets) bias = std::min(bias, restitution_ * before_[r]);
    g_[r] += bias;
  }
}

}  // namespace delassus
