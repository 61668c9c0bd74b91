// A quadruped sways on its four feet: its base follows a pose, the ground carries it, and the left feet press against the right ones.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "delassus/delassus.hpp"

namespace {

using namespace delassus;

constexpr double kStep = 1e-3, kPeriod = 2;  // s
constexpr double kSqueeze = 10;              // N

/// a (1 - cos ωt) and its derivatives: at rest in the beginning.
ScalarTarget swing(double amplitude, double frequency, double t) {
  const double rate = 2 * std::acos(-1.0) * frequency;
  return {amplitude * (1 - std::cos(rate * t)), amplitude * rate * std::sin(rate * t),
          amplitude * rate * rate * std::cos(rate * t)};
}

/// Down and up, rolling and pitching.
PoseTarget sway(const Pose<double>& start, double t) {
  const ScalarTarget height = swing(-0.03, 1 / kPeriod, t), roll = swing(0.08, 1 / kPeriod, t);
  const ScalarTarget pitch = swing(0.05, 2 / kPeriod, t);
  const Vec3<double> x{{1, 0, 0}}, y{{0, 1, 0}}, z{{0, 0, 1}};
  const Mat3<double> turn = rotation_of(quaternion_exp(pitch.position * y));
  const Vec3<double> axis = turn * x;  // of the roll
  PoseTarget out;
  out.pose = {turn * rotation_of(quaternion_exp(roll.position * x)) * start.R, start.p + height.position * z};
  out.velocity = {pitch.velocity * y + roll.velocity * axis, height.velocity * z};
  out.acceleration = {
      pitch.acceleration * y + roll.acceleration * axis + pitch.velocity * roll.velocity * cross(y, axis),
      height.acceleration * z};
  return out;
}

}  // namespace

int main() {
  const Scene go2 = load_named("go2-standing");
  const Model& model = go2.model;
  const std::vector<std::string> names{"FL_foot", "FR_foot", "RL_foot", "RR_foot"};
  const std::vector<Constraint> feet = make_pins_to_world(model, go2.q, names);  // three rows each, world axes
  Kinematics<double> kin(model);
  update_kinematics(model, go2.q, kin);
  const int base = model.find_frame("base");
  const Pose<double> start = frame_pose(model, kin, base);

  const TaskLevel level{"base", {make_pose_task("base", attach(model, "base"), start)}};
  OperationalController<double> controller(model, {{level}}, feet);
  const std::vector<double> wish{0, kSqueeze, 0, 0, -kSqueeze, 0, 0, kSqueeze, 0, 0, -kSqueeze, 0};
  Integrator plant(model, feet, {.kind = IntegratorKind::kSemiImplicitEuler, .dt = kStep});
  std::vector<double> q = go2.q, v(model.nv()), tau(model.nv());
  const int task = controller.find_task("base"), steps = static_cast<int>(2 * kPeriod / kStep);
  double off = 0, turned = 0, carried = 0, least = 1e9, unlike = 0, squeeze = 0;
  ControlStatus status = controller.set_held_force(wish);
  for (int k = 0; k < steps && status.ok(); ++k) {
    status = controller.set_target(task, sway(start, k * kStep));
    if (status.ok()) status = controller.compute(q, v, tau);
    if (status.ok()) status = plant.step(q, v, tau);
    const std::vector<double>& ground = plant.lambda();
    for (int r = 0; r < 12; ++r) unlike = std::max(unlike, std::abs(ground[r] - controller.held_force()[r]));
    for (int foot = 0; foot < 4; ++foot) {
      carried += ground[3 * foot + 2] / steps;
      least = std::min(least, ground[3 * foot + 2]);
    }
    squeeze = std::max(squeeze, std::abs((ground[1] - ground[4]) / 2 - kSqueeze));
    update_kinematics(model, q, kin);
    const Pose<double> pose = frame_pose(model, kin, base), wanted = sway(start, (k + 1) * kStep).pose;
    const Vec3<double> way = pose.p - wanted.p, turn = rotation_log(pose.R * transposed(wanted.R));
    off = std::max(off, std::sqrt(dot(way, way)));
    turned = std::max(turned, std::sqrt(dot(turn, turn)));
  }
  const double weight = 9.81 * model.mass();
  std::printf("status: %s\n", describe(status, model, feet).c_str());
  std::printf("base: within %.2f mm and %.2f mrad of its pose\n", 1e3 * off, 1e3 * turned);
  std::printf("ground: %.2f N on average, weight %.2f N; no foot below %.1f N\n", carried, weight, least);
  std::printf("forces as the controller expects, to %.1e N; squeeze of %.0f N to %.1e N\n", unlike, kSqueeze, squeeze);
  // Torques stay the same for a step, in which a base that accelerates by 1 m/s² gets off by some micrometres; feedback keeps that from
  // adding up. Whole periods leave no momentum, so that the ground has carried the weight.
  const bool good = status.ok() && off < 1e-4 && turned < 5e-4 && std::abs(carried - weight) < 1e-3 * weight &&
                    least > 0 && unlike < 1e-6 && squeeze < 1e-6;
  return good ? 0 : 1;
}
