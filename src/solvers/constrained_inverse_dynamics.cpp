#include "delassus/solvers/constrained_inverse_dynamics.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/math/view.hpp"
#include "math/cholesky.hpp"
#include "math/instantiate.hpp"
#include "math/pivot.hpp"
#include "solvers/proximal_method.hpp"

namespace delassus {

template <class T>
struct ConstrainedInverseDynamics<T>::Work {
  /// p degrees of freedom are passive.
  Work(const Model& model, std::size_t p, const ProximalOptions& options)
      : method(options), dynamics(model), forces(model), joint_force(static_cast<std::size_t>(model.nv()), T(0)) {
    for (std::vector<T>* square : {&gram, &factor}) square->assign(p * p, T(0));
    for (std::vector<T>* work : {&dual, &remainder, &step, &wanted, &floor, &saved}) work->assign(p, T(0));
    method.reserve(static_cast<int>(p));
  }

  ProximalMethod<T> method;
  InverseDynamics<T> dynamics;
  LinkForces<T> forces;
  std::vector<T> joint_force;            // M ν̇ + h, less what other forces do
  std::vector<T> J, gram, factor;        // J (rows × nv), A Aᵀ, and its Cholesky factor with damping
  std::vector<T> dual, remainder, step;  // λ = start + Aᵀ dual
  std::vector<T> wanted, floor, saved;
};

/// A Aᵀ x = wanted. What no force can do makes x grow and is not felt by λ = Aᵀ x.
template <class T>
class ConstrainedInverseDynamics<T>::Problem {
 public:
  Problem(Work& self, int size) : self_(self), size_of_(size) {}

  int rows() const { return size_of_; }
  T scale() {
    T trace(0);
    for (int r = 0; r < rows(); ++r) trace += gram(r, r);
    return all_lanes(T(0) < trace) ? trace / T(static_cast<double>(rows())) : T(1);
  }
  /// Of all joint forces: what passive ones need is a difference of what other joints do.
  T size() const { return largest(self_.joint_force.data(), static_cast<int>(self_.joint_force.size())); }
  T terms() const { return size(); }

  Status damp(const T& damping) {
    return factor([&](int) { return damping; });
  }

  void find_remainder() {
    for (int r = 0; r < rows(); ++r) {
      T sum = self_.wanted[r];
      for (int c = 0; c < rows(); ++c) sum -= gram(std::max(r, c), std::min(r, c)) * self_.dual[c];
      self_.remainder[r] = sum;
    }
  }
  Status find_step() {
    self_.step = self_.remainder;
    const LowerView<const T> C{self_.factor.data(), rows()};
    solve_lower<T>(C, rows(), self_.step.data());
    solve_lower_transposed<T>(C, rows(), self_.step.data());
    return {};
  }
  /// Cholesky is as exact as it need be.
  Status refine_step(const T&) { return {}; }
  void filter(const T& damping) {
    for (int r = 0; r < rows(); ++r) self_.remainder[r] -= damping * self_.step[r];
  }
  void advance(const T& steps) {
    for (int r = 0; r < rows(); ++r) self_.dual[r] += steps * self_.step[r];
  }
  bool is_balanced() const { return true; }
  T reach() {
    T felt(0), most(0);
    for (int r = 0; r < rows(); ++r) {
      for (int c = 0; c < rows(); ++c) {
        felt += self_.remainder[r] * gram(std::max(r, c), std::min(r, c)) * self_.remainder[c];
      }
      most += gram(r, r) * self_.remainder[r] * self_.remainder[r];
    }
    return all_lanes(T(0) < most) ? felt / most : T(0);
  }
  Status damp_by_rows(const T& part) {
    const T most = scale();
    return factor([&](int r) { return part * select(T(0) < gram(r, r), gram(r, r), most); });
  }
  void save() { self_.saved = self_.dual; }
  void restore() { self_.dual = self_.saved; }

  VectorView<const T> force() const { return self_.dual; }
  VectorView<const T> remainder() const { return self_.remainder; }
  VectorView<const T> step() const { return self_.step; }

