#include "cli/demo/box_setup.hpp"

#include <algorithm>
#include <cmath>

#include "delassus/io/load.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/model/builder.hpp"

namespace delassus::cli {
namespace {

constexpr double kBoxMass = 5;                           // kilograms
constexpr Vec3<double> kHalfExtents{{0.15, 0.2, 0.15}};  // the palms are 0.41 m apart; the rest is their skin
/// The middle of the box from the middle between the palms: they hold it above its centre of mass, so that it hangs.
constexpr Vec3<double> kBelowPalms{{0.03, 0, -0.05}};
constexpr double kForward = 0.05;  // metres

std::vector<double> holding_posture(const Model& robot) {
  for (const Keyframe& key : robot.description().keyframes) {
    if (key.name == "holding") return key.q;
  }
  throw Error("robot 'porter' has no keyframe 'holding'");
}

}  // namespace

BoxSetup make_box_setup(double moving_seconds) {
  const Scene scene = load_embedded_robot("porter");
  const Model& robot = scene.model;
  BoxSetup out;
  out.robot = robot.description();
  out.posture = holding_posture(robot);
  out.half_extents = kHalfExtents;
  out.box = box_inertial(kBoxMass, kHalfExtents);
  out.moving = moving_seconds;
  Kinematics<double> kin(robot);
  update_kinematics<double>(robot, out.posture, kin);
  std::array<Pose<double>, kHands> palms;
  for (int k = 0; k < kHands; ++k) palms[k] = frame_pose(robot, kin, robot.find_frame(kPalms[k]));
  out.start = out.end = {Mat3<double>::identity(), 0.5 * (palms[0].p + palms[1].p) + kBelowPalms};
  out.end.p[0] += kForward;
  out.end.p[2] = kHalfExtents[2];
  for (int k = 0; k < kHands; ++k) out.palms[k] = inverse(out.start) * palms[k];
  return out;
}

Inertial with_mass_factor(Inertial inertial, double factor) {
  inertial.mass *= factor;
  for (double& entry : inertial.inertia.a) entry *= factor;
  return inertial;
}

ModelDescription with_mass_error(ModelDescription description, double error) {
  for (BodyDescription& body : description.bodies) {
    body.inertial = with_mass_factor(body.inertial, body.name.starts_with("right_") ? 1 + error : 1 - error);
  }
  return description;
}

double height_above_floor(const Vec3<double>& half_extents, const Pose<double>& box) {
  double below = 0;
  for (int k = 0; k < 3; ++k) below += std::abs(box.R(2, k)) * half_extents[k];
  return box.p[2] - below;
}

}  // namespace delassus::cli
