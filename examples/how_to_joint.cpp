// A joint that the library does not have, made of those it has (docs/how-to/new-joint.md): two cylinders that roll on
// each other without slipping, as the knees of some robots do.
#include <array>
#include <cmath>
#include <cstdio>

#include "delassus/kinematics/frames.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/solvers/assembly.hpp"

namespace {

using namespace delassus;

// begin joint
/// A body that rolls below its parent: an arm turns about the parent's axis and carries the body's own. Both joints
/// belong to the body, so that there is no link with mass between them.
int add_rolling_body(ModelBuilder& builder, const std::string& name, int parent, double distance,
                     const Inertial& mass) {
  const Vec3<double> y{{0, 1, 0}};
  return builder.add_body(
      name, parent, {revolute(name + "_roll", y), revolute(name + "_turn", y, translation(0, 0, -distance))}, mass);
}

/// What makes it roll: the arcs that pass the contact are alike, radius · roll = own_radius · turn.
Constraint make_rolling(const Model& model, const std::string& name, double radius, double own_radius) {
  return JointCoupling{
      .name = name,
      .terms = {{model.find_joint(name + "_roll"), 0, radius}, {model.find_joint(name + "_turn"), 0, -own_radius}}};
}
// end joint

}  // namespace

int main() {
  constexpr double kRadius = 0.03, kOwnRadius = 0.02;  // m
  ModelBuilder builder("rolling knee");
  const Inertial shank = box_inertial(2, {{0.02, 0.02, 0.15}}, {{0, 0, -0.15}});
  add_rolling_body(builder, "shank", kWorld, kRadius + kOwnRadius, shank);
  const Model model = builder.make_model();
  const std::array<Constraint, 1> knee{make_rolling(model, "shank", kRadius, kOwnRadius)};

  // Any posture and velocity; assembly makes them agree with the coupling.
  std::vector<double> q{0.5, 0.1}, v{1, 0};
  Assembler<double> assembler(model, knee);
  if (!assembler.assemble(q).ok() || !assembler.project_velocity(q, v).ok()) return 1;
  std::printf("roll %.4f rad, turn %.4f rad; rates %.4f and %.4f rad/s\n", q[0], q[1], v[0], v[1]);

  // Rolling means that the point of the shank which touches does not move.
  Kinematics<double> kin(model);
  Velocities<double> vel(model);
  update_kinematics(model, q, kin);
  update_velocities(model, kin, v, vel);
  const int frame = model.find_frame("shank");
  const Motion<double> motion = frame_velocity(model, kin, vel, frame);
  const Vec3<double> centre = frame_pose(model, kin, frame).p;
  const Vec3<double> to_contact = (-kOwnRadius / (kRadius + kOwnRadius)) * centre;
  const Vec3<double> slip = motion.linear + cross(motion.angular, to_contact);
  const double slipping = std::sqrt(dot(slip, slip)), moving = std::sqrt(dot(motion.linear, motion.linear));
  std::printf("the axis moves at %.4f m/s, the point of contact at %.0e m/s\n", moving, slipping);
  return moving > 1e-3 && slipping < 1e-14 ? 0 : 1;  // rounding of a few products
}
