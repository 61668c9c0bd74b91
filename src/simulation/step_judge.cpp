#include "simulation/step_judge.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

bool pushes(const ForceSet& set) { return set.kind == SetKind::kNonNegative || set.kind == SetKind::kFrictionCone; }

/// Of a cone, the normal row alone is held to something.
int held_rows(const RowSpan& span, const ForceSet& set) {
  if (set.kind == SetKind::kBox) return 0;
  return set.kind == SetKind::kFrictionCone ? 1 : span.rows;
}

double missed(const RowSpan& span, const ForceSet& set, const StepProblem& problem, std::span<const double> lambda) {
  double most = 0;
  for (int k = 0; k < held_rows(span, set); ++k) {
    const auto r = static_cast<std::size_t>(span.first_row + k);
    const double velocity = problem.stated_velocity(set, r, lambda[r]);
    const double out = pushes(set) ? -velocity : std::abs(velocity);
    if (!(out <= most)) most = out;
  }
  return most;
}

}  // namespace

StatedResidual judge_end(const ContactProblem& posed, const StepProblem& problem, std::span<const double> lambda) {
  StatedResidual out;
  for (std::size_t c = 0; c < posed.spans.size(); ++c) {
    const double velocity = missed(posed.spans[c], posed.sets[c], problem, lambda);
    if (!(velocity <= out.velocity)) out = {velocity, static_cast<int>(c)};
  }
  return out;
}

int hardest_push(const ContactProblem& posed, std::span<const double> lambda) {
  int hardest = -1;
  double most = 0;
  for (std::size_t c = 0; c < posed.spans.size(); ++c) {
    if (!pushes(posed.sets[c])) continue;
    const double impulse = lambda[static_cast<std::size_t>(posed.spans[c].first_row)];
    if (!(impulse > most)) continue;
    most = impulse;
    hardest = static_cast<int>(c);
  }
  return hardest;
}

}  // namespace delassus
