// An arm is led along a straight line that leaves its reach and comes back. Stretched, it cannot move along the line: the controller
// says so for as long, its torques stay bounded, and the other directions are still tracked.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "delassus/delassus.hpp"

namespace {

using namespace delassus;

constexpr double kStep = 2e-3, kEnd = 4;  // s
constexpr double kOutside = 0.1;          // m, how far the line ends beyond the reach of 1 m

/// Yaw and pitch at the shoulder, then an elbow and a wrist.
Model make_arm() {
  ModelBuilder builder("arm");
  const Vec3<double> y{{0, 1, 0}}, z{{0, 0, 1}}, middle{{0.2, 0, 0}};
  const Inertial bar = box_inertial(3, {{0.2, 0.03, 0.03}}, middle);
  const int shoulder = builder.add_body("shoulder", kWorld, revolute("yaw", z), box_inertial(2, {{0.1, 0.1, 0.1}}));
  const int upper = builder.add_body("upper", shoulder, revolute("pitch", y), bar);
  const int lower = builder.add_body("lower", upper, revolute("elbow", y, translation(0.4, 0, 0)), bar);
  const int hand = builder.add_body("hand", lower, revolute("wrist", y, translation(0.4, 0, 0)),
                                    box_inertial(1, {{0.1, 0.03, 0.03}}, {{0.1, 0, 0}}));
  builder.add_frame("tip", hand, translation(0.2, 0, 0));
  return builder.make_model();
}

double length(const Vec3<double>& x) { return std::sqrt(dot(x, x)); }

/// From a point away from the shoulder and back.
PointTarget target_at(double t, const Vec3<double>& from) {
  const double rate = 2 * std::acos(-1.0) / kEnd, half = (1 + kOutside - length(from)) / 2;
  const Vec3<double> line = (1 / length(from)) * from;
  return {from + half * (1 - std::cos(rate * t)) * line, half * rate * std::sin(rate * t) * line,
          half * rate * rate * std::cos(rate * t) * line};
}

struct Outcome {
  bool ok = true, singular = false;                 // at the last step
  double weak = 0;                                  // s, how long the task was singular
  double torque = 0, beside = 0, off = 0, end = 0;  // Nm, and m: beside the line, from the target, at the end
};

Outcome follow_line(const Model& arm, SingularHandling handling) {
  std::vector<double> q{0.4, -0.3, 1.5, 0.5}, v(4), tau(4);
  Kinematics<double> kin(arm);
  update_kinematics(arm, q, kin);
  const int tip = arm.find_frame("tip");
  const Vec3<double> from = frame_pose(arm, kin, tip).p;

  TaskLevel level{"tip", {make_position_task("tip", attach(arm, "tip"), from)}};
  level.singular = {.handling = handling, .threshold = 0.02};
  OperationalController<double> controller(arm, {{level}});
  Integrator plant(arm, {}, {.kind = IntegratorKind::kSemiImplicitEuler, .dt = kStep});
  Outcome out{.ok = controller.set_posture(q).ok()};
  for (int k = 0; k * kStep < kEnd && out.ok; ++k) {
    ControlStatus status = controller.set_target(0, target_at(k * kStep, from));
    if (status.ok()) status = controller.compute(q, v, tau);
    out.singular = status.code == Status::Code::kSingularTask;
    out.ok = (status.ok() || out.singular) && plant.step(q, v, tau).ok();
    if (k == 0) out.ok = out.ok && !out.singular;
    update_kinematics(arm, q, kin);
    const Vec3<double> error = frame_pose(arm, kin, tip).p - target_at((k + 1) * kStep, from).position;
    out.weak += out.singular ? kStep : 0;
    out.beside = std::max(out.beside, length(cross(from, error)) / length(from));
    out.off = std::max(out.off, length(error));
    out.end = length(error);
    for (const double x : tau) out.torque = std::max(out.torque, std::abs(x));
  }
  return out;
}

}  // namespace

int main() {
  struct Row {
    const char* name;
    SingularHandling handling;
    double beside;  // m, at most
  };
  const Model arm = make_arm();
  bool good = true;
  std::printf("           singular    torque   off the target   beside the line     at the end\n");
  for (const Row& row : {Row{"clamp", SingularHandling::kClamp, 0.01}, Row{"damp", SingularHandling::kDamp, 0.01},
                         Row{"truncate", SingularHandling::kTruncate, 0.03}}) {
    const Outcome o = follow_line(arm, row.handling);
    std::printf("%-8s   %6.2f s %6.1f Nm %13.1f mm %14.1f mm %11.1f mm\n", row.name, o.weak, o.torque, 1e3 * o.off,
                1e3 * o.beside, 1e3 * o.end);
    // Singular for a while and regular again; torques of the size of the arm's weight; back on the target.
    good = good && o.ok && o.weak > 0.5 && o.weak < 2 && !o.singular && o.torque < 80 && o.off >= kOutside &&
           o.beside < row.beside && o.end < 1e-3;
  }
  return good ? 0 : 1;
}
