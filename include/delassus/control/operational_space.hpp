// The dynamics of a mechanism as its tasks see it (docs/algorithms/operational-space.md).
//
// Papers: Khatib, "A unified approach for motion and force control of robot manipulators: the operational space formulation";
// Russakow, Khatib, Rock, "Extended operational space formulation for serial-to-parallel chain (branching) manipulators".
//
//   symbol    here
//   J, Λ      Jacobian and operational-space inertia of a level of tasks, within what held rows and levels above leave free
//   J̄         M⁻¹ Jᵀ Λ, the dynamically consistent inverse
//   N         1 - J̄ J over all levels up to one: motions that they do not feel; Nᵀ: forces that do not move them
//   μ, p      operational forces of velocities and of gravity
//
// Held rows are contacts with the ground, closed loops, a grasp: with them J and Λ are those of the closed chain (or of the
// contact-consistent null space). M⁻¹ is never formed: all come from one factorization of M with the rows, O(n d² + m d²), and of
// Λ⁻¹, O(m² d + m³).
#pragma once

#include <span>
#include <vector>

#include "delassus/constraints/state.hpp"
#include "delassus/control/task.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/math/boxed.hpp"
#include "delassus/operators/kkt.hpp"

namespace delassus {

/// float and double. Nothing here throws but the constructor and the names; nothing allocates but the constructor. Every verb
/// returns the status of the last update if that failed, and kBadArgument for a level that is not there, a size that does not fit, or
/// (-1) where no update was made. It belongs to one thread at a time, for its const verbs as well.
template <FloatingPoint T>
class OperationalSpace {
 public:
  /// Throws an Error that names a constraint which does not fit, an option which makes no
  /// sense, or a task whose name another one has.
  OperationalSpace(const Model& model, std::span<const TaskLevel> levels, std::span<const Constraint> held = {});
  OperationalSpace(const OperationalSpace&) = delete;
  OperationalSpace& operator=(const OperationalSpace&) = delete;
  OperationalSpace(OperationalSpace&&) noexcept = default;
  OperationalSpace& operator=(OperationalSpace&&) noexcept = default;

  /// Everything at one state. kSingularTask, if a level has weak directions and is not said to be of best effort: all verbs
  /// work, with forces that are bounded as the level says.
  Status update(In<T> q, In<T> v) noexcept;

  const Model& model() const { return state_.model(); }
  const State<T>& state() const { return state_; }
  int num_levels() const { return static_cast<int>(reports_.size()); }
  int rows(int level) const;
  /// Rows that are held come first, then those of the levels, in their order.
  int first_row(int level) const;
  int num_rows() const { return state_.num_rows(); }
  int held_rows() const;
  /// What directions of a level are weak at the last update.
  const LevelReport<T>& report(int level) const;

  /// Names and targets, for the next update.
  TaskList& tasks() { return tasks_; }
  const TaskList& tasks() const { return tasks_; }

  // As matrices.
  Status jacobian(int level, MatrixOut<T> J) const noexcept;                // rows × nv
  Status inverse_inertia(int level, MatrixOut<T> inverse) const noexcept;   // Λ⁻¹, rows × rows
  Status inertia(int level, MatrixOut<T> matrix) const noexcept;            // Λ, bounded
  Status consistent_inverse(int level, MatrixOut<T> J_bar) const noexcept;  // nv × rows
  Status null_space(int level, MatrixOut<T> N) const noexcept;              // nv × nv

  // As operators, for one vector.
  Status apply_inertia(int level, In<T> acceleration, Out<T> force) const noexcept;          // Λ ẍ
  Status apply_consistent_inverse(int level, In<T> acceleration, Out<T> nu) const noexcept;  // J̄ ẍ
  Status apply_consistent_force(int level, In<T> tau, Out<T> force) const noexcept;          // J̄ᵀ τ
  Status apply_jacobian_transpose(int level, In<T> force, Out<T> tau) const noexcept;        // Jᵀ F
  Status project_motion(int level, Out<T> nu) const noexcept;                                // N ν, in place
  Status project_force(int level, Out<T> tau) const noexcept;                                // Nᵀ τ, in place

  /// M⁻¹ τ.
  Status apply_inverse_mass(In<T> tau, Out<T> nu) const noexcept;

  /// μ + p: the force at the level that keeps it from accelerating where nothing else acts, held rows are held and levels above
  /// do not accelerate either. p alone: the same at rest.
  Status bias_force(int level, Out<T> force) const noexcept;
  Status gravity_force(int level, Out<T> force) const noexcept;

  /// Joint accelerations nearest to `nu` (in the metric of the inertia) with which rows accelerate by `acceleration`, all rows in
  /// order, each level as far as it can: nu + M⁻¹ Jᵀ f. `force` is f.
  Status accelerate(In<T> acceleration, In<T> nu, Out<T> qdd, Out<T> force) const noexcept;

 private:
  struct Work;

  int nv() const { return model().nv(); }
  /// None, where there is no such level: then nothing fits.
  int rows_of(int level) const { return level < 0 || level >= num_levels() ? 0 : rows(level); }
  Status require_level(int level) const noexcept;
  Status require_matrix(int level, const MatrixView<T>& out, int rows, int cols) const noexcept;
  Status require_vectors(int level, VectorView<const T> in, int expected_in, int out, int expected_out) const noexcept;
  Status require_force(int level, const VectorView<T>& force) const noexcept;
  Status copy_block(int level, const MatrixView<const T>& block, const MatrixView<T>& out) const noexcept;
  void place_inertia(int level, const T* acceleration) const noexcept;
  void hold_level(int level, const Velocities<T>& vel, const T* drift, T* force) const noexcept;

  TaskList tasks_;
  State<T> state_;
  KktDelassus<T> op_;
  Boxed<Work> work_;
  int first_level_ = 0;        // in the elimination: 1 if rows are held
  std::vector<bool> reports_;  // levels whose weak directions are a status
  Status status_ = kTooEarly;
  mutable std::vector<T> row_, joint_, half_;
  mutable LinkForces<T> forces_;
  mutable LinkMotions<T> motions_;
  mutable InverseDynamics<T> dynamics_;
  mutable Velocities<T> still_;
};

}  // namespace delassus
