// Energies of a mechanism in one state.
#pragma once

#include "delassus/kinematics/kinematics.hpp"

namespace delassus {

/// ½ νᵀ M ν, armature included.
template <class T>
T kinetic_energy(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel);

/// -Σ m g·c over all that moves: zero where its centre of mass is at the height of the world's origin. Springs are no part of
/// it, as they are none of forward dynamics.
template <class T>
T potential_energy(const Model& model, const Kinematics<T>& kin);

}  // namespace delassus
