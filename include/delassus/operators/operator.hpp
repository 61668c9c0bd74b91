// Operator: a mechanism, its constraints, where it is, and Λ⁻¹ = J M⁻¹ Jᵀ there, by any algorithm. One object, to begin with.
//
//   Operator op(model, constraints);        // the condensed tree, unless told otherwise
//   op.update(q);                           // kinematics, rows, factorization
//   op.apply(x, y);                         // y = Λ⁻¹ x
//   op.update_damping(1e-6); op.solve(b, z);
//
// Who has one state for several operators, or operators with verbs of their own, holds a State and gives it to their factor.
#pragma once

#include <initializer_list>
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
  Status move_constraints(std::span<const Constraint> constraints) { return state_.move_constraints(constraints); }

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
  Status update_velocity(In<T> v) { return placed_ ? state_.update_velocity(v) : kTooEarly; }

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

  // The verbs of DelassusOperator. Before the first update they are kTooEarly.

  int rows() const { return state_.num_rows(); }
  CallStatus apply(In<T> x, Out<T> y) const { return ready_ ? op_.apply(x, y) : spoiled(kTooEarly, y); }
  CallStatus apply_panel(MatrixIn<T> x, MatrixOut<T> y) const {
    return ready_ ? op_.apply_panel(x, y) : spoiled(kTooEarly, y);
  }
  CallStatus joint_response(In<T> x, Out<T> acceleration) const {
    return ready_ ? op_.joint_response(x, acceleration) : spoiled(kTooEarly, acceleration);
  }
  Status update_damping(const Damping<T>& damping) {
    if (!ready_) return kTooEarly;
    const Status status = op_.update_damping(damping);
    if (status.code != Status::Code::kBadArgument) damped_ = status.ok();
    return status;
  }
  Status solve(In<T> b, Out<T> z) const { return damped_ ? op_.solve(b, z) : kTooEarly; }
  Status solve_panel(MatrixIn<T> b, MatrixOut<T> z) const { return damped_ ? op_.solve_panel(b, z) : kTooEarly; }
  /// The matrix (R⁻¹ + Λ⁻¹)⁻¹ for one damping per row, whatever the algorithm (damped_inverse.hpp). Leaves the damping of solves as it
  /// is. The first call allocates.
  Status damped_inverse(In<T> damping, MatrixOut<T> out) {
    if (!ready_) return kTooEarly;
    if (!inverse_) inverse_.emplace(model());
    return inverse_->compute(model(), state_.kinematics(), state_.rows(), damping, out);
  }
  CallStatus dense(MatrixOut<T> matrix) const { return ready_ ? op_.dense(matrix) : spoiled(kTooEarly, matrix); }
  CallStatus diagonal(Out<T> out) const { return ready_ ? op_.diagonal(out) : spoiled(kTooEarly, out); }
  std::size_t bytes() const { return heap_bytes(state_, op_); }

  // The rows as a map. They are there where M is singular too.

  /// y = J ν.
  CallStatus apply_jacobian(In<T> nu, Out<T> y) const {
    if (const Status s = check({{0, nu.size(), model().nv()}, {1, y.size(), rows()}}); !s.ok()) return spoiled(s, y);
    delassus::apply_jacobian<T>(model(), state_.kinematics(), state_.rows(), nu, y, motions_);
    return {};
  }
  /// tau = Jᵀ λ.
  CallStatus apply_jacobian_transpose(In<T> lambda, Out<T> tau) const {
    if (const Status s = check({{0, lambda.size(), rows()}, {1, tau.size(), model().nv()}}); !s.ok())
      return spoiled(s, tau);
    delassus::apply_jacobian_transpose<T>(model(), state_.kinematics(), state_.rows(), lambda, tau, forces_);
    return {};
  }
  /// φ: how far each row is from where it should be. float and double only.
  CallStatus position(Out<T> phi) const { return placed_ ? state_.position(phi) : spoiled(kTooEarly, phi); }
  /// J, rows × nv.
  CallStatus jacobian(MatrixOut<T> J) const {
    if (const Status s = check({{0, J.rows(), rows()}, {0, J.cols(), model().nv()}}); !s.ok()) return spoiled(s, J);
    constraint_jacobian<T>(model(), state_.kinematics(), state_.rows(), J);
    return {};
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

  Status check(std::initializer_list<ArgumentSize> sizes) const { return placed_ ? check_sizes(sizes) : kTooEarly; }

  State<T> state_;
  AnyDelassus<T> op_;
  mutable LinkMotions<T> motions_;
  mutable LinkForces<T> forces_;
  std::optional<DampedInverse<T>> inverse_;  // made when first asked for
  bool placed_ = false, ready_ = false, damped_ = false;
};

static_assert(DelassusOperator<Operator<double>, double>);

}  // namespace delassus
