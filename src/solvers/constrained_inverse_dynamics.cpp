#include "delassus/solvers/constrained_inverse_dynamics.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "delassus/math/view.hpp"
#include "math/cholesky.hpp"
#include "math/instantiate.hpp"
#include "math/pivot.hpp"

namespace delassus {

/// A Aᵀ x = wanted. What no force can do makes x grow and is not felt by λ = Aᵀ x.
template <class T>
class ConstrainedInverseDynamics<T>::Problem {
 public:
  Problem(ConstrainedInverseDynamics& self, int size) : self_(self), size_of_(size) {}

  int rows() const { return size_of_; }
  T scale() {
    T trace(0);
    for (int r = 0; r < rows(); ++r) trace += gram(r, r);
    return all_lanes(T(0) < trace) ? trace / T(static_cast<double>(rows())) : T(1);
  }
  /// Of all joint forces: what passive ones need is a difference of what other joints do.
  T size() const { return largest(self_.joint_force_.data(), static_cast<int>(self_.joint_force_.size())); }
  T terms() const { return size(); }

  Status damp(const T& damping) {
    return factor([&](int) { return damping; });
  }

  void find_remainder() {
    for (int r = 0; r < rows(); ++r) {
      T sum = self_.wanted_[r];
      for (int c = 0; c < rows(); ++c) sum -= gram(std::max(r, c), std::min(r, c)) * self_.dual_[c];
      self_.remainder_[r] = sum;
    }
  }
  Status find_step() {
    self_.step_ = self_.remainder_;
    const LowerView<const T> C{self_.factor_.data(), rows()};
    solve_lower<T>(C, rows(), self_.step_.data());
    solve_lower_transposed<T>(C, rows(), self_.step_.data());
    return {};
  }
  /// Cholesky is as exact as it need be.
  Status refine_step(const T&) { return {}; }
  void filter(const T& damping) {
    for (int r = 0; r < rows(); ++r) self_.remainder_[r] -= damping * self_.step_[r];
  }
  void advance(const T& steps) {
    for (int r = 0; r < rows(); ++r) self_.dual_[r] += steps * self_.step_[r];
  }
  bool is_balanced() const { return true; }
  T reach() {
    T felt(0), most(0);
    for (int r = 0; r < rows(); ++r) {
      for (int c = 0; c < rows(); ++c) {
        felt += self_.remainder_[r] * gram(std::max(r, c), std::min(r, c)) * self_.remainder_[c];
      }
      most += gram(r, r) * self_.remainder_[r] * self_.remainder_[r];
    }
    return all_lanes(T(0) < most) ? felt / most : T(0);
  }
  Status damp_by_rows(const T& part) {
    const T most = scale();
    return factor([&](int r) { return part * select(T(0) < gram(r, r), gram(r, r), most); });
  }
  void save() { self_.saved_ = self_.dual_; }
  void restore() { self_.dual_ = self_.saved_; }

  VectorView<const T> force() const { return self_.dual_; }
  VectorView<const T> remainder() const { return self_.remainder_; }
  VectorView<const T> step() const { return self_.step_; }

 private:
  template <class Damping>
  Status factor(Damping&& damping) {
    std::copy(self_.gram_.begin(), self_.gram_.end(), self_.factor_.begin());
    const LowerView<T> C{self_.factor_.data(), rows()};
    for (int r = 0; r < rows(); ++r) {
      C(r, r) += damping(r);
      self_.floor_[r] = T(kPivotTolerance<T>) * C(r, r);
    }
    return cholesky_in_place<T>(C, self_.floor_);
  }
  const T& gram(int r, int c) const { return self_.gram_[static_cast<std::size_t>(c) * rows() + r]; }

