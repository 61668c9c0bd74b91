// Operator: a mechanism, its constraints, where it is, and Λ⁻¹ = J M⁻¹ Jᵀ there, by any algorithm. One object, to begin with.
//
//   Operator op(model, constraints);        // the condensed tree, unless told otherwise
//   op.update(q);                           // kinematics, rows, factorization
//   op.apply(x, y);                         // y = Λ⁻¹ x
//   op.update_damping(1e-6); op.solve_damped(b, z);
//
// Who has one state for several operators, or operators with verbs of their own, holds a State and gives it to their factor.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "delassus/constraints/state.hpp"
#include "delassus/operators/any_delassus.hpp"
#include "delassus/operators/damped_inverse.hpp"

namespace delassus {

template <class T = double>
class Operator {
 public:
  /// Throws an Error that names a constraint which does not fit.
  explicit Operator(const Model& model, std::span<const Constraint> constraints = {},
                    Algorithm algorithm = Algorithm::kCondensed)
      : Operator(State<T>(model, constraints), AnyDelassus<T>(algorithm, model)) {}
  /// An algorithm with options of its own, as in Operator(model, constraints, CondensedDelassus<double>(model, options)).
  Operator(const Model& model, std::span<const Constraint> constraints, typename AnyDelassus<T>::Operator algorithm)
      : Operator(State<T>(model, constraints), AnyDelassus<T>(std::move(algorithm))) {}
  /// Like the operators that it may hold.
  explicit Operator(const State<T>& state, Algorithm algorithm = Algorithm::kCondensed)
      : Operator(state, AnyDelassus<T>(algorithm, state.model())) {}

  /// Other constraints. There are no values until the next update. If one does not fit, which is an Error, the old ones stay.
  void set_constraints(std::span<const Constraint> constraints) {
    state_.set_constraints(constraints);
    forget();
    op_.update_structure(state_.model(), state_.rows());
  }
  /// The same constraints with other numbers, for the next update: points, axes, targets.
  void move_constraints(std::span<const Constraint> constraints) { state_.move_constraints(constraints); }

  /// Takes the mechanism to q. Allocates nothing. kDegenerate names a constraint whose direction is undefined, kSingularJoint a joint at
  /// which M is singular, kNotFinite a row that overflows; there are no values then. The damping is reset.
  Status update(In<T> q) {
    forget();
    const Status status = state_.update(q);
    return status.ok() ? factor_placed() : status;
  }
  /// The same from a state that is elsewhere, which it copies.
  Status factor(const State<T>& state) {
    forget();
    state_ = state;
    return factor_placed();
  }
  /// There are no values until the next update, or no damping until the next one.
  void forget() { placed_ = ready_ = damped_ = false; }
  void forget_damping() { damped_ = false; }
  /// Velocities, those of the rows and their drift, at the q of the last update: state() has them.
  void update_velocity(In<T> v) {
    require_placed();
    state_.update_velocity(v);
  }

  const Model& model() const { return state_.model(); }
  std::span<const Constraint> constraints() const { return state_.constraints(); }
  /// Where the mechanism is: kinematics, rows, their velocities and positions.
  const State<T>& state() const { return state_; }
  Algorithm algorithm() const { return op_.algorithm(); }
  /// The operator itself, for what only its algorithm has.
  const typename AnyDelassus<T>::Operator& held() const { return op_.held(); }
  /// Whether the last update went well, and whether there is a damping since.
  bool ready() const { return ready_; }
  bool damped() const { return damped_; }
  /// Throw an Error unless they are so.
  void require_ready() const { require_values(ready_); }
  void require_damped() const {
    require_ready();
    if (!damped_) throw Error("the operator has no damping; call update_damping first");
  }

  // The verbs of DelassusOperator. They throw an Error before the first update.

  int rows() const { return state_.num_rows(); }
  void apply(In<T> x, Out<T> y) const { ready_op().apply(x, y); }
  void apply_panel(MatrixIn<T> x, MatrixOut<T> y) const { ready_op().apply_panel(x, y); }
  void joint_response(In<T> x, Out<T> acceleration) const { ready_op().joint_response(x, acceleration); }
  Status update_damping(const Damping<T>& damping) {
    require_ready();
    const Status status = op_.update_damping(damping);
    damped_ = status.ok();
    return status;
  }
  Status solve_damped(In<T> b, Out<T> z) const { return damped_op().solve_damped(b, z); }
  Status solve_panel(MatrixIn<T> b, MatrixOut<T> z) const { return damped_op().solve_panel(b, z); }
  /// The matrix (R⁻¹ + Λ⁻¹)⁻¹ for one damping per row, whatever the algorithm (damped_inverse.hpp). Leaves the damping of solves as it
  /// is. The first call allocates.
  Status damped_inverse(In<T> damping, MatrixOut<T> out) {
    require_ready();
    if (!inverse_) inverse_.emplace(model());
    return inverse_->compute(model(), state_.kinematics(), state_.rows(), damping, out);
  }
  void dense(MatrixOut<T> matrix) const { ready_op().dense(matrix); }
  void diagonal(Out<T> out) const { ready_op().diagonal(out); }
  std::size_t bytes() const { return heap_bytes(state_, op_); }

  // The rows as a map. They are there where M is singular too.

  /// y = J ν.
  void apply_jacobian(In<T> nu, Out<T> y) const {
    require_placed();
    delassus::apply_jacobian<T>(model(), state_.kinematics(), state_.rows(), nu, y, motions_);
  }
  /// tau = Jᵀ λ.
  void apply_jacobian_transpose(In<T> lambda, Out<T> tau) const {
    require_placed();
    delassus::apply_jacobian_transpose<T>(model(), state_.kinematics(), state_.rows(), lambda, tau, forces_);
  }
  /// φ: how far each row is from where it should be. float and double only.
  void position(Out<T> phi) const {
    require_placed();
    state_.position(phi);
  }
  /// J, rows × nv.
  void jacobian(MatrixOut<T> J) const {
    require_placed();
    constraint_jacobian<T>(model(), state_.kinematics(), state_.rows(), J);
  }

 private:
  Operator(State<T> state, AnyDelassus<T> op)
      : state_(std::move(state)), op_(std::move(op)), motions_(state_.model()), forces_(state_.model()) {
    op_.update_structure(state_.model(), state_.rows());
  }

  Status factor_placed() {
    placed_ = true;
    const Status status = op_.factor(state_);
    ready_ = status.ok();
    return status;
  }

  static void require_values(bool there) {
    if (!there) throw Error("the operator has no values; call update(q) first");
  }
  void require_placed() const { require_values(placed_); }
  const AnyDelassus<T>& ready_op() const {
    require_ready();
    return op_;
  }
  const AnyDelassus<T>& damped_op() const {
    require_damped();
    return op_;
  }

  State<T> state_;
  AnyDelassus<T> op_;
  mutable LinkMotions<T> motions_;
  mutable LinkForces<T> forces_;
  std::optional<DampedInverse<T>> inverse_;  // made when first asked for
  bool placed_ = false, ready_ = false, damped_ = false;
};

static_assert(DelassusOperator<Operator<double>, double>);

}  // namespace delassus
