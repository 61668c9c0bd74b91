// A mechanism under constraints in one state: all that operators, dynamics, solvers and controllers read.
#pragma once

#include <span>
#include <vector>

#include "delassus/constraints/lower.hpp"
#include "delassus/math/arguments.hpp"

namespace delassus {

/// Row accelerations that bring the rows back to their positions: -damping Jν - stiffness φ. Zero: none.
struct Baumgarte {
  double stiffness = 0;  // 1/s²
  double damping = 0;    // 1/s
};

/// What operators read of a state: where the mechanism is, and the rows there. They take over what they need.
template <class T>
struct StateView {
  const ModelOf<T>& model;
  const Kinematics<T>& kin;
  const ConstraintRows<T>& rows;
};

template <class T>
class State {
 public:
  /// Throws an Error that names a constraint which does not fit; so does set_constraints, and nothing else (docs/arguments.md).
  explicit State(const Model& model, std::span<const Constraint> constraints = {});

  /// Other constraints, or the same after a change of their structure. Valid after the next update.
  void set_constraints(std::span<const Constraint> constraints);
  /// The same constraints with other numbers: points, axes, targets. kBadArgument if they are not as many; if one has become
  /// another, the next update says so.
  Status move_constraints(std::span<const Constraint> constraints);

  /// Kinematics and rows, which is all that Λ⁻¹ needs: velocities, drift and targets stay as they were.
  /// Allocates nothing. kDegenerate names a constraint whose direction is undefined; kBadArgument: q has another size (0), or
  /// constraints have moved to other links or joints and set_constraints is needed first (-1).
  Status update(In<T> q);
  /// Velocities, those of the rows and their drift, at the q of the last update.
  Status update_velocity(In<T> v);
  /// Both.
  Status update(In<T> q, In<T> v);

  operator StateView<T>() const { return {model_, kin_, rows_}; }  // NOLINT: a state is what operators take

  /// a* = -J̇ν: the row accelerations that keep the rows' velocities.
  CallStatus target(Out<T> a) const;
  /// The same with a pull towards the rows' positions. float and double only.
  CallStatus target(const Baumgarte& pull, Out<T> a) const requires FloatingPoint<T>;
  /// φ: how far each row is from where it should be. float and double only.
  CallStatus position(Out<T> phi) const requires FloatingPoint<T>;

  const Model& model() const { return model_; }
  std::span<const Constraint> constraints() const { return std::span(constraints_).first(count_); }
  const Kinematics<T>& kinematics() const { return kin_; }
  const Velocities<T>& velocities() const { return vel_; }
  const ConstraintRows<T>& rows() const { return rows_; }
  int num_rows() const { return static_cast<int>(drift_.size()); }
  /// Jν, one entry per row.
  const std::vector<T>& velocity() const { return velocity_; }
  /// The size of the largest terms that a row of Jν is the sum of.
  T velocity_terms() const;
  /// J̇ν, one entry per row.
  const std::vector<T>& drift() const { return drift_; }

  std::size_t bytes() const { return heap_bytes(constraints_, rows_, velocity_, drift_); }

 private:
  Model model_;
  std::vector<Constraint> constraints_;  // the first count_ of them
  std::size_t count_ = 0;
  Kinematics<T> kin_;
  Velocities<T> vel_;
  ConstraintRows<T> rows_;
  std::vector<T> velocity_, drift_;
};

}  // namespace delassus
