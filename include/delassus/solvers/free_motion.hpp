// What a mechanism would do without its constraints: accelerations of joints and of rows. How depends on what an operator has
// factored already, so that nobody factors the inertia twice.
#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/dynamics/row_response.hpp"
#include "delassus/solvers/constrained_state.hpp"

namespace delassus {

/// Operators that have articulated the tree and sweep over it.
template <class Op, class T>
concept RespondsToForces = requires(const Op& op, Sweep<T>& sweep) {
  op.respond(sweep);
  { op.articulation() } -> std::convertible_to<const Articulation<T>&>;
};

/// Operators that have factored M: acceleration = M⁻¹ force, and what the rows feel of it.
template <class Op, class T>
concept SolvesInertia = requires(const Op& op, VectorView<const T> in, VectorView<T> out) {
  op.free_response(in, out, out);
};

// Each has factor(op, state), after the operator's own factor, and solve: qdd = M⁻¹ (tau - h) and y = J qdd.

/// With the operator's own sweeps: h goes in as a wrench on each link.
template <class T, class Op>
class FreeMotionBySweeps {
 public:
  explicit FreeMotionBySweeps(const Model& model) : sweep_(model) {}

  Status factor(const Op&, const ConstrainedState<T>&) { return {}; }
  void solve(const Op& op, const ConstrainedState<T>& state, In<T> tau, Out<T> qdd, Out<T> y) {
    const Model& model = state.model();
    begin_forward_dynamics<T>(model, state.kinematics(), state.velocities(), op.articulation(), tau, sweep_);
    op.respond(sweep_);
    read_row_response<T>(op.articulation(), state.rows(), sweep_, y);
    for (int k = 0; k < model.nv(); ++k) qdd[k] = sweep_.joint[k];
  }

 private:
  Sweep<T> sweep_;
};

/// With the operator's factor of M.
template <class T, class Op>
class FreeMotionByInertia {
 public:
  explicit FreeMotionByInertia(const Model& model) : work_(model), force_(static_cast<std::size_t>(model.nv()), T(0)) {}

  Status factor(const Op&, const ConstrainedState<T>&) { return {}; }
  void solve(const Op& op, const ConstrainedState<T>& state, In<T> tau, Out<T> qdd, Out<T> y) {
    require_size("tau", tau.size(), state.model().nv());
    bias_forces<T>(state.model(), state.kinematics(), state.velocities(), force_, work_);
    for (int k = 0; k < tau.size(); ++k) force_[k] = tau[k] - force_[k];
    op.free_response(force_, qdd, y);
  }

 private:
  InverseDynamics<T> work_;
  std::vector<T> force_;
};

/// For operators that keep nothing: articulates on its own.
template <class T, class Op>
class FreeMotionApart {
 public:
  explicit FreeMotionApart(const Model& model) : art_(model), sweep_(model) {}

  /// kSingularJoint as articulate.
  Status factor(const Op&, const ConstrainedState<T>& state) {
    return articulate(state.model(), state.kinematics(), art_);
  }
  void solve(const Op&, const ConstrainedState<T>& state, In<T> tau, Out<T> qdd, Out<T> y) {
    forward_dynamics<T>(state.model(), state.kinematics(), state.velocities(), art_, tau, qdd, sweep_);
    read_row_response<T>(art_, state.rows(), sweep_, y);
  }

 private:
  Articulation<T> art_;
  Sweep<T> sweep_;
};

template <class T, class Op>
using FreeMotion =
    std::conditional_t<RespondsToForces<Op, T>, FreeMotionBySweeps<T, Op>,
                       std::conditional_t<SolvesInertia<Op, T>, FreeMotionByInertia<T, Op>, FreeMotionApart<T, Op>>>;

}  // namespace delassus
