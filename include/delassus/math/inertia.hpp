// Rigid-body inertias (10 numbers) and articulated-body inertias (21 numbers), world axes, about a named point.
#pragma once

#include "delassus/math/spatial.hpp"
#include "delassus/math/symmetric.hpp"

namespace delassus {

/// Mass, first moment (mass times centre of mass, from the point) and rotational inertia about the point.
template <class T>
struct RigidInertia {
  T mass;
  Vec3<T> moment;
  Sym3<T> rotational;

  DELASSUS_INLINE static RigidInertia zero() { return {T(0), Vec3<T>::zero(), Sym3<T>::zero()}; }
  DELASSUS_INLINE RigidInertia& operator+=(const RigidInertia& b) {
    mass += b.mass;
    moment += b.moment;
    rotational += b.rotational;
    return *this;
  }
};

template <class T>
DELASSUS_INLINE Force<T> operator*(const RigidInertia<T>& I, const Motion<T>& m) {
  return {I.rotational * m.angular + cross(I.moment, m.linear), I.mass * m.linear - cross(I.moment, m.angular)};
}

template <class T>
DELASSUS_INLINE RigidInertia<T> rotated(const RigidInertia<T>& I, const Mat3<T>& R) {
  return {I.mass, R * I.moment, congruence(R, I.rotational)};
}

/// The same body about a point from which the present one lies `r` away.
template <class T>
DELASSUS_INLINE RigidInertia<T> shifted(const RigidInertia<T>& I, const Vec3<T>& r) {
  const Vec3<T> moment = I.moment + I.mass * r;
  RigidInertia<T> out{I.mass, moment, I.rotational};
  // Parallel axes without going through the centre of mass: with s = moment + I.moment (about new and old point),
  // the added term is (r·s) 1 - (r sᵀ + s rᵀ)/2.
  const Vec3<T> s = moment + I.moment;
  const T rs = dot(r, s);
  const T half(0.5);
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    out.rotational(i, i) += rs - r[i] * s[i];
    DELASSUS_UNROLL
    for (int j = 0; j < i; ++j) out.rotational(i, j) -= half * (r[i] * s[j] + r[j] * s[i]);
  }
  return out;
}

}  // namespace delassus
