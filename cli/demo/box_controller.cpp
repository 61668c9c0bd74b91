#include "cli/demo/box_controller.hpp"

#include <algorithm>

#include "delassus/constraints/describe.hpp"

namespace delassus::cli {
namespace {

constexpr TaskGains kObjectGains{1600, 80};  // critically damped, 6 Hz
/// The palms press with this force, so that friction of about 0.5 could hold the box.
constexpr double kSqueeze = 60;  // newtons
/// The posture's stiffness is one of joints and not of inertias: else the arms, which are light, would stretch to spare the trunk,
/// into the singularity of the elbows. Damping in the metric of the inertia is the same for all joints, light or heavy.
constexpr double kSpring = 50;  // newton metres per radian
constexpr TaskGains kPostureGains{0, 10};

HeldObject held_box(const BoxSetup& setup, double mass_error) {
  return {with_mass_factor(setup.box, 1 - mass_error), {setup.palms.begin(), setup.palms.end()}};
}

GraspOptions grasp_options() {
  GraspOptions out;
  out.object = kObjectGains;
  out.squeeze = kSqueeze;
  out.controller.posture = kPostureGains;
  return out;
}

}  // namespace

std::vector<Attachment> palms_of(const Model& robot) {
  std::vector<Attachment> out;
  out.reserve(kHands);
  for (const std::string_view palm : kPalms) out.push_back(attach(robot, palm));
  return out;
}

BoxController::BoxController(const BoxSetup& setup, double mass_error)
    : model_(with_mass_error(setup.robot, mass_error)),
      path_(setup.start, setup.end, 0, setup.moving),
      grasp_(model_, palms_of(model_), held_box(setup, mass_error), grasp_options()),
      posture_(setup.posture),
      spring_(static_cast<std::size_t>(model_.nv())) {}

std::string BoxController::describe(const ControlStatus& status) const {
  return delassus::describe(status, model_, grasp_.controller().space().tasks().constraints());
}

ControlStatus BoxController::compute(double t, In<double> q, In<double> v, Out<double> tau) {
  target_ = path_.at(t);
  Status status = grasp_.set_target(target_);
  // All joints are hinges: q and v have the same entries.
  for (int k = 0; k < q.size(); ++k) spring_[k] = kSpring * (posture_[k] - q[k]);
  if (status.ok()) status = grasp_.controller().set_posture_force(spring_);
  return status.ok() ? grasp_.compute(q, v, tau) : ControlStatus(status);
}

Status BoxController::posture_force(Out<double> tau) const {
  std::copy_n(spring_.data(), spring_.size(), tau.data());
  return grasp_.controller().space().project_force(0, tau);
}

}  // namespace delassus::cli
