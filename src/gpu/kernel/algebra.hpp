// Vectors, wrenches and articulated inertias of lanes, in world axes. Written out, so that sums of products become chains of fused
// multiply-adds.
#pragma once

#include "gpu/kernel/loops.hpp"

namespace delassus::gpu {

template <class T>
struct Vector {
  T x, y, z;
};
template <class T>
DELASSUS_LANE_INLINE Vector<T> zero_vector() {
  return {T(0), T(0), T(0)};
}
template <class T>
DELASSUS_LANE_INLINE Vector<T> operator+(const Vector<T>& a, const Vector<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
DELASSUS_LANE_INLINE Vector<T> operator-(const Vector<T>& a, const Vector<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
DELASSUS_LANE_INLINE Vector<T> operator*(const Vector<T>& a, const T& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class T>
DELASSUS_LANE_INLINE T dot(const Vector<T>& a, const Vector<T>& b) {
  return multiply_add(a.z, b.z, multiply_add(a.y, b.y, a.x * b.x));
}
/// sum + a s
template <class T>
DELASSUS_LANE_INLINE Vector<T> plus(const Vector<T>& sum, const Vector<T>& a, const T& s) {
  return {multiply_add(a.x, s, sum.x), multiply_add(a.y, s, sum.y), multiply_add(a.z, s, sum.z)};
}
/// sum + a × b
template <class T>
DELASSUS_LANE_INLINE Vector<T> plus_cross(const Vector<T>& sum, const Vector<T>& a, const Vector<T>& b) {
  return {multiply_add(a.y, b.z, multiply_add(-a.z, b.y, sum.x)),
          multiply_add(a.z, b.x, multiply_add(-a.x, b.z, sum.y)),
          multiply_add(a.x, b.y, multiply_add(-a.y, b.x, sum.z))};
}
template <class T>
DELASSUS_LANE_INLINE Vector<T> cross(const Vector<T>& a, const Vector<T>& b) {
  return {multiply_add(a.y, b.z, -a.z * b.y), multiply_add(a.z, b.x, -a.x * b.z), multiply_add(a.x, b.y, -a.y * b.x)};
}

/// Axes of a link, the columns of its rotation.
template <class T>
struct Axes {
  Vector<T> x, y, z;
};
template <class T>
DELASSUS_LANE_INLINE Vector<T> operator*(const Axes<T>& a, const Vector<T>& v) {
  return plus(plus(a.x * v.x, a.y, v.y), a.z, v.z);
}
template <class T>
DELASSUS_LANE_INLINE Vector<T> seen_from(const Axes<T>& a, const Vector<T>& v) {
  return {dot(a.x, v), dot(a.y, v), dot(a.z, v)};
}

/// A symmetric matrix.
template <class T>
struct Symmetric {
  T xx, xy, xz, yy, yz, zz;
};
template <class T>
DELASSUS_LANE_INLINE Vector<T> operator*(const Symmetric<T>& s, const Vector<T>& v) {
  return {dot({s.xx, s.xy, s.xz}, v), dot({s.xy, s.yy, s.yz}, v), dot({s.xz, s.yz, s.zz}, v)};
}
template <class T>
DELASSUS_LANE_INLINE void add(Symmetric<T>& a, const Symmetric<T>& b) {
  a.xx += b.xx, a.xy += b.xy, a.xz += b.xz, a.yy += b.yy, a.yz += b.yz, a.zz += b.zz;
}
template <class T>
DELASSUS_LANE_INLINE void subtract_square(Symmetric<T>& s, const Vector<T>& u) {
  s.xx = multiply_add(-u.x, u.x, s.xx), s.xy = multiply_add(-u.x, u.y, s.xy), s.xz = multiply_add(-u.x, u.z, s.xz);
  s.yy = multiply_add(-u.y, u.y, s.yy), s.yz = multiply_add(-u.y, u.z, s.yz), s.zz = multiply_add(-u.z, u.z, s.zz);
}

/// P Rᵀ, where that is symmetric.
template <class T>
DELASSUS_LANE_INLINE Symmetric<T> times_transposed(const Axes<T>& P, const Axes<T>& R) {
  const auto entry = [](const T& px, const T& rx, const T& py, const T& ry, const T& pz, const T& rz) {
    return multiply_add(pz, rz, multiply_add(py, ry, px * rx));
  };
  return {entry(P.x.x, R.x.x, P.y.x, R.y.x, P.z.x, R.z.x), entry(P.x.x, R.x.y, P.y.x, R.y.y, P.z.x, R.z.y),
          entry(P.x.x, R.x.z, P.y.x, R.y.z, P.z.x, R.z.z), entry(P.x.y, R.x.y, P.y.y, R.y.y, P.z.y, R.z.y),
          entry(P.x.y, R.x.z, P.y.y, R.y.z, P.z.y, R.z.z), entry(P.x.z, R.x.z, P.y.z, R.y.z, P.z.z, R.z.z)};
}

/// A force, or a motion: what turns first.
template <class T>
struct Wrench {
  Vector<T> angular, linear;
};
template <class T>
DELASSUS_LANE_INLINE void add(Wrench<T>& a, const Wrench<T>& b) {
  a.angular = a.angular + b.angular, a.linear = a.linear + b.linear;
}

/// moment = A ω + B v, force = Bᵀ ω + C v; Bx are rows of B.
template <class T>
struct Inertia {
  Symmetric<T> A;
  Vector<T> Bx, By, Bz;
  Symmetric<T> C;
};
template <class T>
DELASSUS_LANE_INLINE Vector<T> times_B(const Inertia<T>& H, const Vector<T>& v) {
  return {dot(H.Bx, v), dot(H.By, v), dot(H.Bz, v)};
}
template <class T>
DELASSUS_LANE_INLINE Vector<T> times_B_transposed(const Inertia<T>& H, const Vector<T>& w) {
  return plus(plus(H.Bx * w.x, H.By, w.y), H.Bz, w.z);
}
template <class T>
DELASSUS_LANE_INLINE void add(Inertia<T>& a, const Inertia<T>& b) {
  add(a.A, b.A), add(a.C, b.C);
  a.Bx = a.Bx + b.Bx, a.By = a.By + b.By, a.Bz = a.Bz + b.Bz;
}
template <class T>
DELASSUS_LANE_INLINE Inertia<T> rigid_inertia(const T& mass, const Vector<T>& moment, const Symmetric<T>& rotational) {
  const T o(0);
  return {rotational,
          {o, -moment.z, moment.y},
          {moment.z, o, -moment.x},
          {-moment.y, moment.x, o},
          {mass, o, o, mass, o, mass}};
}
/// The same, added to what is there.
template <class T>
DELASSUS_LANE_INLINE void add_rigid(Inertia<T>& H, const T& mass, const Vector<T>& moment,
                                    const Symmetric<T>& rotational) {
  add(H.A, rotational);
  H.Bx.y -= moment.z, H.Bx.z += moment.y;
  H.By.x += moment.z, H.By.z -= moment.x;
  H.Bz.x -= moment.y, H.Bz.y += moment.x;
  H.C.xx += mass, H.C.yy += mass, H.C.zz += mass;
}
/// Rotational inertia of a mass at r.
template <class T>
DELASSUS_LANE_INLINE Symmetric<T> point_inertia(const Vector<T>& r, const Vector<T>& moment) {
  return {multiply_add(moment.y, r.y, moment.z * r.z), -moment.x * r.y, -moment.x * r.z,
          multiply_add(moment.x, r.x, moment.z * r.z), -moment.y * r.z, multiply_add(moment.x, r.x, moment.y * r.y)};
}
/// About a point that lies -r away.
template <class T>
DELASSUS_LANE_INLINE void move(Inertia<T>& H, const Vector<T>& r) {
  const Symmetric<T>& C = H.C;
  const Vector<T> cx{C.xx, C.xy, C.xz}, cy{C.xy, C.yy, C.yz}, cz{C.xz, C.yz, C.zz};
  const Vector<T> bx = plus(plus(H.Bx, cz, r.y), cy, -r.z);
  const Vector<T> by = plus(plus(H.By, cx, r.z), cz, -r.x);
  const Vector<T> bz = plus(plus(H.Bz, cy, r.x), cx, -r.y);
  const auto both = [](const T& a, const T& r1, const T& b, const T& r2, const T& c, const T& r3, const T& d,
                       const T& r4, const T& sum) {
    return multiply_add(a, r1, multiply_add(b, r2, multiply_add(c, r3, multiply_add(d, r4, sum))));
  };
  Symmetric<T>& A = H.A;
  A.xx = both(H.Bx.z, r.y, -H.Bx.y, r.z, bx.z, r.y, -bx.y, r.z, A.xx);
  A.xy = both(H.By.z, r.y, -H.By.y, r.z, bx.x, r.z, -bx.z, r.x, A.xy);
  A.xz = both(H.Bz.z, r.y, -H.Bz.y, r.z, bx.y, r.x, -bx.x, r.y, A.xz);
  A.yy = both(H.By.x, r.z, -H.By.z, r.x, by.x, r.z, -by.z, r.x, A.yy);
  A.yz = both(H.Bz.x, r.z, -H.Bz.z, r.x, by.y, r.x, -by.x, r.y, A.yz);
  A.zz = both(H.Bz.y, r.x, -H.Bz.x, r.y, bz.y, r.x, -bz.x, r.y, A.zz);
  H.Bx = bx, H.By = by, H.Bz = bz;
}

}  // namespace delassus::gpu
