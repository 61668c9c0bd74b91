#include "delassus/solvers/constrained_dynamics.hpp"

#include <type_traits>
#include <variant>

#include "math/finite.hpp"
#include "math/instantiate.hpp"
#include "operators/refinement.hpp"
#include "solvers/unconstrained_motion.hpp"

namespace delassus {
namespace {

template <class T>
bool is_restitution(In<T> restitution) {
  for (int r = 0; r < restitution.size(); ++r) {
    if (!all_lanes(is_finite(restitution[r])) || all_lanes(restitution[r] < T(0)) || all_lanes(T(1) < restitution[r]))
      return false;
  }
  return true;
}

}  // namespace

/// Around solves, in the way that the operator offers.
template <class T>
struct ConstrainedSystem<T>::Motion {
  using BySweeps = MotionBySweeps<T, CondensedDelassus<T>>;
  using ByInertia = MotionByInertia<T, KktDelassus<T>>;
  using Apart = MotionApart<T, OperatorRef<T>>;
  // There is no KKT factor of dual numbers.
  using Ways =
      std::conditional_t<OperatorScalar<T>, std::variant<Apart, BySweeps, ByInertia>, std::variant<Apart, BySweeps>>;

  Motion(const Model& model, const InertiaOperator<T>& op) : chosen(make_way(model, op)) {}

  static Ways make_way(const Model& model, const InertiaOperator<T>& op) {
    if (op.tree) return BySweeps(model);
    if constexpr (OperatorScalar<T>) {
      if (op.factor) return ByInertia(model);
    }
    return Apart(model);
  }

  /// f(the way, the operator as it wants it).
  template <class F>
  auto visit(const InertiaOperator<T>& op, F&& f) {
    return std::visit(
        [&]<class Way>(Way& way) {
          if constexpr (std::same_as<Way, BySweeps>) {
            return f(way, *op.tree);
          } else if constexpr (std::same_as<Way, ByInertia>) {
            return f(way, *op.factor);
          } else {
            return f(way, op.ref);
          }
        },
        chosen);
  }

  Ways chosen;
};

template <class T>
ConstrainedSystem<T>::ConstrainedSystem(const Model& model, const InertiaOperator<T>& op,
                                        const ProximalOptions& options)
    : motion_(std::in_place, model, op), proximal_(options), response_(static_cast<std::size_t>(model.nv()), T(0)) {}

template <class T>
void ConstrainedSystem<T>::update_structure(const State<T>& state) {
  factored_ = false;
  wanted_.reserve(static_cast<std::size_t>(state.num_rows()));
  proximal_.reserve(state.num_rows());
}

template <class T>
Status ConstrainedSystem<T>::factor(const Status& own, const InertiaOperator<T>& op, const State<T>& state) {
  Status status = own;
  if (own.ok()) status = motion_->visit(op, [&](auto& way, const auto& of) { return way.factor(of, state); });
  factored_ = status.ok();
  return status;
}

template <class T>
Status ConstrainedSystem<T>::check_state(int rows, const State<T>& state) const {
  if (!factored_) return kTooEarly;
  return check_sizes({{0, state.num_rows(), rows}, {0, state.model().nv(), static_cast<int>(response_.size())}});
}

template <class T>
Status ConstrainedSystem<T>::solve(const InertiaOperator<T>& op, const State<T>& state, In<T> tau, In<T> target,
                                   Out<T> qdd, Out<T> lambda) {
  const int m = op.ref.rows(), nv = state.model().nv();
  if (const Status s = check_state(m, state); !s.ok()) return s;
  const Status fits =
      check_sizes({{1, tau.size(), nv}, {2, target.size(), m}, {3, qdd.size(), nv}, {4, lambda.size(), m}});
  if (!fits.ok()) return fits;
  wanted_.resize(static_cast<std::size_t>(m));
  const T terms = motion_->visit(op, [&](auto& way, const auto& of) { return way.begin(of, state, tau, wanted_); });
  const T size = max(largest(target.data(), m), largest(wanted_.data(), m));
  for (int r = 0; r < m; ++r) wanted_[r] = target[r] - wanted_[r];
  const Status status = proximal_.solve(op.ref, wanted_, {size, terms}, lambda);
  motion_->visit(op, [&](auto& way, const auto& of) { way.end(of, state, lambda, qdd); });
  return status.ok() ? require_finite<T>(VectorView<const T>(qdd.data(), qdd.size()))
                     : status;  // past the rows as well
}

template <class T>
Status ConstrainedSystem<T>::solve_impact(const InertiaOperator<T>& op, const State<T>& state, In<T> restitution,
                                          Out<T> after, Out<T> lambda) {
  const int m = op.ref.rows();
  if (const Status s = check_state(m, state); !s.ok()) return s;
  const Status fits =
      check_sizes({{1, restitution.size(), m}, {2, after.size(), state.model().nv()}, {3, lambda.size(), m}});
  if (!fits.ok()) return fits;
  if (!is_restitution<T>(restitution)) return {Status::Code::kBadArgument, 1};
  wanted_.resize(static_cast<std::size_t>(m));
  for (int r = 0; r < m; ++r) wanted_[r] = -(T(1) + restitution[r]) * state.velocity()[r];
  const T size = largest(wanted_.data(), m);
  const Status status = proximal_.solve(op.ref, wanted_, {size, state.velocity_terms()}, lambda);
  op.ref.joint_response(lambda, response_);
  for (int k = 0; k < after.size(); ++k) after[k] = state.velocities().v[k] + response_[k];
  return status.ok() ? require_finite<T>(VectorView<const T>(after.data(), after.size()))
                     : status;  // past the rows as well
}

#define DELASSUS_INSTANTIATE(T) template class ConstrainedSystem<T>;
DELASSUS_FOR_EACH_SOLVER_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
