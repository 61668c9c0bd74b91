// Operator: a mechanism, its constraints, where it is, and Λ⁻¹ = J M⁻¹ Jᵀ there, by any algorithm. One object, to begin with.
//
//   Operator op(model, constraints);        // the condensed tree, unless told otherwise
//   op.update(q);                           // kinematics, rows, factorization
//   op.apply(x, y);                         // y = Λ⁻¹ x
//   op.update_damping(1e-6); op.solve_damped(b, z);
//
// Who has one state for several operators, or operators with verbs of their own, holds a State and gives it to their factor.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "delassus/constraints/state.hpp"
#include "delassus/operators/any_delassus.hpp"

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

  /// Other constraints. There are no values until the next update.
  void set_constraints(std::span<const Constraint> constraints) {
    ready_ = damped_ = false;
    state_.set_constraints(constraints);
    op_.update_structure(state_.model(), state_.rows());
  }
  /// The same constraints with other numbers, for the next update: points, axes, targets.
  void move_constraints(std::span<const Constraint> constraints) { state_.move_constraints(constraints); }

  /// Takes the mechanism to q. Allocates nothing. kDegenerate names a constraint whose direction is undefined, kSingularJoint a joint at
  /// which M is singular, kNotFinite a row that overflows; there are no values then. The damping is reset.
  Status update(In<T> q) {
    ready_ = damped_ = false;
    Status status = state_.update(q);
    if (status.ok()) status = op_.factor(state_);
    ready_ = status.ok();
    return status;
  }
  /// There are no values until the next update, or no damping until the next one.
  void forget() { ready_ = damped_ = false; }
  void forget_damping() { damped_ = false; }
  /// Velocities, those of the rows and their drift, at the q of the last update: state() has them.
  void update_velocity(In<T> v) { state_.update_velocity(v); }

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

  // The verbs of DelassusOperator. They throw an Error before the first update.

  int rows() const { return state_.num_rows(); }
  void apply(In<T> x, Out<T> y) const { ready("apply").apply(x, y); }
  void apply_panel(MatrixIn<T> x, MatrixOut<T> y) const { ready("apply_panel").apply_panel(x, y); }
  void joint_response(In<T> x, Out<T> acceleration) const { ready("joint_response").joint_response(x, acceleration); }
  Status update_damping(const Damping<T>& damping) {
    static_cast<void>(ready("update_damping"));
    const Status status = op_.update_damping(damping);
    damped_ = status.ok();
    return status;
  }
  Status solve_damped(In<T> b, Out<T> z) const { return damped("solve_damped").solve_damped(b, z); }
  Status solve_panel(MatrixIn<T> b, MatrixOut<T> z) const { return damped("solve_panel").solve_panel(b, z); }
  void dense(MatrixOut<T> matrix) const { ready("dense").dense(matrix); }
  void diagonal(Out<T> out) const { ready("diagonal").diagonal(out); }
  std::size_t bytes() const { return heap_bytes(state_, op_); }

  // The rows as a map.

  /// y = J ν.
  void apply_jacobian(In<T> nu, Out<T> y) const {
    static_cast<void>(ready("apply_jacobian"));
    delassus::apply_jacobian<T>(model(), state_.kinematics(), state_.rows(), nu, y, motions_);
  }
  /// tau = Jᵀ λ.
  void apply_jacobian_transpose(In<T> lambda, Out<T> tau) const {
    static_cast<void>(ready("apply_jacobian_transpose"));
    delassus::apply_jacobian_transpose<T>(model(), state_.kinematics(), state_.rows(), lambda, tau, forces_);
  }
  /// J, rows × nv.
  void jacobian(MatrixOut<T> J) const {
    static_cast<void>(ready("jacobian"));
    constraint_jacobian<T>(model(), state_.kinematics(), state_.rows(), J);
  }

 private:
  Operator(State<T> state, AnyDelassus<T> op)
      : state_(std::move(state)), op_(std::move(op)), motions_(state_.model()), forces_(state_.model()) {
    op_.update_structure(state_.model(), state_.rows());
  }

  const AnyDelassus<T>& ready(const char* verb) const {
    if (!ready_) throw Error(std::string(verb) + " needs values: call update(q) first, and look at its status");
    return op_;
  }
  const AnyDelassus<T>& damped(const char* verb) const {
    if (ready_ && !damped_) {
      throw Error(std::string(verb) + " needs a damping: call update_damping first, and look at its status");
    }
    return ready(verb);
  }

  State<T> state_;
  AnyDelassus<T> op_;
  mutable LinkMotions<T> motions_;
  mutable LinkForces<T> forces_;
  bool ready_ = false, damped_ = false;
};

static_assert(DelassusOperator<Operator<double>, double>);

}  // namespace delassus
