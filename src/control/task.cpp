#include "delassus/control/task.hpp"

#include <cmath>
#include <utility>

#include "math/finite.hpp"

namespace delassus {
namespace {

constexpr std::uint8_t kAllAxes = 7;

LoopClosure at_world(std::string name, const Attachment& frame, const Pose<double>& target) {
  return {std::move(name), frame, {0, target}, 0, 0, LoopAxes::kWorldAxes, {}};
}

}  // namespace

bool is_pose(const Pose<double>& pose) {
  constexpr double kTolerance = 1e-6;
  return std::isfinite(pose.p[0] + pose.p[1] + pose.p[2]) && is_rotation(pose.R, kTolerance);
}

void require_gains(const std::string& what, const TaskGains& gains) {
  for (const double x : {gains.stiffness, gains.damping}) {
    if (!(x >= 0) || !std::isfinite(x)) throw Error("the gains of " + what + " have to be numbers of zero or more");
  }
}

Status require_target(const PoseTarget& target) noexcept {
  if (!is_pose(target.pose)) return {Status::Code::kBadArgument, 1};
  for (const Motion<double>* motion : {&target.velocity, &target.acceleration}) {
    for (const Vec3<double>* part : {&motion->angular, &motion->linear}) {
      if (const Status s = require_finite<double>(VectorView<const double>(part->a, 3)); !s.ok()) return s;
    }
  }
  return {};
}

Constraint make_pose_task(std::string name, const Attachment& frame, const Pose<double>& target) {
  return at_world(std::move(name), frame, target);
}

Constraint make_position_task(std::string name, const Attachment& frame, const Vec3<double>& target) {
  LoopClosure out = at_world(std::move(name), frame, {Mat3<double>::identity(), target});
  out.free_angular = kAllAxes;
  return out;
}

Constraint make_orientation_task(std::string name, const Attachment& frame, const Mat3<double>& target) {
  LoopClosure out = at_world(std::move(name), frame, {target, Vec3<double>::zero()});
  out.free_linear = kAllAxes;
  return out;
}

Constraint make_centre_of_mass_task(std::string name, const Vec3<double>& target) {
  return CentreOfMass{std::move(name), target, {}};
}

Constraint make_joint_task(std::string name, const Model& model, std::string_view joint, double target) {
  for (int i = 0; i < model.num_links(); ++i) {
    if (model.joint_name(i) != joint) continue;
    if (model.link(i).nv != 1) throw Error("joint '" + std::string(joint) + "' has several degrees of freedom");
    JointPolynomial out{std::move(name), i, 0, -1, 0, {target, 0, 0, 0, 0}, {}};
    return out;
  }
  throw Error("model '" + model.name() + "' has no joint '" + std::string(joint) + "'");
}

}  // namespace delassus
