// Forward dynamics under equality constraints, on any Delassus operator (docs/algorithms/constrained-dynamics.md).
//
//   M ν̇ + h = τ + Jᵀ λ,   J ν̇ = a*
//
// The free motion says which accelerations the constraints still have to add, b = a* - J M⁻¹ (τ - h); the proximal method
// finds λ; M⁻¹ Jᵀ λ is what they add to the joints.
#pragma once

#include <concepts>
#include <utility>
#include <vector>

#include "delassus/constraints/state.hpp"
#include "delassus/math/boxed.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/operators/kkt.hpp"
#include "delassus/solvers/proximal.hpp"

namespace delassus {

/// An operator, and whether it has articulated the tree or factored M already, so that nobody does it twice.
template <class T>
struct InertiaOperator {
  template <class Op>
  requires DelassusOperator<Op, T> InertiaOperator(Op& op) : ref(op) {  // NOLINT: implicit by design
    if constexpr (std::derived_from<Op, CondensedDelassus<T>>) tree = &op;
    if constexpr (std::derived_from<Op, KktDelassus<T>>) factor = &op;
  }

  OperatorRef<T> ref;
  const CondensedDelassus<T>* tree = nullptr;
  const KktDelassus<T>* factor = nullptr;
};

/// What of ConstrainedDynamics does not depend on its operator's type. Each call has to get the operator that it was made with, or a copy.
template <class T>
class ConstrainedSystem {
 public:
  static_assert(OperatorScalar<T> || std::same_as<T, DualDouble>,
                "the proximal method has no kernels for this scalar: it takes float, double, Counted and Dual<double>");

  ConstrainedSystem(const Model& model, const InertiaOperator<T>& op, const ProximalOptions& options);

  void update_structure(const State<T>& state);
  /// After the operator's own, with its status.
  Status factor(const Status& own, const InertiaOperator<T>& op, const State<T>& state);
  Status solve(const InertiaOperator<T>& op, const State<T>& state, In<T> tau, In<T> target, Out<T> qdd, Out<T> lambda);
  Status solve_impact(const InertiaOperator<T>& op, const State<T>& state, In<T> restitution, Out<T> after,
                      Out<T> lambda);

  const ProximalReport<T>& report() const { return proximal_.report(); }
  const std::vector<T>& remainder() const { return proximal_.remainder(); }

 private:
  struct Motion;
  Status check_state(int rows, const State<T>& state) const;

  Boxed<Motion> motion_;
  Proximal<T> proximal_;
  bool factored_ = false;
  std::vector<T> wanted_, response_;
};

template <class T, class Op = CondensedDelassus<T>>
requires DelassusOperator<Op, T>
class ConstrainedDynamics {
 public:
  explicit ConstrainedDynamics(const Model& model, const ProximalOptions& options = {})
      : ConstrainedDynamics(model, make_operator(model), options) {}
  /// With an operator that has options of its own. It need not refine its solves: the proximal steps do.
  ConstrainedDynamics(const Model& model, Op op, const ProximalOptions& options = {})
      : op_(std::move(op)), system_(model, op_, options) {}

  /// Plans ahead, so that factor need not.
  void update_structure(const State<T>& state) {
    op_.update_structure(state.model(), state.rows());
    system_.update_structure(state);
  }

  /// Takes over one configuration; statuses are those of the operator.
  Status factor(const State<T>& state) { return system_.factor(op_.factor(state), op_, state); }

  /// Accelerations and forces with the joint forces tau and the row accelerations a* (state.target makes them), at the
  /// state of the last factor; its velocities may have changed since. lambda is the start as well, zero if nothing better is
  /// known: the force that is found is the one nearest to it. kInfeasible, where the rows contradict each other: qdd misses
  /// a* least, in the sum of squares over rows, and is nearest to the free motion; remainder() says by how much.
  Status solve(const State<T>& state, In<T> tau, In<T> target, Out<T> qdd, Out<T> lambda) {
    return system_.solve(op_, state, tau, target, qdd, lambda);
  }

  /// Velocities after an impact at the state of the last factor, Jν⁺ = -restitution Jν⁻ row by row (0 to 1), and the impulse that
  /// does it; lambda is its start as well. `after` may be the velocities of the state themselves. kBadArgument: a size, or a
  /// restitution beyond 0 to 1.
  Status solve_impact(const State<T>& state, In<T> restitution, Out<T> after, Out<T> lambda) {
    return system_.solve_impact(op_, state, restitution, after, lambda);
  }

  const Op& op() const { return op_; }
  /// For who solves with it as well, and damps it (ConstrainedDerivatives).
  Op& op() { return op_; }
  const ProximalReport<T>& report() const { return system_.report(); }
  /// a* - Jν̇ of the last solve.
  const std::vector<T>& remainder() const { return system_.remainder(); }

 private:
  static Op make_operator(const Model& model) {
    if constexpr (std::same_as<Op, CondensedDelassus<T>>) {
      return Op(model, CondensedOptions{.tolerance = 1e-4, .refinements = 1});
    } else {
      return Op(model);
    }
  }

  Op op_;
  ConstrainedSystem<T> system_;
};

}  // namespace delassus
