// The numbers of a contact's rows. Shared by lowering, and by batches in which each lane has a contact point of its own.
#pragma once

#include "delassus/constraints/constraint.hpp"
#include "delassus/kinematics/kinematics.hpp"

namespace delassus {

template <class T>
DELASSUS_INLINE void put_vector(T* to, const Vec3<T>& v) {
  to[0] = v[0];
  to[1] = v[1];
  to[2] = v[2];
}

/// Values of the point blocks on links a and b (null on the world), where the contact lies `lever` away from a's origin.
/// axes(to, opposite) writes the directions of all rows, or their opposites.
template <class T, class Axes>
DELASSUS_INLINE void fill_contact(const Kinematics<T>& kin, int a, int b, const Vec3<T>& lever, T* on_a, T* on_b,
                                  Axes&& axes) {
  if (on_a) {
    put_vector(on_a, lever);
    axes(on_a + 3, false);
  }
  if (on_b) {
    put_vector<T>(on_b, lever + (kin.pose[a].p - kin.pose[b].p));
    axes(on_b + 3, true);
  }
}

}  // namespace delassus
