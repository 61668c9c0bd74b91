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

/// Values of the point blocks on links a and b (null on the world), where the contact lies `lever` away from a's origin. axis(k) is the
/// direction n, t1 or t2.
template <class T, class Axis>
DELASSUS_INLINE void fill_contact(const Kinematics<T>& kin, int a, int b, const Vec3<T>& lever, int rows, T* on_a,
                                  T* on_b, Axis&& axis) {
  if (on_a) put_vector(on_a, lever);
  if (on_b) put_vector<T>(on_b, lever + (kin.pose[a].p - kin.pose[b].p));
  for (int row = 0; row < rows; ++row) {
    const Vec3<T> direction = axis(row < 3 ? row : row - 3);
    if (on_a) put_vector(on_a + 3 + 3 * row, direction);
    if (on_b) put_vector<T>(on_b + 3 + 3 * row, -direction);
  }
}

}  // namespace delassus
