#include "delassus/dynamics/inverse_dynamics.hpp"

#include "kinematics/link_inertia.hpp"
#include "math/instantiate.hpp"

namespace delassus {

template <class T>
T kinetic_energy(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel) {
  T twice(0);
  for (int i = 0; i < model.num_links(); ++i)
    twice += dot(vel.velocity[i], link_inertia(model, kin, i) * vel.velocity[i]);
  for (int k = 0; k < model.nv(); ++k) twice += T(model.armature()[k]) * vel.v[k] * vel.v[k];
  return T(0.5) * twice;
}

template <class T>
T potential_energy(const Model& model, const Kinematics<T>& kin) {
  Vec3<T> moment = Vec3<T>::zero();
  for (int i = 0; i < model.num_links(); ++i)
    moment += link_mass(model, kin, i) * kin.pose[i].p + link_moment(model, kin, i);
  return -dot(cast<T>(model.gravity()), moment);
}

#define DELASSUS_INSTANTIATE(T)                                                           \
  template T kinetic_energy<T>(const Model&, const Kinematics<T>&, const Velocities<T>&); \
  template T potential_energy<T>(const Model&, const Kinematics<T>&);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
