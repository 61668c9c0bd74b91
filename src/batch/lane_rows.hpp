// The laws of rows in a step, lane by lane, for ADMM in the form of one vector for each row:
//
//   y = Π(u) is the impulse, d = y - u what the law expects of k (σ + Γ), k the stiffness of the row;
//   a sweep with the push y + d - Γ(d) answers with σ;  u += 1.6 (d - Γ(d) - k σ)
//
// At rest y is in its set, and σ + Γ = d / k is what the law says: the fixed point of Douglas and Rachford's splitting (docs/learning.md).
#pragma once

#include "batch/lane_contacts.hpp"

namespace delassus {

template <class P>
DELASSUS_INLINE P clamp_lanes(P x, P low, P high) {
  return min(max(x, low), high);
}

template <class P>
DELASSUS_INLINE P length(const Vec3<P>& x) {
  return sqrt(dot(x, x));
}

template <class P>
DELASSUS_INLINE Vec3<P> select3(MaskOf<P> mask, const Vec3<P>& a, const Vec3<P>& b) {
  return {{select(mask, a[0], b[0]), select(mask, a[1], b[1]), select(mask, a[2], b[2])}};
}

/// The point of the cone of friction about n that is nearest to x.
template <class P>
DELASSUS_INLINE Vec3<P> project_on_cone(const Vec3<P>& x, const Vec3<P>& n, P mu) {
  const P zero(0.0), one(1.0);
  const P along = dot(n, x);
  const Vec3<P> across = x - along * n;
  const P t = length(across);
  const MaskOf<P> inside = !(mu * along < t), polar = !(zero < along + mu * t);
  const P s = (along + mu * t) / (one + mu * mu);
  const Vec3<P> edge = s * n + (mu * s / select(zero < t, t, one)) * across;
  return select3<P>(polar, Vec3<P>::zero(), select3<P>(inside, x, edge));
}

/// Γ: how fast it slides, weighted, along the normal.
template <class P>
DELASSUS_INLINE Vec3<P> sliding_shift(const Vec3<P>& x, const Vec3<P>& n, P mu) {
  return (mu * length<P>(x - dot(n, x) * n)) * n;
}

/// What the law says to u: y, and the target d - Γ(d) of k σ.
template <class P>
DELASSUS_INLINE Vec3<P> contact_impulse(LaneContact<P>& c) {
  const Vec3<P> y = project_on_cone<P>(c.u, c.normal, c.mu), d = y - c.u;
  c.target = d - sliding_shift<P>(d, c.normal, c.mu);
  return y;
}

/// By how many m/s the impulse y with the velocity σ misses the law.
template <class P>
DELASSUS_INLINE P contact_residual(const LaneContact<P>& c, const Vec3<P>& y, const Vec3<P>& sigma) {
  const Vec3<P> expected = sigma + sliding_shift<P>(sigma, c.normal, c.mu);
  const Vec3<P> z = y - c.k * expected;
  return length<P>(y - project_on_cone<P>(z, c.normal, c.mu)) / c.k;
}

/// A row along one joint: its velocity within an interval, or its impulse.
template <class P>
struct LaneJointRow {
  enum class Kind : std::uint8_t { kLimit, kFriction, kMotor };
  Kind kind = Kind::kLimit;
  int v = 0;
  int drive = -1;         // of a motor
  P k{};                  // stiffness
  P low{}, high{};        // of the velocity, or of the impulse
  P compliance{}, g{};    // σ = g + change of the velocity + compliance · impulse
  MaskOf<P> acts{};
  P u{}, target{}, lambda{};

  P share() const { return P(1.0) / (P(1.0) + k * compliance); }
};

template <class P>
DELASSUS_INLINE P joint_impulse(LaneJointRow<P>& r) {
  if (r.kind == LaneJointRow<P>::Kind::kLimit) {
    r.target = r.k * clamp_lanes(-r.u / r.k, r.low, r.high);
    return r.u + r.target;
  }
  const P y = clamp_lanes(r.u, r.low, r.high);
  r.target = y - r.u;
  return y;
}

template <class P>
DELASSUS_INLINE P joint_residual(const LaneJointRow<P>& r, P y, P sigma) {
  const P z = y - r.k * sigma;
  if (r.kind == LaneJointRow<P>::Kind::kLimit) {
    const P off = (y - (z + r.k * clamp_lanes(-z / r.k, r.low, r.high))) / r.k;
    return max(off, -off);
  }
  const P off = (y - clamp_lanes(z, r.low, r.high)) / r.k;
  return max(off, -off);
}

}  // namespace delassus
