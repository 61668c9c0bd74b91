#include <algorithm>

#include "bench/simulation/bench_engine.hpp"
#include "delassus/constraints/state.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/operators/condensed.hpp"

namespace delassus::cli {
namespace {

int frame_on(const Model& model, int link) {
  if (link == kWorld) return 0;
  const auto found = std::ranges::find(model.frames(), link, &Frame::link);
  return static_cast<int>(found - model.frames().begin());
}

Constraint contact_of(const Model& model, const Kinematics<double>& kin, const JudgedContact& point) {
  PointContact out;
  out.a.frame = frame_on(model, point.link_a);
  const Pose<double> body = frame_pose(model, kin, out.a.frame);
  out.a.offset.p = transposed_times(body.R, point.position - body.p);
  out.b = frame_on(model, point.link_b);
  out.axes = contact_axes(point.normal);
  out.gap = point.gap;
  out.kind = point.mu > 0 ? ContactKind::kSliding : ContactKind::kFrictionless;
  out.set.kind = point.mu > 0 ? SetKind::kFrictionCone : SetKind::kNonNegative;
  out.set.mu = point.mu;
  return out;
}

/// Of the normal velocity, what the law is about: with a gap, how fast it is used up beyond what is there; with an overlap, not what takes it back.
double judged_speed(double normal, double gap, double dt) {
  return gap > 0 ? normal + gap / dt : normal - std::clamp(normal, 0.0, -gap / dt);
}

}  // namespace

/// Velocities of the rows are those that the step ended with, in the configuration that it began in. Forces and velocities are all that the law speaks of, so no
/// model of anything else that acts is needed; of the operator, only how easily each contact moves.
ContactResiduals judge_step(const Model& model, const JudgedStep& step) {
  if (step.contacts.empty()) return {};
  Kinematics<double> kin(model);
  update_kinematics<double>(model, step.q, kin);
  std::vector<Constraint> constraints;
  for (const JudgedContact& point : step.contacts) constraints.push_back(contact_of(model, kin, point));
  State<double> state(model, constraints);
  if (!state.update(step.q, step.v_end).ok()) throw Error("a step to be judged has a contact without a direction");
  CondensedDelassus<double> op(model, state.rows());
  if (!op.factor(state).ok()) throw Error("a step to be judged has a singular joint");

  const auto rows = static_cast<std::size_t>(state.num_rows());
  std::vector<double> sigma(rows), impulse(rows), mobility(rows);
  LinkMotions<double> motions(model);
  apply_jacobian<double>(model, state.kinematics(), state.rows(), step.v_end, sigma, motions);
  op.diagonal(mobility);
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    const JudgedContact& point = step.contacts[c];
    const RowSpan& span = state.rows().spans[c];
    const auto first = static_cast<std::size_t>(span.first_row);
    sigma[first] = judged_speed(sigma[first], point.gap, step.dt);
    const Vec3<double> along = std::get<PointContact>(constraints[c]).axes * point.force;
    for (int k = 0; k < span.rows; ++k) impulse[first + static_cast<std::size_t>(k)] = step.dt * along[k];
  }
  ContactProblem problem{state.rows().spans, state.rows().sets, sigma};
  problem.time_step = step.dt;
  std::vector<ForceBlock> blocks;
  list_force_blocks(problem, blocks);
  return measure_residuals(blocks, problem, mobility, impulse, sigma);
}

}  // namespace delassus::cli
