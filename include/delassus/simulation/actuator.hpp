// Motors at joints.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "delassus/model/model.hpp"

namespace delassus {

enum class ActuatorKind : std::uint8_t {
  kMotor,     // control: force or torque
  kPosition,  // control: coordinate; force kp (control - q) + kd (target velocity - v)
  kVelocity,  // control: velocity; force kd (control - v)
};

/// "motor", "position", "velocity".
std::string_view name_of(ActuatorKind kind);

struct Actuator {
  std::string joint;
  int dof = 0;  // within the joint
  ActuatorKind kind = ActuatorKind::kMotor;
  double kp = 0;
  double kd = 0;
  double effort_limit = std::numeric_limits<double>::infinity();
  bool operator==(const Actuator&) const = default;
};

/// A motor for each degree of freedom that is no part of a free joint, with the effort limit that the model gives.
std::vector<Actuator> make_motors(const Model& model);
/// The same with gains: position actuators, all with the same kp and kd, but for joints whose coordinates have no rates.
std::vector<Actuator> make_position_actuators(const Model& model, double kp, double kd);

/// Throws an Error that names the actuator if it does not fit the model, or if two act on the same degree of freedom.
void require_valid(const Model& model, const std::vector<Actuator>& actuators);

}  // namespace delassus
