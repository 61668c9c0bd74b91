// Inverse dynamics under constraints: motors and constraint forces that make a motion.
//
//   M ν̇ + h = τ + Jᵀ λ,   τ = 0 where there is no motor
//
// Where joints are passive, as the floating base of a walking robot or the joints of a loop, constraint forces have to do it:
// A λ = (M ν̇ + h) at the passive degrees of freedom, A = those rows of Jᵀ. Of all forces that do, the least is taken, and the
// motors do the rest. docs/algorithms/constrained-dynamics.md.
//
// Cost: inverse dynamics, J, and a dense factorization of the size of the passive degrees of freedom p: O(n + m d + m p² + p³).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "delassus/constraints/state.hpp"
#include "delassus/math/arguments.hpp"
#include "delassus/math/boxed.hpp"
#include "delassus/model/model.hpp"
#include "delassus/solvers/proximal.hpp"

namespace delassus {

/// Which degrees of freedom have motors.
class Actuation {
 public:
  /// Motors at all joints but free ones: a floating robot whose joints are all driven.
  explicit Actuation(const Model& model);
  /// Motors at all degrees of freedom of these joints, in this order. Throws an Error that names a joint which is not there or
  /// comes twice.
  Actuation(const Model& model, std::span<const std::string> motors);

  int size() const { return static_cast<int>(driven_.size()); }
  /// Degrees of freedom with a motor, in the order of the motors, and those without, ascending.
  const std::vector<std::int32_t>& driven() const { return driven_; }
  const std::vector<std::int32_t>& passive() const { return passive_; }

  /// tau: what the motors do as joint forces, zero where there is none.
  template <class T>
  CallStatus expand(VectorView<const T> motors, VectorView<T> tau) const {
    const int nv = size() + static_cast<int>(passive_.size());
    if (const Status s = check_vectors(motors, size(), tau, nv); !s.ok()) return spoiled(s, tau);
    for (const std::int32_t k : passive_) tau[k] = T(0);
    for (int k = 0; k < size(); ++k) tau[driven_[k]] = motors[k];
    return {};
  }
  /// What the motors have to do of joint forces.
  template <class T>
  CallStatus select(VectorView<const T> tau, VectorView<T> motors) const {
    const int nv = size() + static_cast<int>(passive_.size());
    const Status s = check_sizes({{0, tau.size(), nv}, {1, motors.size(), size()}});
    if (!s.ok()) return spoiled(s, motors);
    for (int k = 0; k < size(); ++k) motors[k] = tau[driven_[k]];
    return {};
  }

 private:
  std::vector<std::int32_t> driven_, passive_;
};

template <class T>
class ConstrainedInverseDynamics {
 public:
  ConstrainedInverseDynamics(const Model& model, Actuation actuation, const ProximalOptions& options = {});

  /// Memory for so many rows; solve allocates beyond only.
  void reserve(int rows);

  /// tau (nv) and lambda for the accelerations qdd. lambda is the start as well: the force that is found is the one nearest to
  /// it. Whether the constraints allow qdd is not asked. kUnbalanced names the passive degree of freedom that is missed most,
  /// where no constraint force can do it; tau and lambda miss least then, and remainder() says by how much.
  Status solve(const State<T>& state, In<T> qdd, Out<T> tau, Out<T> lambda);
  /// The same where other joint forces act too, as those of a load that a hand carries.
  Status solve(const State<T>& state, In<T> qdd, In<T> other, Out<T> tau, Out<T> lambda);

  const Actuation& actuation() const { return actuation_; }
  const ProximalReport<T>& report() const;
  /// The forces that are missing, one for each passive degree of freedom in the order of actuation().passive().
  const std::vector<T>& remainder() const;

 private:
  struct Work;
  class Problem;

  Status balance(const State<T>& state, In<T> qdd, const T* other, Out<T> tau, Out<T> lambda);
  void gather(const State<T>& state, In<T> qdd, const T* other, In<T> start);

  Actuation actuation_;
  Boxed<Work> work_;
};

}  // namespace delassus
