// The inertia of a link in world axes, about its origin: from the kinematics, or made where it is used.
#pragma once

#include "delassus/kinematics/kinematics.hpp"
#include "model/link_lanes.hpp"

namespace delassus {

/// Whether Kinematics::inertia is filled. Not for packs: those of a humanoid do not fit into the first cache, and
/// rotating an inertia takes less time than storing and fetching it.
template <class T>
inline constexpr bool kStoresInertia = true;
template <class T, int W, class Role>
inline constexpr bool kStoresInertia<Pack<T, W, Role>> = false;

template <class T>
DELASSUS_INLINE RigidInertia<T> link_inertia(const ModelOf<T>& model, const Kinematics<T>& kin, int i) {
  if constexpr (kStoresInertia<T>) {
    return kin.inertia[i];
  } else {
    return rotated<T>(inertia_of<T>(model, i), kin.pose[i].R);
  }
}

template <class T>
DELASSUS_INLINE T link_mass(const ModelOf<T>& model, const Kinematics<T>& kin, int i) {
  if constexpr (kStoresInertia<T>) {
    return kin.inertia[i].mass;
  } else {
    return inertia_of<T>(model, i).mass;
  }
}

/// Mass times centre of mass.
template <class T>
DELASSUS_INLINE Vec3<T> link_moment(const ModelOf<T>& model, const Kinematics<T>& kin, int i) {
  if constexpr (kStoresInertia<T>) {
    return kin.inertia[i].moment;
  } else {
    return kin.pose[i].R * inertia_of<T>(model, i).moment;
  }
}

}  // namespace delassus
