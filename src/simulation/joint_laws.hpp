// What acts along single joints during a step: damping, springs, and motors with their gains. All of it is taken at the end of the
// step (Euler's implicit rule):
//
//   force = τ - D v⁺ - K (q⁺ ⊖ q_ref) + kp (q_des - q⁺) + kd (v_des - v⁺),     q⁺ = q + h v⁺,  v⁺ = v + Δ
//
// The part in Δ is inertia: armature + h (D + kd) + h² (K + kp). The rest is a force that is known before the step. A motor whose force is
// limited is a row of its own instead, with the velocity v⁺ + Rλ + b, which is zero while the motor follows its law:
//
//   R = 1 / (h kd + h² kp),     b = -(kp (q_des - q) + kd v_des) / (kd + h kp)
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "delassus/simulation/simulation_options.hpp"

namespace delassus {

/// Whether velocities of the joint are the rates of its coordinates.
inline bool has_rates(JointKind kind) { return kind != JointKind::kSpherical && kind != JointKind::kFree; }

/// What motors with gains are whose force has a limit.
enum class LimitedMotors : std::uint8_t {
  kRows,     // exact, at their limits too
  kInertia,  // as if they had none: exact, and much less to solve, while none reaches it
};

/// A motor in a step.
struct Drive {
  ActuatorKind kind = ActuatorKind::kMotor;
  int link = 0, dof = 0;
  int q = 0, v = 0;
  double kp = 0, kd = 0, limit = 0;
  bool row = false;  // rather than inertia and a force
  /// Motors without gains keep within their limit by themselves.
  bool has_limited_gains() const { return kind != ActuatorKind::kMotor && std::isfinite(limit); }
};

/// What motors are asked for. One entry of each per motor, and one force per degree of freedom.
struct JointInputs {
  std::span<const double> control, target_velocity, forces;
};

class JointLaws {
 public:
  /// Actuators have to be valid.
  JointLaws(const Model& model, const std::vector<Actuator>& actuators, double dt, LimitedMotors limited);

  /// The mechanism with the inertia that the laws add. Throws an Error that names the joint if that is not finite.
  Model make_effective_model() const;

  /// Its armatures, one per degree of freedom. Allocates nothing.
  void find_armature(std::span<double> out) const;
  /// The same mechanism with other numbers.
  void take_model(const Model& model) { model_ = model; }
  /// Gains and limit of motor k. One that is a row stays a row.
  void set_gains(std::size_t k, double kp, double kd, double limit);

  /// tau: the part of all forces that is known before the step.
  void known_forces(const JointInputs& in, std::span<const double> q, std::span<const double> v, std::span<double> tau);

  const Model& model() const { return model_; }
  double dt() const { return dt_; }
  std::span<const Drive> drives() const { return drives_; }
  /// b of motor k at q.
  double bias(std::size_t k, const JointInputs& in, std::span<const double> q) const;
  double compliance(std::size_t k) const;
  /// Force of motor k over a step that ended with v, where it began at q. Not of those that are rows.
  double effort(std::size_t k, const JointInputs& in, double q, double v) const;
  /// Whether a motor that is no row would have more force than it can, over a step from q that ended with v.
  bool exceed_limits(const JointInputs& in, std::span<const double> q, std::span<const double> v) const;

  /// ½ dᵀ K d.
  double spring_energy(std::span<const double> q);

 private:
  Model model_;
  double dt_;
  std::vector<Drive> drives_;
  bool springs_ = false;
  std::vector<double> rest_, stretch_;
};

}  // namespace delassus
