// Rigid bodies, joints, motors and contacts in time steps (docs/simulation.md).
//
// A step of length h finds the velocities at its end and moves with them:
//
//   M̂ (v⁺ - v) = h (τ - bias - D v - K (q + h v - q_ref) + gains) + Jᵀλ,      M̂ = M + h (D + kd) + h² (K + kp)
//   q⁺ = q ⊕ h v⁺
//
// Damping D, springs K and gains of motors act as they will be at the end of the step, so that stiff ones stay stable (Euler's implicit
// rule); M̂ is the inertia of the same mechanism with other armatures. The impulses λ solve one contact problem at velocity level
// (solvers/contact_problem.hpp) over loops, couplings, dry friction and limits of joints, motors at their limit of force, and contacts
// (Stewart, Trinkle, "An implicit time-stepping scheme for rigid body dynamics with inelastic collisions and Coulomb friction", 1996).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/simulation/simulation_options.hpp"
#include "delassus/simulation/step_report.hpp"

namespace delassus {

/// All that the future of a simulation depends on. Plain values, for files and copies.
struct SimulationState {
  /// Impulse at a contact point in the last step, world axes.
  struct Impulse {
    std::uint64_t key = 0;
    Vec3<double> force{}, moment{};
    bool operator==(const Impulse&) const = default;
  };

  std::vector<double> q, v;
  double start_time = 0;
  std::int64_t steps = 0;          // since start_time
  std::int64_t inexact_steps = 0;  // among them
  std::vector<double> control, target_velocity, forces;
  // Where the next solve begins.
  std::vector<Impulse> contacts;  // sorted by key
  std::vector<double> joints;     // of scene constraints, joint friction and motors, row by row
  std::vector<double> limits;     // of each joint limit
  double penalty = 0;             // of ADMM
  bool checked = false;           // that nothing overlapped at the start
  bool operator==(const SimulationState&) const = default;
};

/// The contact problem of a step and what was made of it, for those who keep or study problems. Views, which end with the call that they are given to.
struct SolvedProblem {
  OperatorRef<double> op;  // Λ⁻¹; its const verbs may be called
  const ContactProblem& problem;
  VectorView<const double> start, lambda;  // impulses that the solve began with, and those that it found
  const ContactCertificate& certificate;
};

/// Numbers in which simulations of one mechanism may differ. What is empty, or negative, is as the model and the actuators say.
struct SimulationValues {
  std::span<const RigidInertia<double>> inertias;  // of links, in internal axes about their origins
  std::span<const double> kp, kd, effort_limit;    // one for each actuator
  const double* gravity = nullptr;                 // three numbers
  double friction = -1;                            // the coefficient of all sliding contacts
};

/// Deterministic: the same state and controls give the same bits.
class Simulator {
 public:
  /// Keeps copies of all it is given. Of the constraints, contacts are left out: those come from shapes. Limits and dry friction of
  /// joints come from the model, but where the constraints have their own. Begins in the neutral configuration, at rest. Throws an
  /// Error that names the option, the actuator or the constraint which makes no sense.
  explicit Simulator(const Model& model, std::span<const Constraint> constraints = {},
                     const SimulationOptions& options = {}, std::vector<Actuator> actuators = {});
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;
  ~Simulator();

  const Model& model() const;
  const SimulationOptions& options() const;
  const CollisionWorld& collision() const;

  /// Takes other numbers, as if it had been made with them; the state stays. Allocates the first time.
  void set_values(const SimulationValues& values);

  /// Other motors; their controls are zero, but that position actuators hold where they are.
  void set_actuators(std::vector<Actuator> actuators);
  const std::vector<Actuator>& actuators() const;

  /// Begins anew from here. Quaternions are normalised. Throws an Error, and keeps what was, if a number is not finite or if bodies overlap
  /// by more than options().start_penetration.
  void set_state(VectorView<const double> q, VectorView<const double> v, double time = 0);
  const std::vector<double>& q() const;
  const std::vector<double>& v() const;
  double time() const;
  std::int64_t steps() const;
  /// Steps that used a solve which had not converged; see SimulationOptions::acceptable.
  std::int64_t inexact_steps() const;

  /// What acts during the next steps, to be written to: one control per actuator; for position actuators the velocity they are to have
  /// (zero, unless written); and one force per degree of freedom, beside the actuators' (zero, unless written).
  std::span<double> control();
  std::span<double> target_velocity();
  std::span<double> forces();

  /// One step. Unless the status is ok, the state stays as it was. Allocates nothing with Algorithm::kCondensed, but where an
  /// interior-point solve fills more numbers than 512 rows have that are all coupled, and more than any before it: piles of some thousand contacts.
  StepStatus step();
  /// `count` of them, or as many as go well.
  StepStatus advance(int count);

  /// A status of this simulator's last step in words: the step, its time, the bodies or joints, and what to do.
  std::string describe(const StepStatus& status) const;
  const StepReport& report() const;
  /// Of the last step: those that could be reached in it. Others within the margin, whose bodies stay apart, are in collision() alone.
  std::span<const ContactState> contacts() const;
  /// Of the last step, in the order of their rows: those of the scene, dry friction of joints, motors as strong as their limit, joint limits within
  /// reach, contacts() in their order. The last two kinds have no names.
  std::span<const Constraint> constraints() const;
  /// `observer` is called in each step that has rows, after its solve, which may have failed; again if the step is solved anew without contacts that no impulse
  /// serves. It must not throw, nor use this simulator. Motions are the same with and without; an empty function ends it, and then steps cost nothing more.
  void observe_solves(std::function<void(const SolvedProblem&)> observer);
  /// Force of each actuator in the last step.
  std::span<const double> efforts() const;
  /// In joules; the potential is zero where the centre of mass is at the height of the world's origin, springs at rest.
  double kinetic_energy();
  double potential_energy();

  /// Bit for bit: what is restored goes on as it would have. Throws an Error if the state is that of another simulation.
  SimulationState save() const;
  void save(SimulationState& out) const;
  void restore(const SimulationState& state);

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace delassus
