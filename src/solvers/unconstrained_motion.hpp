// The motion of a mechanism around a solve for its constraint forces: what the rows would do without any, then what all do
// with them. How depends on what an operator has factored already, so that nobody factors the inertia twice.
#pragma once

#include <vector>

#include "delassus/constraints/state.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "dynamics/articulated_body.hpp"
#include "dynamics/row_response.hpp"

namespace delassus {

// Each has three verbs:
//   factor  after the operator's own
//   begin   y = J M⁻¹ (tau - h), and how large the terms are that rows are sums of
//   end     qdd = M⁻¹ (tau - h + Jᵀ lambda)

/// With the operator's own sweeps. h goes in as a wrench on each link. Links that feel no constraint take part in one sweep
/// of each kind only.
template <class T, class Op>
class MotionBySweeps {
 public:
  explicit MotionBySweeps(const Model& model) : whole_(model), part_(model) {}

  Status factor(const Op&, const State<T>&) { return {}; }

  T begin(const Op& op, const State<T>& state, In<T> tau, Out<T> y) {
    begin_forward_dynamics<T>(state.model(), state.kinematics(), state.velocities(), op.articulation(), tau, whole_);
    op.respond_forces(Reach::kAll, whole_);
    for_each_felt(
        op, state.model(), [&](int i) { part_.force[i] = whole_.force[i]; },
        [&](int k) { part_.joint[k] = whole_.joint[k]; });
    op.respond_motions(Reach::kFelt, part_);
    return read_row_response<T>(op.articulation(), state.rows(), part_, y);
  }

  void end(const Op& op, const State<T>& state, In<T> lambda, Out<T> qdd) {
    for_each_felt(
        op, state.model(), [&](int i) { part_.force[i] = Force<T>::zero(); }, [&](int k) { part_.joint[k] = T(0); });
    add_row_forces<T>(op.articulation(), state.rows(), lambda, part_);
    op.respond_forces(Reach::kFelt, part_);
    for_each_felt(
        op, state.model(), [&](int i) { whole_.force[i] += part_.force[i]; },
        [&](int k) { whole_.joint[k] += part_.joint[k]; });
    op.respond_motions(Reach::kAll, whole_);
    for (int k = 0; k < qdd.size(); ++k) qdd[k] = whole_.joint[k];
  }

 private:
  template <class OnLink, class OnDof>
  static void for_each_felt(const Op& op, const Model& model, OnLink&& on_link, OnDof&& on_dof) {
    for (const std::int32_t i : op.felt_links()) {
      on_link(i);
      const Link& link = model.link(i);
      for (int k = link.v; k < link.v + link.nv; ++k) on_dof(k);
    }
  }

  Sweep<T> whole_, part_;
};

/// With the operator's factor of M.
template <class T, class Op>
class MotionByInertia {
 public:
  explicit MotionByInertia(const Model& model)
      : work_(model), force_(static_cast<std::size_t>(model.nv()), T(0)), half_(force_) {}

  Status factor(const Op&, const State<T>&) { return {}; }

  T begin(const Op& op, const State<T>& state, In<T> tau, Out<T> y) {
    require_size("tau", tau.size(), state.model().nv());
    bias_forces<T>(state.model(), state.kinematics(), state.velocities(), force_, work_);
    for (int k = 0; k < tau.size(); ++k) force_[k] = tau[k] - force_[k];
    op.begin_motion(force_, half_, y);
    return largest_terms(op);
  }

  void end(const Op& op, const State<T>&, In<T> lambda, Out<T> qdd) { op.end_motion(half_, lambda, qdd); }

 private:
  /// A row is the product of a column of Y and the half: at most that of their lengths (Cauchy, Schwarz).
  T largest_terms(const Op& op) {
    const T most = op.largest_diagonal();
    T square(0);
    for (const T& x : half_) square += x * x;
    return all_lanes(T(0) < square * most) ? sqrt(square * most) : T(0);
  }

  InverseDynamics<T> work_;
  std::vector<T> force_, half_;
};

/// For operators that keep nothing: articulates on its own.
template <class T, class Op>
class MotionApart {
 public:
  explicit MotionApart(const Model& model)
      : art_(model), sweep_(model), free_(static_cast<std::size_t>(model.nv()), T(0)) {}

  /// kSingularJoint as articulate.
  Status factor(const Op&, const State<T>& state) { return articulate(state.model(), state.kinematics(), art_); }

  T begin(const Op&, const State<T>& state, In<T> tau, Out<T> y) {
    forward_dynamics<T>(state.model(), state.kinematics(), state.velocities(), art_, tau, free_, sweep_);
    return read_row_response<T>(art_, state.rows(), sweep_, y);
  }

  void end(const Op& op, const State<T>&, In<T> lambda, Out<T> qdd) {
    op.joint_response(lambda, qdd);
    for (int k = 0; k < qdd.size(); ++k) qdd[k] += free_[k];
  }

 private:
  Articulation<T> art_;
  Sweep<T> sweep_;
  std::vector<T> free_;
};

}  // namespace delassus
