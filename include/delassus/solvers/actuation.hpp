// Which degrees of freedom have motors.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "delassus/math/arguments.hpp"
#include "delassus/model/model.hpp"

namespace delassus {

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

}  // namespace delassus
