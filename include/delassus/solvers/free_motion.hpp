// What a mechanism would do without its constraints: accelerations of joints and of rows.
#pragma once

#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/dynamics/row_response.hpp"
#include "delassus/solvers/constrained_state.hpp"

namespace delassus {

/// Operators that have factored the tree for sweeps of their own: nobody has to do so again.
template <class Op, class T>
concept RespondsToForces = requires(const Op& op, Sweep<T>& sweep) {
  op.respond(sweep);
  { op.articulation() } -> std::convertible_to<const Articulation<T>&>;
};

template <class T>
class FreeMotion {
 public:
  explicit FreeMotion(const Model& model) : art_(model), sweep_(model) {}

  /// After the operator's own factor. kSingularJoint as there.
  template <class Op>
  Status factor(const Op&, const Model& model, const Kinematics<T>& kin) {
    if constexpr (RespondsToForces<Op, T>) {
      return {};
    } else {
      return articulate(model, kin, art_);
    }
  }

  /// qdd = M⁻¹ (tau - h), and y = J qdd.
  template <class Op>
  void solve(const Op& op, const ConstrainedState<T>& state, In<T> tau, Out<T> qdd, Out<T> y) {
    const Model& model = state.model();
    const Articulation<T>& art = articulation(op);
    begin_forward_dynamics<T>(model, state.kinematics(), state.velocities(), art, tau, sweep_);
    if constexpr (RespondsToForces<Op, T>) {
      op.respond(sweep_);
    } else {
      sweep_forces(model, art, sweep_);
      sweep_motions(model, art, sweep_);
    }
    read_row_response<T>(art, state.rows(), sweep_, y);
    for (int k = 0; k < model.nv(); ++k) qdd[k] = sweep_.joint[k];
  }

 private:
  template <class Op>
  const Articulation<T>& articulation(const Op& op) const {
    if constexpr (RespondsToForces<Op, T>) {
      return op.articulation();
    } else {
      return art_;
    }
  }

  Articulation<T> art_;
  Sweep<T> sweep_;
};

}  // namespace delassus
