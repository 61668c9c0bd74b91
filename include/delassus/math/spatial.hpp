// Spatial vectors (Featherstone): motions (angular; linear) and forces (moment; force), and inertias of rigid bodies; always in
// world axes here, about a reference point that the context names. Changing the point is a translation, never a rotation.
#pragma once

#include "delassus/math/mat.hpp"

namespace delassus {

template <class T>
struct Motion {
  Vec3<T> angular;
  Vec3<T> linear;

  DELASSUS_INLINE static Motion zero() { return filled(T(0)); }
  DELASSUS_INLINE static Motion filled(T x) { return {Vec3<T>::filled(x), Vec3<T>::filled(x)}; }
  DELASSUS_INLINE Motion& operator+=(const Motion& b) { return angular += b.angular, linear += b.linear, *this; }
  DELASSUS_INLINE friend Motion operator+(Motion a, const Motion& b) { return a += b; }
  DELASSUS_INLINE friend Motion operator-(const Motion& a, const Motion& b) {
    return {a.angular - b.angular, a.linear - b.linear};
  }
};

template <class T>
struct Force {
  Vec3<T> moment;
  Vec3<T> force;

  DELASSUS_INLINE static Force zero() { return filled(T(0)); }
  DELASSUS_INLINE static Force filled(T x) { return {Vec3<T>::filled(x), Vec3<T>::filled(x)}; }
  DELASSUS_INLINE Force& operator+=(const Force& b) { return moment += b.moment, force += b.force, *this; }
  DELASSUS_INLINE Force& operator-=(const Force& b) { return moment -= b.moment, force -= b.force, *this; }
  DELASSUS_INLINE friend Force operator+(Force a, const Force& b) { return a += b; }
  DELASSUS_INLINE friend Force operator-(Force a, const Force& b) { return a -= b; }
  DELASSUS_INLINE friend Force operator-(const Force& a) { return {-a.moment, -a.force}; }
};

/// Scaling a constant of one scalar by a value of another (a shared axis by one speed per lane).
template <class T, class X>
DELASSUS_INLINE Motion<X> scaled(const Motion<T>& m, X x) {
  Motion<X> out;
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    out.angular[i] = m.angular[i] * x;
    out.linear[i] = m.linear[i] * x;
  }
  return out;
}
template <class T, class X>
DELASSUS_INLINE Force<X> scaled(const Force<T>& f, X x) {
  Force<X> out;
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    out.moment[i] = f.moment[i] * x;
    out.force[i] = f.force[i] * x;
  }
  return out;
}

/// Power: motion and force about the same point.
template <class S, class T>
DELASSUS_INLINE auto dot(const Motion<S>& m, const Force<T>& f) {
  return dot(m.angular, f.moment) + dot(m.linear, f.force);
}

/// The motion of the same body about a point that lies `r` away from the present one.
template <class S, class T>
DELASSUS_INLINE Motion<T> shifted(const Motion<T>& m, const Vec3<S>& r) {
  return {m.angular, m.linear - cross(r, m.angular)};
}

/// The same wrench about a point from which the present one lies `r` away (r = present - new).
template <class S, class T>
DELASSUS_INLINE Force<T> shifted(const Force<T>& f, const Vec3<S>& r) {
  return {f.moment + cross(r, f.force), f.force};
}

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
