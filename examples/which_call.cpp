// Which call for what: docs/which-call.md shows these parts one by one.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "delassus/delassus.hpp"

namespace {

using namespace delassus;

bool one_product(const Scene& go2) {
  const std::vector<double> x(12, 1.0);
  std::vector<double> y(12);
  // begin one-product
  ConstraintRows<double> rows;
  lower_structure(go2.model, go2.constraints, rows);
  LimbDelassus<double> op(go2.model, rows);                                  // legs in lanes, or the condensed tree
  const Status status = op.update(go2.model, go2.q, go2.constraints, rows);  // at every q; allocates nothing
  if (!status.ok()) return false;
  op.apply(x, y);  // y = Λ⁻¹ x, m/s² for N
  // end one-product
  std::printf("one product: y[0] = %.4f m/s2\n", y[0]);
  return op.in_lanes() && y[0] > 0;
}

bool many_products(const Scene& go2) {
  const std::vector<double> X(12 * 100, 1.0);
  std::vector<double> Y(12 * 100);
  State<double> state(go2.model, go2.constraints);
  if (!state.update(go2.q, go2.v).ok()) return false;
  // begin many-products
  const OperatorPlan plan = plan_operator(go2.model, go2.constraints, {.products = 100});
  AnyDelassus<double> op(plan.choice, go2.model, state.rows());  // the one that is predicted to be fastest
  const Status status = op.factor(state);
  if (!status.ok()) return false;
  op.apply_panel(MatrixView<const double>(X.data(), 12, 100), MatrixView<double>(Y.data(), 12, 100));
  // end many-products
  std::printf("many products: %s\n", std::string(name_of(plan.choice)).c_str());
  return std::abs(Y[0] - Y[99]) < 1e-12;  // equal columns: the same but for the order of sums
}

bool contact_forces(const Scene& go2) {
  const double dt = 1e-3;
  const Model& model = go2.model;
  State<double> state(model, go2.constraints);
  ForwardDynamics<double> work(model);
  LinkMotions<double> motions(model);
  std::vector<double> v(model.nv()), impulse(12), free(12);
  // Velocities of the rows after a step in which nothing touches: from rest, J dt M⁻¹(τ - h).
  if (!state.update(go2.q, go2.v).ok() || !aba(model, go2.q, go2.v, go2.tau, v, work).ok()) return false;
  for (double& x : v) x *= dt;
  apply_jacobian(model, state.kinematics(), state.rows(), v, free, motions);
  // begin admm
  CondensedDelassus<double> op(model, state.rows());
  Status status = op.factor(state);
  Admm admm;
  admm.reserve(static_cast<int>(go2.constraints.size()), op.rows());    // nothing allocates after this
  ContactProblem problem{state.rows().spans, state.rows().sets, free};  // free: row velocities without contacts
  problem.time_step = dt;
  if (status.ok()) status = admm.solve(op, problem, impulse);  // starts from what impulse holds
  const ContactCertificate& found = admm.certificate();        // .velocity in m/s, .force in N
  // end admm
  double carried = 0;
  for (int foot = 0; foot < 4; ++foot) carried += impulse[3 * foot] / dt;
  std::printf("admm: %.2f N carried, %d iterations, law missed by %.0e m/s\n", carried, found.iterations,
              found.velocity);
  return status.ok() && found.velocity < 1e-8;
}

bool redundant_feet() {
  const Scene g1 = load_named("g1-standing");  // four points under each foot
  const std::vector<double> still(g1.model.nv());
  std::vector<double> target(24), force(24), acceleration(g1.model.nv());
  // begin redundant-feet
  State<double> state(g1.model, g1.constraints);
  ConstrainedDynamics<double> dynamics(g1.model);  // any rank, no damping to choose
  Status status = state.update(g1.q, still);
  if (status.ok()) status = dynamics.factor(state);
  state.target(target);  // rows keep their velocities
  if (status.ok()) status = dynamics.solve(state, g1.tau, target, acceleration, force);
  const ConstraintReport report = diagnose(g1.model, g1.constraints, g1.q);  // which rows say nothing new
  // end redundant-feet
  std::printf("redundant feet: rank %d of %d\n", report.rank, report.num_rows());
  return status.ok() && report.rank == 12;
}

bool closed_loops() {
  Scene linkage = load_named("four_bar");
  // begin closed-loops
  Assembler<double> assembler(linkage.model, linkage.constraints);
  Status status = assembler.assemble(linkage.q);  // onto the loop, to 2e-13 m
  linkage.v[0] = 5;                               // the crank turns, the others follow
  if (status.ok()) status = assembler.project_velocity(linkage.q, linkage.v);
  Integrator integrator(linkage.model, linkage.constraints, {.dt = 1e-3});
  for (int k = 0; k < 1000 && status.ok(); ++k) status = integrator.step(linkage.q, linkage.v, linkage.tau);
  // end closed-loops
  if (status.ok()) status = assembler.assemble(linkage.q);
  std::printf("closed loops: open by %.0e m after 1 s\n", assembler.report().before.linear);
  return status.ok() && assembler.report().before.linear < 1e-12;
}

bool real_time_control(const Scene& go2) {
  const Model& model = go2.model;
  const std::vector<std::string> feet{"FL_foot", "FR_foot", "RL_foot", "RR_foot"};
  const std::vector<double>&q = go2.q, &v = go2.v;
  std::vector<double> tau(model.nv());
  Kinematics<double> kin(model);
  update_kinematics(model, q, kin);
  PoseTarget target{frame_pose(model, kin, model.find_frame("base"))};
  target.pose.p[2] -= 0.01;
  // begin real-time
  const TaskLevel level{"base", {make_pose_task("base", attach(model, "base"), target.pose)}};
  OperationalController<double> controller(model, {{level}}, make_pins_to_world(model, q, feet));
  const int base = controller.find_task("base");
  // In the loop: nothing allocates, nothing throws, every call returns a status.
  ControlStatus status = controller.set_target(base, target);
  if (status.ok()) status = controller.compute(q, v, tau);
  // end real-time
  double most = 0;
  for (const double x : tau) most = std::max(most, std::abs(x));
  std::printf("real-time control: %.1f Nm at most\n", most);
  return status.ok() && most > 0 && most < 40;  // of the size of what holds 15 kg on four bent legs
}

}  // namespace

int main() {
  const Scene go2 = load_named("go2-standing");  // four contacts, three rows each
  const bool good = one_product(go2) && many_products(go2) && contact_forces(go2) && redundant_feet() &&
                    closed_loops() && real_time_control(go2);
  return good ? 0 : 1;
}
