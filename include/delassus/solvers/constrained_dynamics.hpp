// Forward dynamics under equality constraints, on any Delassus operator (docs/algorithms/constrained-dynamics.md).
//
//   M ν̇ + h = τ + Jᵀ λ,   J ν̇ = a*
//
// The free motion says which accelerations the constraints still have to add, b = a* - J M⁻¹ (τ - h); the proximal method
// finds λ; M⁻¹ Jᵀ λ is what they add to the joints.
#pragma once

#include <utility>
#include <vector>

#include "delassus/constraints/state.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/operators/kkt.hpp"
#include "delassus/solvers/proximal.hpp"
#include "math/instantiate.hpp"
#include "solvers/unconstrained_motion.hpp"

namespace delassus {

template <class T, class Op = CondensedDelassus<T>>
requires DelassusOperator<Op, T>
class ConstrainedDynamics {
 public:
  explicit ConstrainedDynamics(const Model& model, const ProximalOptions& options = {})
      : ConstrainedDynamics(model, make_operator(model), options) {}
  /// With an operator that has options of its own. It need not refine its solves: the proximal steps do.
  ConstrainedDynamics(const Model& model, Op op, const ProximalOptions& options = {})
      : op_(std::move(op)), motion_(model), proximal_(options), response_(static_cast<std::size_t>(model.nv()), T(0)) {}

  /// Plans ahead, so that factor need not.
  void update_structure(const State<T>& state) {
    op_.update_structure(state.model(), state.rows());
    factored_ = false;
    reserve(state.num_rows());
  }

  /// Takes over one configuration; statuses are those of the operator.
  Status factor(const State<T>& state) {
    Status status = op_.factor(state);
    if (status.ok()) status = motion_.factor(op_, state);
    factored_ = status.ok();
    return status;
  }

  /// Accelerations and forces with the joint forces tau and the row accelerations a* (state.target makes them), at the
  /// state of the last factor; its velocities may have changed since. lambda is the start as well, zero if nothing better is
  /// known: the force that is found is the one nearest to it. kInfeasible, where the rows contradict each other: qdd misses
  /// a* least, in the sum of squares over rows, and is nearest to the free motion; remainder() says by how much.
  Status solve(const State<T>& state, In<T> tau, In<T> target, Out<T> qdd, Out<T> lambda);

  /// Velocities after an impact at the state of the last factor, Jν⁺ = -restitution Jν⁻ row by row (0 to 1), and the impulse that
  /// does it; lambda is its start as well. `after` may be the velocities of the state themselves. kBadArgument: a size, or a
  /// restitution beyond 0 to 1.
  Status solve_impact(const State<T>& state, In<T> restitution, Out<T> after, Out<T> lambda);

  const Op& op() const { return op_; }
  /// For who solves with it as well, and damps it (ConstrainedDerivatives).
  Op& op() { return op_; }
  const ProximalReport<T>& report() const { return proximal_.report(); }
  /// a* - Jν̇ of the last solve.
  const std::vector<T>& remainder() const { return proximal_.remainder(); }

 private:
  static Op make_operator(const Model& model) {
    if constexpr (std::is_same_v<Op, CondensedDelassus<T>>) {
      return Op(model, CondensedOptions{.tolerance = 1e-4, .refinements = 1});
    } else {
      return Op(model);
    }
  }
  Status check_state(const State<T>& state) const {
    if (!factored_) return kTooEarly;
    return check_sizes(
        {{0, state.num_rows(), op_.rows()}, {0, state.model().nv(), static_cast<int>(response_.size())}});
  }
  static bool is_restitution(In<T> restitution) {
    for (int r = 0; r < restitution.size(); ++r) {
      if (!all_lanes(is_finite(restitution[r])) || all_lanes(restitution[r] < T(0)) || all_lanes(T(1) < restitution[r]))
        return false;
    }
    return true;
  }
  void reserve(int rows) {
    wanted_.reserve(static_cast<std::size_t>(rows));
    proximal_.reserve(rows);
  }

  Op op_;
  UnconstrainedMotion<T, Op> motion_;
  Proximal<T> proximal_;
  bool factored_ = false;
  std::vector<T> wanted_, response_;
};

template <class T, class Op>
requires DelassusOperator<Op, T> Status ConstrainedDynamics<T, Op>::solve(const State<T>& state, In<T> tau,
                                                                          In<T> target, Out<T> qdd, Out<T> lambda) {
  if (const Status s = check_state(state); !s.ok()) return s;
  const int m = op_.rows(), nv = state.model().nv();
  const Status fits =
      check_sizes({{1, tau.size(), nv}, {2, target.size(), m}, {3, qdd.size(), nv}, {4, lambda.size(), m}});
  if (!fits.ok()) return fits;
  wanted_.resize(static_cast<std::size_t>(op_.rows()));
  const T terms = motion_.begin(op_, state, tau, wanted_);
  const T size = max(largest(target.data(), op_.rows()), largest(wanted_.data(), op_.rows()));
  for (int r = 0; r < op_.rows(); ++r) wanted_[r] = target[r] - wanted_[r];
  const Status status = proximal_.solve(op_, wanted_, {size, terms}, lambda);
  motion_.end(op_, state, lambda, qdd);
  return status.ok() ? require_finite<T>(VectorView<const T>(qdd.data(), qdd.size()))
                     : status;  // past the rows as well
}

template <class T, class Op>
requires DelassusOperator<Op, T> Status ConstrainedDynamics<T, Op>::solve_impact(const State<T>& state,
                                                                                 In<T> restitution, Out<T> after,
                                                                                 Out<T> lambda) {
  if (const Status s = check_state(state); !s.ok()) return s;
  const int m = op_.rows();
  const Status fits =
      check_sizes({{1, restitution.size(), m}, {2, after.size(), state.model().nv()}, {3, lambda.size(), m}});
  if (!fits.ok()) return fits;
  if (!is_restitution(restitution)) return {Status::Code::kBadArgument, 1};
  wanted_.resize(static_cast<std::size_t>(op_.rows()));
  for (int r = 0; r < op_.rows(); ++r) wanted_[r] = -(T(1) + restitution[r]) * state.velocity()[r];
  const T size = largest(wanted_.data(), op_.rows());
  const Status status = proximal_.solve(op_, wanted_, {size, state.velocity_terms()}, lambda);
  op_.joint_response(lambda, response_);
  for (int k = 0; k < after.size(); ++k) after[k] = state.velocities().v[k] + response_[k];
  return status.ok() ? require_finite<T>(VectorView<const T>(after.data(), after.size()))
                     : status;  // past the rows as well
}

// On the condensed tree, and of plain numbers on the KKT factor, they are compiled in the library, with the flags of its kernels.
#define DELASSUS_INSTANTIATE(T) extern template class ConstrainedDynamics<T>;
DELASSUS_FOR_EACH_SOLVER_SCALAR(DELASSUS_INSTANTIATE)
#undef DELASSUS_INSTANTIATE
extern template class ConstrainedDynamics<float, KktDelassus<float>>;
extern template class ConstrainedDynamics<double, KktDelassus<double>>;

}  // namespace delassus
