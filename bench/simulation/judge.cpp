#include "bench/simulation/simulation.hpp"
#include "delassus/constraints/state.hpp"
#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/operators/condensed.hpp"

namespace delassus::cli {
namespace {

Constraint contact_of(const Model& model, const Kinematics<double>& kin, const JudgedContact& point) {
  PointContact out;
  out.a.frame = model.body_frame(point.body_a);
  const Pose<double> body = frame_pose(model, kin, out.a.frame);
  out.a.offset.p = transposed_times(body.R, point.position - body.p);
  out.b = point.body_b == kWorld ? 0 : model.body_frame(point.body_b);
  out.axes = contact_axes(point.normal);
  out.gap = point.gap;
  out.set.kind = SetKind::kFrictionCone;
  out.set.mu = point.mu;
  return out;
}

}  // namespace

/// The velocities of the rows at the end of the step follow from the state at its start and the forces alone: J (v + h M⁻¹ (Jᵀ f - bias)).
ContactResiduals judge_step(const Model& model, const JudgedStep& step) {
  Kinematics<double> kin(model);
  update_kinematics<double>(model, step.q, kin);
  std::vector<Constraint> constraints;
  for (const JudgedContact& point : step.contacts) constraints.push_back(contact_of(model, kin, point));
  State<double> state(model, constraints);
  if (!state.update(step.q, step.v).ok()) throw Error("a step to be judged has a contact without a direction");
  CondensedDelassus<double> op(model, state.rows());
  if (!op.factor(state).ok()) throw Error("a step to be judged has a singular joint");

  ForwardDynamics<double> work(model);
  std::vector<double> tau(static_cast<std::size_t>(model.nv())), free(tau);
  if (!aba<double>(model, step.q, step.v, tau, free, work).ok())
    throw Error("a step to be judged has a singular joint");
  for (std::size_t k = 0; k < free.size(); ++k) free[k] = step.v[k] + step.dt * free[k];
  std::vector<double> g(static_cast<std::size_t>(state.num_rows())), impulse(g.size());
  LinkMotions<double> motions(model);
  apply_jacobian<double>(model, state.kinematics(), state.rows(), free, g, motions);
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    const JudgedContact& point = step.contacts[c];
    g[3 * c] += std::max(point.gap, 0.0) / step.dt;
    const Vec3<double> along = std::get<PointContact>(constraints[c]).axes * point.force;
    for (int k = 0; k < 3; ++k) impulse[3 * c + static_cast<std::size_t>(k)] = step.dt * along[k];
  }
  ContactProblem problem{state.rows().spans, state.rows().sets, g};
  problem.time_step = step.dt;
  CertificateWork certificate;
  return certify(op, problem, impulse, certificate);
}

}  // namespace delassus::cli
