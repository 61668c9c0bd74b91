// Forces from accelerations, the joint-space inertia matrix, and energies.
#pragma once

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/boxed.hpp"

namespace delassus {

/// The wrench on link i, about its origin, that its motion takes when its joints accelerate by nothing: inertia times
/// bias acceleration, gyroscopic terms, and minus the weight.
template <class T>
DELASSUS_INLINE Force<T> bias_wrench(const RigidInertia<T>& I, const Motion<T>& velocity, Motion<T> acceleration,
                                     const Vec3<T>& gravity) {
  acceleration.linear -= gravity;
  const Vec3<T>& w = velocity.angular;
  Force<T> f = I * acceleration;
  f.moment += cross(w, I.rotational * w);
  f.force += cross(w, cross(w, I.moment));
  return f;
}

template <class T>
struct InverseDynamics {
  explicit InverseDynamics(const Model& model);

  LinkArray<Motion<T>> acceleration;
  LinkArray<Force<T>> force;
};

/// tau = M qdd + h by the recursive Newton-Euler algorithm. tau may be qdd itself.
template <class T>
void rnea(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel, In<T> qdd, Out<T> tau,
          InverseDynamics<T>& work);

/// h = C(q, v) v + g(q): rnea at zero acceleration.
template <class T>
void bias_forces(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel, Out<T> h,
                 InverseDynamics<T>& work);

template <class T>
struct CompositeInertia {
  explicit CompositeInertia(const Model& model) : inertia(model, RigidInertia<T>::zero()) {}

  std::size_t bytes() const { return heap_bytes(inertia); }

  LinkArray<RigidInertia<T>> inertia;  // of the subtrees on a link, about the link's origin
};

/// M (nv × nv, both triangles, armature included) by the composite-rigid-body algorithm.
template <class T>
void crba(const Model& model, const Kinematics<T>& kin, MatrixOut<T> M, CompositeInertia<T>& work);

/// ½ νᵀ M ν, armature included.
template <class T>
T kinetic_energy(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel);

/// -Σ m g·c over all that moves: zero where its centre of mass is at the height of the world's origin. Springs are no part of
/// it, as they are none of forward dynamics.
template <class T>
T potential_energy(const Model& model, const Kinematics<T>& kin);

}  // namespace delassus
