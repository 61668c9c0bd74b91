// Rotations as matrices, unit quaternions (x, y, z, w) and rotation vectors; poses of frames.
#pragma once

#include <cmath>

#include "delassus/math/mat.hpp"

namespace delassus {

/// Stored x, y, z, w.
template <class T>
using Quaternion = Vec<T, 4>;

/// A frame in another: axes as the columns of R, origin p.
template <class T>
struct Pose {
  Mat3<T> R;
  Vec3<T> p;

  static Pose identity() { return {Mat3<T>::identity(), Vec3<T>::zero()}; }
  bool operator==(const Pose&) const = default;
};

template <class T>
DELASSUS_INLINE Pose<T> operator*(const Pose<T>& a, const Pose<T>& b) {
  return {a.R * b.R, a.p + a.R * b.p};
}

template <class T>
DELASSUS_INLINE Vec3<T> operator*(const Pose<T>& a, const Vec3<T>& x) {
  return a.p + a.R * x;
}

template <class T>
DELASSUS_INLINE Pose<T> inverse(const Pose<T>& a) {
  return {transposed(a.R), -transposed_times(a.R, a.p)};
}

template <class T>
DELASSUS_INLINE Pose<T> cast(const Pose<double>& x) {
  return {cast<T>(x.R), cast<T>(x.p)};
}

/// Rotation of a quaternion of any length but zero: what is not normalised is normalised here.
template <class T>
DELASSUS_INLINE Mat3<T> rotation_of(const Quaternion<T>& q) {
  const T s = T(2) / dot(q, q);
  const T x = q[0], y = q[1], z = q[2], w = q[3];
  const T xx = s * x * x, yy = s * y * y, zz = s * z * z;
  const T xy = s * x * y, xz = s * x * z, yz = s * y * z;
  const T wx = s * w * x, wy = s * w * y, wz = s * w * z;
  const T one(1);
  return {{one - (yy + zz), xy - wz, xz + wy, xy + wz, one - (xx + zz), yz - wx, xz - wy, yz + wx, one - (xx + yy)}};
}

/// Hamilton product.
template <class T>
DELASSUS_INLINE Quaternion<T> quaternion_product(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {{a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
           a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
           a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]}};
}

template <class T>
DELASSUS_INLINE Quaternion<T> conjugate(const Quaternion<T>& q) {
  return {{-q[0], -q[1], -q[2], q[3]}};
}

/// X Rz(angle), given sine and cosine: two columns mix, the third stays.
template <class T>
DELASSUS_INLINE Mat3<T> rotated_about_z(const Mat3<T>& X, T s, T c) {
  Mat3<T> out;
  DELASSUS_UNROLL
  for (int r = 0; r < 3; ++r) {
    out(r, 0) = c * X(r, 0) + s * X(r, 1);
    out(r, 1) = c * X(r, 1) - s * X(r, 0);
    out(r, 2) = X(r, 2);
  }
  return out;
}

// The rest is for set-up, integration and residuals: plain floating point, free to branch.

template <FloatingPoint T>
T norm(const Vec3<T>& v) {
  return std::sqrt(dot(v, v));
}

template <FloatingPoint T>
Quaternion<T> normalised(const Quaternion<T>& q) {
  return (T(1) / std::sqrt(dot(q, q))) * q;
}

/// Whether R is orthonormal and right-handed, each entry of R Rᵀ to within the tolerance.
bool is_rotation(const Mat3<double>& R, double tolerance);

/// URDF's fixed-axis roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll).
Mat3<double> rotation_from_rpy(const Vec3<double>& rpy);

/// The smallest rotation that takes z to the unit vector `axis`.
Mat3<double> rotation_from_z_to(const Vec3<double>& axis);

/// Unit quaternion of a rotation matrix, with w >= 0.
template <FloatingPoint T>
Quaternion<T> quaternion_of(const Mat3<T>& R);

/// Quaternion of a rotation vector, and back (shortest way, |angle| <= pi).
template <FloatingPoint T>
Quaternion<T> quaternion_exp(const Vec3<T>& rotation_vector);
template <FloatingPoint T>
Vec3<T> quaternion_log(const Quaternion<T>& q);

/// Rotation vector of a rotation matrix.
template <FloatingPoint T>
Vec3<T> rotation_log(const Mat3<T>& R) {
  return quaternion_log(quaternion_of(R));
}

}  // namespace delassus
