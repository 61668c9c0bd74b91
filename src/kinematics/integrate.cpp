#include "delassus/kinematics/kinematics.hpp"

#include <cmath>

#include "delassus/math/error.hpp"
#include "delassus/math/spatial.hpp"

namespace delassus {
namespace {

/// Below this squared angle the series of the coefficients are exact to rounding and the quotients are not.
constexpr double kSmallAngle2 = 1e-4;

template <class T>
Vec3<T> vector_at(VectorView<const T> x, int i) {
  return {{x[i], x[i + 1], x[i + 2]}};
}
template <class T>
Quaternion<T> quaternion_at(VectorView<const T> x, int i) {
  return {{x[i], x[i + 1], x[i + 2], x[i + 3]}};
}
template <class T, int N>
void write(VectorView<T> x, int i, const Vec<T, N>& value) {
  for (int k = 0; k < N; ++k) x[i + k] = value[k];
}

/// The displacement that a body moving with the constant twist (w, v) of its own axes makes in unit time:
/// v + (1 - cos a)/a² w×v + (a - sin a)/a³ w×(w×v).
template <class T>
Vec3<T> screw_displacement(const Vec3<T>& w, const Vec3<T>& v) {
  const T a2 = dot(w, w), a = std::sqrt(a2), half_sine = std::sin(a / 2);
  const bool small = a2 < T(kSmallAngle2);
  const T b = small ? T(0.5) - a2 / 24 + a2 * a2 / 720 : 2 * half_sine * half_sine / a2;
  const T c = small ? T(1) / 6 - a2 / 120 + a2 * a2 / 5040 : (a - std::sin(a)) / (a2 * a);
  const Vec3<T> wv = cross(w, v);
  return v + b * wv + c * cross(w, wv);
}

/// Its inverse: the v whose displacement is d: d - w×d/2 + (1 - (a/2) cot(a/2))/a² w×(w×d).
template <class T>
Vec3<T> screw_velocity(const Vec3<T>& w, const Vec3<T>& d) {
  const T a2 = dot(w, w), a = std::sqrt(a2);
  const T c = a2 < T(kSmallAngle2) ? T(1) / 12 + a2 / 720 + a2 * a2 / 30240
                                   : (1 - a / 2 * std::cos(a / 2) / std::sin(a / 2)) / a2;
  const Vec3<T> wd = cross(w, d);
  return d - T(0.5) * wd + c * cross(w, wd);
}

template <class T>
Quaternion<T> turned(const Quaternion<T>& q, const Vec3<T>& w) {
  return normalised(quaternion_product(q, quaternion_exp(w)));
}

template <class T>
Vec3<T> turn_between(const Quaternion<T>& q0, const Quaternion<T>& q1) {
  return quaternion_log(quaternion_product(conjugate(normalised(q0)), normalised(q1)));
}

/// First index of the quaternion of a joint, or -1.
int quaternion_index(const Link& link) {
  if (link.kind == JointKind::kSpherical) return link.q;
  if (link.kind == JointKind::kFree) return link.q + 3;
  return -1;
}

template <class T>
void integrate_all(const Model& model, VectorView<const T> q, VectorView<const T> v, VectorView<T> out) {
  require_size("q", q.size(), model.nq());
  require_size("v", v.size(), model.nv());
  require_size("out", out.size(), model.nq());
  for (const Link& link : model.links()) {
    if (link.kind == JointKind::kSpherical) {
      write(out, link.q, turned(quaternion_at(q, link.q), vector_at(v, link.v)));
    } else if (link.kind == JointKind::kFree) {
      const Vec3<T> w = vector_at(v, link.v);
      const Quaternion<T> rotation = quaternion_at(q, link.q + 3);
      const Vec3<T> step = rotation_of(rotation) * screw_displacement(w, vector_at(v, link.v + 3));
      write(out, link.q, vector_at(q, link.q) + step);
      write(out, link.q + 3, turned(rotation, w));
    } else {
      for (int k = 0; k < link.nv; ++k) out[link.q + k] = q[link.q + k] + v[link.v + k];
    }
  }
}

template <class T>
void difference_all(const Model& model, VectorView<const T> q0, VectorView<const T> q1, VectorView<T> out) {
  require_size("q0", q0.size(), model.nq());
  require_size("q1", q1.size(), model.nq());
  require_size("out", out.size(), model.nv());
  for (const Link& link : model.links()) {
    if (link.kind == JointKind::kSpherical) {
      write(out, link.v, turn_between(quaternion_at(q0, link.q), quaternion_at(q1, link.q)));
    } else if (link.kind == JointKind::kFree) {
      const Quaternion<T> rotation = quaternion_at(q0, link.q + 3);
      const Vec3<T> w = turn_between(rotation, quaternion_at(q1, link.q + 3));
      const Vec3<T> d = transposed_times(rotation_of(rotation), vector_at(q1, link.q) - vector_at(q0, link.q));
      write(out, link.v, w);
      write(out, link.v + 3, screw_velocity(w, d));
    } else {
      for (int k = 0; k < link.nv; ++k) out[link.v + k] = q1[link.q + k] - q0[link.q + k];
    }
  }
}

template <class T>
void normalise_all(const Model& model, VectorView<T> q) {
  require_size("q", q.size(), model.nq());
  for (int i = 0; i < model.num_links(); ++i) {
    const int at = quaternion_index(model.link(i));
    if (at < 0) continue;
    const Quaternion<T> quaternion{{q[at], q[at + 1], q[at + 2], q[at + 3]}};
    const T length2 = dot(quaternion, quaternion);
    if (!(length2 > 0) || !std::isfinite(length2)) {
      throw Error("the quaternion of joint '" + model.joint_name(i) + "' (q[" + std::to_string(at) + "] to q[" +
                  std::to_string(at + 3) + "]) is zero or not finite; give x y z w, such as 0 0 0 1");
    }
    write(q, at, normalised(quaternion));
  }
}

}  // namespace

#define DELASSUS_DEFINE(T)                                                                                 \
  void integrate(const Model& model, VectorView<const T> q, VectorView<const T> v, VectorView<T> out) {    \
    integrate_all<T>(model, q, v, out);                                                                    \
  }                                                                                                        \
  void difference(const Model& model, VectorView<const T> q0, VectorView<const T> q1, VectorView<T> out) { \
    difference_all<T>(model, q0, q1, out);                                                                 \
  }                                                                                                        \
  void normalise(const Model& model, VectorView<T> q) { normalise_all<T>(model, q); }
DELASSUS_DEFINE(float)
DELASSUS_DEFINE(double)

}  // namespace delassus
