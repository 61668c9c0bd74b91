// How a simulation is made: motors at joints, the law of contacts, and what a step may do.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "delassus/collision/collision_world.hpp"
#include "delassus/model/model.hpp"
#include "delassus/operators/algorithm.hpp"
#include "delassus/solvers/relaxed_contact.hpp"

namespace delassus {

/// Motors at joints, by what they are told.
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

enum class ContactModel : std::uint8_t {
  kRigid,         // Coulomb's law, by ADMM and an interior-point method
  kConvex,        // the convex law, likewise
  kPgs,           // Coulomb's law, by projected Gauss-Seidel
  kRelaxed,       // everything gives way and is drawn back, as in MuJoCo; the convex law, by ADMM
  kSoftImplicit,  // springs and dampers at the contacts as they will be at the end of the step; Coulomb's law, by ADMM
  kSoft,  // springs and dampers at the contacts as they are at its start: forces without a solve, sliding friction only
};

inline constexpr std::array kContactModels = {ContactModel::kRigid,   ContactModel::kConvex,       ContactModel::kPgs,
                                              ContactModel::kRelaxed, ContactModel::kSoftImplicit, ContactModel::kSoft};

/// "rigid", "convex", "pgs", "relaxed", "soft-implicit", "soft".
std::string_view name_of(ContactModel model);

struct SimulationOptions {
  double dt = 1e-3;  // seconds
  ContactModel model = ContactModel::kRigid;
  Algorithm algorithm = Algorithm::kCondensed;
  CollisionOptions collision{};
  /// The velocity, in metres per second, by which contact forces may miss their law: 1e-8 for research, 1e-4 for learning (docs/simulation.md).
  double tolerance = 1e-6;
  /// Iterations that the solvers of a step may take in all; zero: as many as they do by themselves.
  int max_iterations = 0;
  /// Seconds from the start of a step after which its solver ends with the best forces that it has; zero: any time. Results then depend on the
  /// machine.
  double max_step_time = 0;
  SoftContact soft{};        // of the soft models
  RelaxedContact relaxed{};  // of the relaxed one

  /// Share of the approach speed with which bodies part again, where they meet faster than the threshold (metres per second): Newton's law, point by point,
  /// in rounds, so that a blow passes through bodies that touch. Rigid models only. With friction it may gain energy where a body meets another with several points or aside of its centre.
  double restitution = 0;
  double restitution_threshold = 0.05;
  /// Penetrations, exceeded limits and open loops shrink by 1 - 1/e in this time, in seconds, and never faster than with the speed (metres or radians per
  /// second). What is taken back is velocity, which stays: bodies that overlap by p hop by (p / time)² / 2g.
  double recovery_time = 0.02;
  double recovery_speed = 1;

  bool joint_limits = true;    // of the model
  bool joint_friction = true;  // of the model

  /// Deepest penetration, in metres, that a simulation may start with.
  double start_penetration = 1e-2;
  /// How far loops may be open, and joints beyond their limits, when a simulation starts: metres or radians. See SimulationSetup::assemble.
  double start_violation = 1e-2;
  /// Fastest joint velocity that is believed; beyond, a step has failed.
  double fastest = 1e5;
  /// A solve that ran out of iterations or time is used, counted and reported if its residual (ContactResiduals::worst) is at most this
  /// many metres per second; else the step has failed.
  double acceptable = 1e-3;

  /// Energy that a step may gain out of nothing, by the solve or by the integrator, each for itself (StepEnergy): so many joules for each kilogram that moves,
  /// and this share of the energy in play: kinetic before the step, change of potential, work of motors and forces. Beyond, the step has failed. As many as give everything 1 m/s, which is what recovery may do.
  double gain_per_mass = 0.5;
  double gain_share = 0.5;
};

/// Throws an Error that names the option which makes no sense.
void require_valid(const SimulationOptions& options);

}  // namespace delassus
