// Energies of a mechanism in one state.
#pragma once

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/kinematics/link_inertia.hpp"

namespace delassus {

/// ½ νᵀ M ν, armature included.
template <class T>
T kinetic_energy(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel) {
  T twice(0);
  for (int i = 0; i < model.num_links(); ++i)
    twice += dot(vel.velocity[i], link_inertia(model, kin, i) * vel.velocity[i]);
  for (int k = 0; k < model.nv(); ++k) twice += T(model.armature()[k]) * vel.v[k] * vel.v[k];
  return T(0.5) * twice;
}

/// -Σ m g·c over all that moves: zero where its centre of mass is at the height of the world's origin. Springs are no part of
/// it, as they are none of forward dynamics.
template <class T>
T potential_energy(const Model& model, const Kinematics<T>& kin) {
  Vec3<T> moment = Vec3<T>::zero();
  for (int i = 0; i < model.num_links(); ++i)
    moment += link_mass(model, kin, i) * kin.pose[i].p + link_moment(model, kin, i);
  return -dot(cast<T>(model.gravity()), moment);
}

}  // namespace delassus
