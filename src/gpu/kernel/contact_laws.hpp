// Laws of rows in the form of one vector for each row, as in batch/lane_rows.hpp: y = Π(u) is the force, d = y - u what the law expects of
// k (σ + Γ). A sweep with the push y + d - Γ(d) answers with σ, and u += α (d - Γ(d) - k σ). At rest that is the law.
#pragma once

#include "gpu/kernel/algebra.hpp"

namespace delassus::gpu {

/// Lengths below this are none: their square is added under roots.
template <class T>
DELASSUS_LANE_INLINE T inverse_length(const T& squared) {
  const T least(1e-30F);
  return inverse_root(select(squared < least, least, squared));
}

/// What the law of a point says to u.
template <class T>
struct PointLaw {
  Vector<T> y, target;  // Π(u), and d - Γ(d)
};

/// The nearest point of the cone of friction; x is along the normal.
template <class T>
DELASSUS_LANE_INLINE Vector<T> onto_cone(const Vector<T>& u, const T& mu) {
  const T squared = multiply_add(u.y, u.y, u.z * u.z), inverse = inverse_length(squared), t = squared * inverse;
  const T along = multiply_add(mu, t, u.x) * reciprocal(multiply_add(mu, mu, T(1)));
  // Without friction what pulls along the normal is in both.
  const auto inside = t <= mu * u.x, polar = mu * t <= -u.x;
  const T zero(0), one(1);
  const T normal = select(polar, zero, select(inside, u.x, along));
  const T share = select(polar, zero, select(inside, one, mu * along * inverse));
  return {normal, u.y * share, u.z * share};
}

/// mu ‖v_t‖ in the normal: the shift that makes the law Coulomb's.
template <class T>
DELASSUS_LANE_INLINE T shift_of(const Vector<T>& v, const T& mu) {
  const T squared = multiply_add(v.y, v.y, v.z * v.z);
  return mu * (squared * inverse_length(squared));
}

/// `held`: any force, and no velocity.
template <class T, class M>
DELASSUS_LANE_INLINE PointLaw<T> point_law(const Vector<T>& u, const T& mu, const M& held) {
  const Vector<T> y = select(held, u, onto_cone(u, mu));
  Vector<T> d = y - u;
  d.x = d.x - shift_of(d, mu);
  return {y, d};
}

/// By how many m/s, squared, the force x with the velocity σ misses the law.
template <class T, class M>
DELASSUS_LANE_INLINE T point_residual(const Vector<T>& x, const Vector<T>& sigma, const T& mu, const M& held,
                                      const T& mobility) {
  const T k = reciprocal(mobility);
  Vector<T> z = plus(x, sigma, -k);
  z.x = z.x - shift_of(sigma, mu) * k;
  const Vector<T> off = (x - onto_cone(z, mu)) * mobility;
  return select(held, dot(sigma, sigma), dot(off, off));
}

template <class T>
DELASSUS_LANE_INLINE T clamped(const T& x, const T& low, const T& high) {
  return select(x < low, low, select(x > high, high, x));
}

}  // namespace delassus::gpu
