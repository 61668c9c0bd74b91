// Rows that give way: soft contacts, explicit and implicit, and relaxed rows of all kinds.
#include <algorithm>

#include "simulation/step_problem.hpp"

namespace delassus {
namespace {

constexpr int kTranslations = 3;
/// Of a relaxed row, relative to the others of its constraint.
constexpr double kLeastMobility = 1e-9;

}  // namespace

/// Springs and dampers as they will be at the end of the step; rotations as translations of points a metre away.
void StepProblem::soften(const RowSpan& span) {
  const auto first = static_cast<std::size_t>(span.first_row);
  const RowSoftening normal = implicit_normal(options_.soft, position_[first], options_.dt);
  const RowSoftening tangent = implicit_tangent(options_.soft, options_.dt);
  compliance_[first] = normal.compliance;
  g_[first] += normal.bias;
  for (std::size_t r = first + 1; r < first + static_cast<std::size_t>(span.rows); ++r)
    compliance_[r] = tangent.compliance;
}

/// Rows of friction have no position, and a compliance that goes with that of the normal, and with the squares of their coefficients: then the cone is round
/// in the metric of the compliance, as in MuJoCo.
void StepProblem::relax(const RowSpan& span, const ForceSet& set, std::span<const double> mobility) {
  const auto first = static_cast<std::size_t>(span.first_row);
  const RelaxedContact& law = options_.relaxed;
  const bool cone = set.kind == SetKind::kFrictionCone;
  // Rounding may make the mobility of a row that nothing moves negative.
  const double most =
      *std::max_element(mobility.begin() + span.first_row, mobility.begin() + span.first_row + span.rows);
  const double least = most > 0 ? kLeastMobility * most : kLeastMobility;
  for (std::size_t k = 0; k < static_cast<std::size_t>(span.rows); ++k) {
    const std::size_t r = first + k;
    const bool placed = set.kind != SetKind::kBox && (!cone || k == 0);
    const RowSoftening row =
        relax_row(law, placed ? position_[r] : 0.0, before_[r], std::max(mobility[r], least), options_.dt);
    g_[r] += row.bias;
    compliance_[r] = row.compliance;
    if (!cone || k == 0) continue;
    const std::array<double, 5> mu = {set.mu, set.mu_across > 0 ? set.mu_across : set.mu, set.mu_torsion,
                                      set.mu_rolling, set.mu_rolling};
    const double share = mu[k - 1] > 0 ? set.mu / mu[k - 1] : 1.0;
    compliance_[r] = compliance_[first] / law.friction_ratio * share * share;
  }
}

void StepProblem::find_known_impulses(const StepConstraints& constraints, const Motion& motion,
                                      std::span<double> lambda) {
  measure_rows(constraints, motion);
  std::ranges::fill(lambda, 0.0);
  const ConstraintRows<double>& rows = constraints.rows();
  for (auto c = static_cast<std::size_t>(constraints.first_contact()); c < rows.spans.size(); ++c) {
    const auto first = static_cast<std::size_t>(rows.spans[c].first_row);
    const int translations = std::min(rows.spans[c].rows, kTranslations);
    Vec3<double> velocity = Vec3<double>::zero();
    std::copy_n(before_.begin() + static_cast<std::ptrdiff_t>(first), translations, velocity.a);
    const Vec3<double> force = soft_contact_force(options_.soft, rows.sets[c].mu, position_[first], velocity);
    for (int k = 0; k < translations; ++k) lambda[first + static_cast<std::size_t>(k)] = options_.dt * force[k];
  }
}

}  // namespace delassus
