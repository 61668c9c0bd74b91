#include "delassus/math/rotation.hpp"

namespace delassus {

bool is_rotation(const Mat3<double>& R, double tolerance) {
  const Mat3<double> E = R * transposed(R) - Mat3<double>::identity();
  for (double e : E.a) {
    if (!(std::abs(e) < tolerance)) return false;
  }
  return dot(cross(column(R, 0), column(R, 1)), column(R, 2)) > 0;
}

Mat3<double> rotation_from_rpy(const Vec3<double>& rpy) {
  const double sr = std::sin(rpy[0]), cr = std::cos(rpy[0]);
  const double sp = std::sin(rpy[1]), cp = std::cos(rpy[1]);
  const double sy = std::sin(rpy[2]), cy = std::cos(rpy[2]);
  return {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
           sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,  //
           -sp, cp * sr, cp * cr}};
}

Mat3<double> rotation_from_z_to(const Vec3<double>& axis) {
  const double x = axis[0], y = axis[1], z = axis[2];
  const double across2 = x * x + y * y;
  // To -z itself the smallest rotation is not unique: take the half turn about x.
  if (z < 0 && across2 == 0) return {{1, 0, 0, 0, -1, 0, 0, 0, -1}};
  // 1/(1 + z), where 1 + z would cancel by the equal (1 - z)/(x² + y²).
  const double k = z < 0 ? (1 - z) / across2 : 1 / (1 + z);
  return {{1 - k * x * x, -k * x * y, x, -k * x * y, 1 - k * y * y, y, -x, -y, 1 - k * across2}};
}

template <FloatingPoint T>
Quaternion<T> quaternion_of(const Mat3<T>& R) {
  // Take the largest of the four squared components, so that nothing is lost near half turns (Shepperd).
  const T trace = R(0, 0) + R(1, 1) + R(2, 2);
  Quaternion<T> q;
  if (trace >= R(0, 0) && trace >= R(1, 1) && trace >= R(2, 2)) {
    q = {{R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1), 1 + trace}};
  } else {
    const int i = R(0, 0) >= R(1, 1) && R(0, 0) >= R(2, 2) ? 0 : (R(1, 1) >= R(2, 2) ? 1 : 2);
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1 + R(i, i) - R(j, j) - R(k, k);
    q[j] = R(i, j) + R(j, i);
    q[k] = R(i, k) + R(k, i);
    q[3] = R(k, j) - R(j, k);
  }
  q = normalised(q);
  return q[3] < 0 ? -q : q;
}

template <FloatingPoint T>
Quaternion<T> quaternion_exp(const Vec3<T>& v) {
  const T angle2 = dot(v, v);
  // sin(a/2)/a by its series where the quotient would lose digits; the next term is below half an ulp.
  const T angle = std::sqrt(angle2);
  const T k = angle2 < T(1e-6) ? T(0.5) - angle2 / 48 + angle2 * angle2 / 3840 : std::sin(angle / 2) / angle;
  return {{k * v[0], k * v[1], k * v[2], std::cos(angle / 2)}};
}

template <FloatingPoint T>
Vec3<T> quaternion_log(const Quaternion<T>& q) {
  const T sign = q[3] < 0 ? T(-1) : T(1);
  const Vec3<T> v{{q[0], q[1], q[2]}};
  const T s2 = dot(v, v);
  const T w = sign * q[3];
  if (s2 == 0) return Vec3<T>::zero();
  // angle / sin(angle/2) = 2 atan2(s, w) / s; atan2 is accurate at both ends.
  const T s = std::sqrt(s2);
  return (sign * 2 * std::atan2(s, w) / s) * v;
}

template Quaternion<float> quaternion_of(const Mat3<float>&);
template Quaternion<double> quaternion_of(const Mat3<double>&);
template Quaternion<long double> quaternion_of(const Mat3<long double>&);
template Quaternion<float> quaternion_exp(const Vec3<float>&);
template Quaternion<double> quaternion_exp(const Vec3<double>&);
template Quaternion<long double> quaternion_exp(const Vec3<long double>&);
template Vec3<float> quaternion_log(const Quaternion<float>&);
template Vec3<double> quaternion_log(const Quaternion<double>&);
template Vec3<long double> quaternion_log(const Quaternion<long double>&);

}  // namespace delassus
