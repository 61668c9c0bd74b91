#include "simulation/joint_laws.hpp"

#include <algorithm>
#include <cmath>

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/error.hpp"

namespace delassus {
namespace {

Drive make_drive(const Model& model, const Actuator& a, LimitedMotors limited) {
  const int i = model.find_joint(a.joint);
  const Link& link = model.link(i);
  Drive out{a.kind, i, a.dof, link.q + a.dof, link.v + a.dof, a.kp, a.kd, a.effort_limit};
  out.row = limited == LimitedMotors::kRows && out.has_limited_gains();
  return out;
}

}  // namespace

JointLaws::JointLaws(const Model& model, const std::vector<Actuator>& actuators, double dt, LimitedMotors limited)
    : model_(model), dt_(dt), rest_(model.neutral()), stretch_(static_cast<std::size_t>(model.nv())) {
  for (const Actuator& a : actuators) drives_.push_back(make_drive(model, a, limited));
  for (const Link& link : model.links()) {
    for (int k = 0; k < link.nv; ++k) {
      const DofProperties& dof = model.dofs()[static_cast<std::size_t>(link.v + k)];
      if (dof.stiffness > 0) springs_ = true;
      if (has_rates(link.kind)) rest_[static_cast<std::size_t>(link.q + k)] = dof.spring_reference;
    }
  }
}

void JointLaws::find_armature(std::span<double> out) const {
  for (std::size_t k = 0; k < out.size(); ++k) {
    const DofProperties& dof = model_.dofs()[k];
    out[k] = dof.armature + dt_ * (dof.damping + dt_ * dof.stiffness);
  }
  for (const Drive& d : drives_) {
    if (!d.row) out[static_cast<std::size_t>(d.v)] += dt_ * (d.kd + dt_ * d.kp);
  }
}

void JointLaws::set_gains(std::size_t k, double kp, double kd, double limit) {
  drives_[k].kp = kp;
  drives_[k].kd = kd;
  drives_[k].limit = limit;
}

Model JointLaws::make_effective_model() const {
  std::vector<double> armature(static_cast<std::size_t>(model_.nv()));
  find_armature(armature);
  ModelDescription description = model_.description();
  for (BodyDescription& body : description.bodies) {
    for (JointDescription& joint : body.joints) {
      const Link& link = model_.link(model_.find_joint(joint.name));
      for (int k = 0; k < link.nv; ++k) {
        const double shown = armature[static_cast<std::size_t>(link.v + k)];
        if (!std::isfinite(shown)) {
          throw Error("joint '" + joint.name +
                      "': its damping, stiffness and gains over one time step are no finite inertia; use smaller ones");
        }
        joint.dofs[static_cast<std::size_t>(k)].armature = shown;
      }
    }
  }
  return Model(std::move(description));
}

void JointLaws::known_forces(const JointInputs& in, std::span<const double> q, std::span<const double> v,
                             std::span<double> tau) {
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] = in.forces[k] - model_.dofs()[k].damping * v[k];
  if (springs_) {
    difference(model_, rest_, q, stretch_);
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] -= model_.dofs()[k].stiffness * (stretch_[k] + dt_ * v[k]);
  }
  for (std::size_t k = 0; k < drives_.size(); ++k) {
    const Drive& d = drives_[k];
    const auto at = static_cast<std::size_t>(d.v);
    if (!d.row) tau[at] += effort(k, in, q[static_cast<std::size_t>(d.q)], v[at]);
  }
}

double JointLaws::effort(std::size_t k, const JointInputs& in, double q, double v) const {
  const Drive& d = drives_[k];
  switch (d.kind) {
    case ActuatorKind::kMotor:
      return std::clamp(in.control[k], -d.limit, d.limit);
    case ActuatorKind::kPosition:
      return d.kp * (in.control[k] - q - dt_ * v) + d.kd * (in.target_velocity[k] - v);
    case ActuatorKind::kVelocity:
      return d.kd * (in.control[k] - v);
  }
  return 0;
}

bool JointLaws::exceed_limits(const JointInputs& in, std::span<const double> q, std::span<const double> v) const {
  for (std::size_t k = 0; k < drives_.size(); ++k) {
    const Drive& d = drives_[k];
    if (d.row || !d.has_limited_gains()) continue;
    const double force = effort(k, in, q[static_cast<std::size_t>(d.q)], v[static_cast<std::size_t>(d.v)]);
    if (!(std::abs(force) <= d.limit)) return true;
  }
  return false;
}

double JointLaws::compliance(std::size_t k) const {
  const Drive& d = drives_[k];
  return 1 / (dt_ * (d.kd + dt_ * d.kp));
}

double JointLaws::bias(std::size_t k, const JointInputs& in, std::span<const double> q) const {
  const Drive& d = drives_[k];
  const double gain = d.kd + dt_ * d.kp;
  if (d.kind == ActuatorKind::kVelocity) return -in.control[k];
  return -(d.kp * (in.control[k] - q[static_cast<std::size_t>(d.q)]) + d.kd * in.target_velocity[k]) / gain;
}

double JointLaws::spring_energy(std::span<const double> q) {
  if (!springs_) return 0;
  difference(model_, rest_, q, stretch_);
  double twice = 0;
  for (std::size_t k = 0; k < stretch_.size(); ++k) twice += model_.dofs()[k].stiffness * stretch_[k] * stretch_[k];
  return twice / 2;
}

}  // namespace delassus
