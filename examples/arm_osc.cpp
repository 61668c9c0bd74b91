// Operational-space control of an arm with seven joints. The hand, six rows, goes straight to a place and stays
// there; the seventh degree of freedom is the posture's, which swings the elbow without the hand feeling it.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "delassus/constraints/describe.hpp"
#include "delassus/control/operational_controller.hpp"
#include "delassus/control/task.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/scenes/load_named.hpp"
#include "delassus/simulation/integrator.hpp"

namespace {

using namespace delassus;

constexpr double kStep = 1e-3, kReach = 1, kEnd = 3;  // s
const double kPi = std::acos(-1.0);

double length(const Vec3<double>& x) { return std::sqrt(dot(x, x)); }

}  // namespace

int main() {
  const Scene panda = load_named("panda");
  const Model& arm = panda.model;
  std::vector<double> q = arm.description().keyframes[0].q, v(arm.nv()), tau(arm.nv()), posture = q;
  Kinematics<double> kin(arm);
  update_kinematics(arm, q, kin);
  const int hand = arm.find_frame("hand"), elbow = arm.find_frame("link4");
  const Pose<double> start = frame_pose(arm, kin, hand);
  const CubicPath path(start, {start.R, start.p + Vec3<double>{{0.1, 0.2, -0.2}}}, 0, kReach);

  const TaskLevel level{
      "hand", {make_pose_task("hand", attach(arm, "hand"), start)}, {.stiffness = 400, .damping = 40}};
  // The file's own constraint, that both fingers move alike, is held: tasks move within what it leaves.
  OperationalController<double> controller(arm, {{level}}, panda.constraints);
  Integrator plant(arm, panda.constraints, {.kind = IntegratorKind::kSemiImplicitEuler, .dt = kStep});
  const int task = controller.find_task("hand");
  double off = 0, swing = 0;
  Vec3<double> reached{};
  ControlStatus status;
  for (int k = 0; k * kStep < kEnd && status.ok(); ++k) {
    const double t = k * kStep;
    if (t >= kReach)
      posture[0] = 1.5 * std::sin(kPi * (t - kReach));  // the arm would turn its shoulder if the hand let it
    status = controller.set_posture(posture);
    if (status.ok()) status = controller.set_target(task, path.at(t));
    if (status.ok()) status = controller.compute(q, v, tau);
    if (status.ok()) status = plant.step(q, v, tau);
    update_kinematics(arm, q, kin);
    off = std::max(off, length(frame_pose(arm, kin, hand).p - path.at(t + kStep).pose.p));
    if (t < kReach) reached = frame_pose(arm, kin, elbow).p;
    swing = std::max(swing, t < kReach ? 0 : length(frame_pose(arm, kin, elbow).p - reached));
  }
  std::printf("status: %s\n", describe(status, arm, controller.space().tasks().constraints()).c_str());
  std::printf("the hand follows its path within %.2f mm, while the elbow swings by %.0f mm\n", 1e3 * off, 1e3 * swing);

  // What makes that work, at the end: Λ, the inertia that the hand shows, and N, which leaves of a posture's force
  // what the hand does not feel.
  if (!status.ok() || !controller.update(q, v).ok()) return 1;
  const OperationalSpace<double>& space = controller.space();
  std::vector<double> inertia(36), force(arm.nv()), acceleration(arm.nv()), J(6 * arm.nv());
  force[0] = 1;  // Nm, at joint1
  status = space.inertia(0, MatrixView<double>(inertia.data(), 6, 6));
  if (status.ok()) status = space.jacobian(0, MatrixView<double>(J.data(), 6, arm.nv()));
  if (status.ok()) status = space.project_force(0, force);
  if (status.ok()) status = space.apply_inverse_mass(force, acceleration);
  double felt = 0;
  for (int r = 0; r < 6; ++r) {
    double row = 0;
    for (int i = 0; i < arm.nv(); ++i) row += J[r * arm.nv() + i] * acceleration[i];
    felt = std::max(felt, std::abs(row));
  }
  std::printf("the arm of %.1f kg weighs %.2f, %.2f and %.2f kg at the hand, along x, y and z\n", arm.mass(),
              inertia[0], inertia[7], inertia[14]);
  std::printf("a newton metre at joint1 in the null space accelerates the hand by %.0e m/s²\n", felt);
  return status.ok() && off < 2e-4 && swing > 0.05 && felt < 1e-9 ? 0 : 1;
}
