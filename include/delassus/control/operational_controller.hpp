// Joint forces for tasks in order of priority, with the posture in what they leave free (docs/algorithms/operational-space.md).
//
//   ν̇_posture   stiffness (q_d ⊖ q) - damping v + M⁻¹ τ₀
//   ẍ           of each task, from its gains and its target
//   ν̇           the motion nearest to the posture's (in the metric of the inertia) that makes ẍ, level by level: OperationalSpace
//   τ           M ν̇ + h + Jᵀ F with the forces F that tasks exert on their surroundings, made by the motors and, where joints have none, by held
//               rows (contacts under a floating base, the grasp of a body): ConstrainedInverseDynamics. Of all forces of held rows
//               that do, those nearest to a wish: internal forces.
//
// Nothing throws and nothing allocates after the constructor: every call returns a status.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "delassus/control/held_contacts.hpp"
#include "delassus/control/operational_space.hpp"
#include "delassus/solvers/constrained_inverse_dynamics.hpp"

namespace delassus {

struct ControllerOptions {
  /// Of the posture, at joints with motors; the others are damped only.
  TaskGains posture{25, 10};
  /// Of held rows, which are to stay where they are: against drift of a simulation. None by default.
  TaskGains held{0, 0};
  /// What held loops stand on, beside contacts that have a cone of their own: for the status alone, forces stay as they are.
  std::vector<Support> supports{};
};

template <FloatingPoint T>
class OperationalController {
 public:
  /// Motors at all joints but free ones unless an actuation says otherwise. Throws where
  /// OperationalSpace does, where gains are negative or no numbers, and where a support is none (HeldContacts).
  OperationalController(const Model& model, std::span<const TaskLevel> levels, std::span<const Constraint> held = {},
                        const ControllerOptions& options = {}, const std::optional<Actuation>& actuation = {});

  /// The index of a task by its name, for those below. Throws an Error with the names there are.
  int find_task(std::string_view name) const { return space_.tasks().find(name); }
  const OperationalSpace<T>& space() const { return space_; }
  int rows(int task) const { return space_.state().rows().spans[task].rows; }

  /// Targets that move. Those of other kinds of tasks stand still. kBadArgument if the task has no such target. Tasks of a point take
  /// that of a pose as well, which a path is made of.
  Status set_target(int task, const PoseTarget& target) noexcept;
  Status set_target(int task, const PointTarget& target) noexcept;
  Status set_target(int task, const ScalarTarget& target) noexcept;
  /// Row accelerations, beside what the gains add.
  Status set_acceleration(int task, In<T> rows) noexcept;
  /// Forces that the rows of a task exert on their surroundings, beside what its motion takes.
  Status set_force(int task, In<T> rows) noexcept;
  /// Where the joints shall be as far as tasks allow; neutral until set.
  Status set_posture(In<T> q) noexcept;
  /// Joint forces τ₀ that tasks are not to feel: springs towards a posture that are those of joints and not of inertias, distance from
  /// limits. What moves a task is taken out of them (Nᵀ τ₀),
  /// but along weak directions, where a task holds against the posture as little as it is pursued.
  Status set_posture_force(In<T> tau) noexcept;
  /// Forces that held rows are to have as far as the motion allows.
  Status set_held_force(In<T> rows) noexcept;

  /// Everything at one state: what targets that depend on it may look at. Statuses are those of OperationalSpace.
  Status update(In<T> q, In<T> v) noexcept;
  /// Joint forces at the state of the last update, zero where there is no motor. kSingularTask, kUnbalanced (no held force does what a joint
  /// without a motor needs): tau is the best there is, and may be used. A contact that would pull, slip, twist or tip is a fault of the
  /// status; tau is there, but no ground gives these forces. Else tau is not written.
  ControlStatus solve(Out<T> tau) noexcept;
  /// update and solve.
  ControlStatus compute(In<T> q, In<T> v, Out<T> tau) noexcept;

  /// Of the last solve: the joint accelerations that are to be expected, and the forces of held rows.
  const std::vector<T>& acceleration() const { return qdd_; }
  const std::vector<T>& held_force() const { return held_force_; }

 private:
  Status require_rows(int task, int size) const noexcept;
  Status find_posture() noexcept;
  void find_accelerations() noexcept;
  void set_rows(int task, int first, const Vec3<double>& velocity, const Vec3<double>& acceleration) noexcept;

  OperationalSpace<T> space_;
  ControllerOptions options_;
  std::vector<TaskGains> gains_;  // of each row
  std::vector<Constraint> held_;
  State<T> held_state_;
  ConstrainedInverseDynamics<T> dynamics_;
  HeldContacts<T> contacts_;
  std::vector<bool> driven_;
  Status status_ = kTooEarly;  // of the last update
  std::vector<T> posture_;     // q
  std::vector<T> row_velocity_, row_acceleration_, row_force_, held_wish_;
  std::vector<T> wanted_, position_, force_;  // per row
  std::vector<T> push_;                       // τ₀
  std::vector<T> nu_, qdd_, load_, tau_;      // per degree of freedom
  std::vector<T> held_force_;
  bool loaded_ = false, pushed_ = false;  // whether tasks exert forces, whether there is a τ₀
  LinkForces<T> forces_;
};

}  // namespace delassus
