// Second stage: how everything moves, and how it would accelerate if every joint acceleration were zero.
#pragma once

#include "delassus/kinematics/kinematics.hpp"

namespace delassus {

/// World axes, about the link's origin; the linear part is the velocity (acceleration) of that origin itself.
template <class T>
struct Velocities {
  explicit Velocities(const Model& model);

  std::vector<T> v;
  LinkArray<Motion<T>> velocity;
  /// Classical acceleration at zero joint acceleration: what J̇ν is made of. Gravity is not in it.
  LinkArray<Motion<T>> bias_acceleration;
};

template <class T>
void update_velocities(const Model& model, const Kinematics<T>& kin, In<T> v, Velocities<T>& vel);

}  // namespace delassus