  ConstrainedInverseDynamics& self_;
  int size_of_;
};

template <class T>
ConstrainedInverseDynamics<T>::ConstrainedInverseDynamics(const Model& model, Actuation actuation,
                                                          const ProximalOptions& options)
    : actuation_(std::move(actuation)),
      method_(options),
      dynamics_(model),
      forces_(model),
      joint_force_(static_cast<std::size_t>(model.nv()), T(0)) {
  require_size("actuation (degrees of freedom)", actuation_.size() + static_cast<int>(actuation_.passive().size()),
               model.nv());
  const std::size_t p = actuation_.passive().size();
  for (std::vector<T>* square : {&gram_, &factor_}) square->assign(p * p, T(0));
  for (std::vector<T>* work : {&dual_, &remainder_, &step_, &wanted_, &floor_, &saved_}) work->assign(p, T(0));
  method_.reserve(static_cast<int>(p));
}

template <class T>
void ConstrainedInverseDynamics<T>::reserve(int rows) {
  J_.reserve(static_cast<std::size_t>(rows) * joint_force_.size());
}

/// Loops within the robot do nothing to its floating base: what their rows have there is rounding, and no force to hold it with.
template <class T>
void drop_rounding(MatrixView<T> J) {
  if constexpr (FloatingPoint<T>) {
    constexpr T kRounding = 1000 * std::numeric_limits<T>::epsilon();
    for (int r = 0; r < J.rows(); ++r) {
      T most(0);
      for (int k = 0; k < J.cols(); ++k) most = max(most, max(J(r, k), -J(r, k)));
      for (int k = 0; k < J.cols(); ++k) {
        if (max(J(r, k), -J(r, k)) < kRounding * most) J(r, k) = T(0);
      }
    }
  }
}

/// J, M ν̇ + h, and what the start leaves to be done at the passive degrees of freedom.
template <class T>
void ConstrainedInverseDynamics<T>::gather(const State<T>& state, In<T> qdd, const T* other, In<T> start) {
  const Model& model = state.model();
  const int m = state.num_rows(), n = model.nv();
  J_.resize(static_cast<std::size_t>(m) * n);
  const MatrixView<T> J(J_.data(), m, n);
  constraint_jacobian<T>(model, state.kinematics(), state.rows(), J);
  drop_rounding(J);
  rnea<T>(model, state.kinematics(), state.velocities(), qdd, joint_force_, dynamics_);
  for (int k = 0; other != nullptr && k < n; ++k) joint_force_[k] -= other[k];
  const auto& passive = actuation_.passive();
  for (std::size_t a = 0; a < passive.size(); ++a) {
    T sum = joint_force_[passive[a]];
    for (int r = 0; r < m; ++r) sum -= J(r, passive[a]) * start[r];
    wanted_[a] = sum;
    dual_[a] = T(0);
    for (std::size_t b = 0; b <= a; ++b) {
      T dot(0);
      for (int r = 0; r < m; ++r) dot += J(r, passive[a]) * J(r, passive[b]);
      gram_[b * passive.size() + a] = dot;
    }
  }
}

template <class T>
Status ConstrainedInverseDynamics<T>::solve(const State<T>& state, In<T> qdd, Out<T> tau, Out<T> lambda) {
  return balance(state, qdd, nullptr, tau, lambda);
}

template <class T>
Status ConstrainedInverseDynamics<T>::solve(const State<T>& state, In<T> qdd, In<T> other, Out<T> tau, Out<T> lambda) {
  if (const Status s = check_sizes({{2, other.size(), state.model().nv()}}); !s.ok()) return s;
  return balance(state, qdd, other.data(), tau, lambda);
}

template <class T>
Status ConstrainedInverseDynamics<T>::balance(const State<T>& state, In<T> qdd, const T* other, Out<T> tau,
                                              Out<T> lambda) {
  const Model& model = state.model();
  const int m = state.num_rows(), n = model.nv();
  const int behind = other == nullptr ? 0 : 1;  // one argument more before tau
  const Status fits = check_sizes({{0, n, static_cast<int>(joint_force_.size())},
                                   {1, qdd.size(), n},
                                   {2 + behind, tau.size(), n},
                                   {3 + behind, lambda.size(), m}});
  if (!fits.ok()) return fits;
  gather(state, qdd, other, VectorView<const T>(lambda.data(), m));
  const auto& passive = actuation_.passive();
  Problem problem(*this, static_cast<int>(passive.size()));
  const Status status = method_.solve(problem);
  for (int r = 0; r < m; ++r) {
    for (std::size_t a = 0; a < passive.size(); ++a) {
      lambda[r] += J_[static_cast<std::size_t>(r) * n + passive[a]] * dual_[a];
    }
  }
  apply_jacobian_transpose<T>(model, state.kinematics(), state.rows(), lambda, tau, forces_);
  for (int k = 0; k < n; ++k) tau[k] = joint_force_[k] - tau[k];
  for (const std::int32_t k : passive) tau[k] = T(0);
  if (const Status finite = require_finite<T>(VectorView<const T>(tau.data(), n)); !finite.ok()) return finite;
  return status.ok() ? status : Status{Status::Code::kUnbalanced, passive[status.index]};
}

#define DELASSUS_INSTANTIATE(T) template class ConstrainedInverseDynamics<T>;
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
