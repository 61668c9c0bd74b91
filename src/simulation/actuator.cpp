#include "delassus/simulation/simulation_options.hpp"

#include <cmath>

#include "delassus/math/error.hpp"
#include "simulation/joint_laws.hpp"

namespace delassus {
namespace {

bool is_gain(double x) { return x >= 0 && std::isfinite(x); }

/// "actuator 3 on joint 'knee'"
[[noreturn]] void fail(std::size_t k, const Actuator& a, const std::string& what) {
  throw Error("actuator " + std::to_string(k) + " on joint '" + a.joint + "' " + what);
}

void check_gains(std::size_t k, const Actuator& a) {
  if (!is_gain(a.kp)) fail(k, a, "has a gain kp that is negative or not finite");
  if (!is_gain(a.kd)) fail(k, a, "has a gain kd that is negative or not finite");
  if (!(a.effort_limit >= 0)) fail(k, a, "has an effort limit that is negative or not a number");
  if (a.kind == ActuatorKind::kPosition && a.kp == 0) fail(k, a, "controls a position and needs a gain kp above zero");
  if (a.kind == ActuatorKind::kVelocity && a.kd == 0) fail(k, a, "controls a velocity and needs a gain kd above zero");
  if (a.kind == ActuatorKind::kVelocity && a.kp != 0) fail(k, a, "controls a velocity and has no use for a gain kp");
}

std::vector<Actuator> make_actuators(const Model& model, const Actuator& like, bool needs_rates) {
  std::vector<Actuator> out;
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    if (link.kind == JointKind::kFree || (needs_rates && !has_rates(link.kind))) continue;
    for (int k = 0; k < link.nv; ++k) {
      Actuator a = like;
      a.joint = model.joint_name(i);
      a.dof = k;
      a.effort_limit = model.dofs()[static_cast<std::size_t>(link.v + k)].effort_limit;
      out.push_back(std::move(a));
    }
  }
  return out;
}

}  // namespace

std::string_view name_of(ActuatorKind kind) {
  switch (kind) {
    case ActuatorKind::kMotor:
      return "motor";
    case ActuatorKind::kPosition:
      return "position";
    case ActuatorKind::kVelocity:
      return "velocity";
  }
  return "";
}

std::vector<Actuator> make_motors(const Model& model) { return make_actuators(model, {}, false); }

std::vector<Actuator> make_position_actuators(const Model& model, double kp, double kd) {
  Actuator like;
  like.kind = ActuatorKind::kPosition;
  like.kp = kp;
  like.kd = kd;
  return make_actuators(model, like, true);
}

void require_valid(const Model& model, const std::vector<Actuator>& actuators) {
  std::vector<bool> taken(static_cast<std::size_t>(model.nv()), false);
  for (std::size_t k = 0; k < actuators.size(); ++k) {
    const Actuator& a = actuators[k];
    const Link& link = model.link(model.find_joint(a.joint));
    if (a.dof < 0 || a.dof >= link.nv) {
      fail(k, a,
           "acts on degree of freedom " + std::to_string(a.dof) + ", but the joint has " + std::to_string(link.nv));
    }
    if (a.kind == ActuatorKind::kPosition && !has_rates(link.kind)) {
      fail(
          k, a,
          "controls a coordinate, but a " + std::string(name_of(link.kind)) + " joint has none with a rate of its own");
    }
    check_gains(k, a);
    const auto v = static_cast<std::size_t>(link.v + a.dof);
    if (taken[v]) fail(k, a, "acts where another one acts already; join the two");
    taken[v] = true;
  }
}

}  // namespace delassus