 private:
  template <class Damping>
  Status factor(Damping&& damping) {
    std::copy(self_.gram.begin(), self_.gram.end(), self_.factor.begin());
    const LowerView<T> C{self_.factor.data(), rows()};
    for (int r = 0; r < rows(); ++r) {
      C(r, r) += damping(r);
      self_.floor[r] = T(kPivotTolerance<T>) * C(r, r);
    }
    return cholesky_in_place<T>(C, self_.floor);
  }
  const T& gram(int r, int c) const { return self_.gram[static_cast<std::size_t>(c) * rows() + r]; }

  Work& self_;
  int size_of_;
};

template <class T>
ConstrainedInverseDynamics<T>::ConstrainedInverseDynamics(const Model& model, Actuation actuation,
                                                          const ProximalOptions& options)
    : actuation_(std::move(actuation)), work_(std::in_place, model, actuation_.passive().size(), options) {
  require_size("actuation (degrees of freedom)", actuation_.size() + static_cast<int>(actuation_.passive().size()),
               model.nv());
}

template <class T>
void ConstrainedInverseDynamics<T>::reserve(int rows) {
  work_->J.reserve(static_cast<std::size_t>(rows) * work_->joint_force.size());
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
  work_->J.resize(static_cast<std::size_t>(m) * n);
  const MatrixView<T> J(work_->J.data(), m, n);
  constraint_jacobian<T>(model, state.kinematics(), state.rows(), J);
  drop_rounding(J);
  rnea<T>(model, state.kinematics(), state.velocities(), qdd, work_->joint_force, work_->dynamics);
  for (int k = 0; other != nullptr && k < n; ++k) work_->joint_force[k] -= other[k];
  const auto& passive = actuation_.passive();
  for (std::size_t a = 0; a < passive.size(); ++a) {
    T sum = work_->joint_force[passive[a]];
    for (int r = 0; r < m; ++r) sum -= J(r, passive[a]) * start[r];
    work_->wanted[a] = sum;
    work_->dual[a] = T(0);
    for (std::size_t b = 0; b <= a; ++b) {
      T dot(0);
      for (int r = 0; r < m; ++r) dot += J(r, passive[a]) * J(r, passive[b]);
      work_->gram[b * passive.size() + a] = dot;
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
  const Status fits = check_sizes({{0, n, static_cast<int>(work_->joint_force.size())},
                                   {1, qdd.size(), n},
                                   {2 + behind, tau.size(), n},
                                   {3 + behind, lambda.size(), m}});
  if (!fits.ok()) return fits;
  gather(state, qdd, other, VectorView<const T>(lambda.data(), m));
  const auto& passive = actuation_.passive();
  Problem problem(*work_, static_cast<int>(passive.size()));
  const Status status = work_->method.solve(problem);
  for (int r = 0; r < m; ++r) {
    for (std::size_t a = 0; a < passive.size(); ++a) {
      lambda[r] += work_->J[static_cast<std::size_t>(r) * n + passive[a]] * work_->dual[a];
    }
  }
  apply_jacobian_transpose<T>(model, state.kinematics(), state.rows(), lambda, tau, work_->forces);
  for (int k = 0; k < n; ++k) tau[k] = work_->joint_force[k] - tau[k];
  for (const std::int32_t k : passive) tau[k] = T(0);
  if (const Status finite = require_finite<T>(VectorView<const T>(tau.data(), n)); !finite.ok()) return finite;
  return status.ok() ? status : Status{Status::Code::kUnbalanced, passive[status.index]};
}

template <class T>
const ProximalReport<T>& ConstrainedInverseDynamics<T>::report() const {
  return work_->method.report();
}

template <class T>
const std::vector<T>& ConstrainedInverseDynamics<T>::remainder() const {
  return work_->remainder;
}

#define DELASSUS_INSTANTIATE(T) template class ConstrainedInverseDynamics<T>;
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
