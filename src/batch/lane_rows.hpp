// The laws of rows in a step, lane by lane, for ADMM in the form of one vector for each row:
//
//   y = Π(u) is the impulse, d = y - u what the law expects of k (σ + Γ), k the stiffness of the row;
//   a sweep with the push y + d - Γ(d) answers with σ;  u += 1.6 (d - Γ(d) - k σ)
//
// At rest y is in its set, and σ + Γ = d / k is what the law says: the fixed point of Douglas and Rachford's splitting (docs/learning.md).
#pragma once

#include "batch/lane_contacts.hpp"
#include "math/lane_sqrt.hpp"

namespace delassus {

template <class P>
DELASSUS_INLINE P clamp_lanes(P x, P low, P high) {
  return min(max(x, low), high);
}

template <class P>
DELASSUS_INLINE P length(const Vec3<P>& x) {
  return lane_sqrt(dot(x, x));
}

template <class P>
DELASSUS_INLINE Vec3<P> select3(MaskOf<P> mask, const Vec3<P>& a, const Vec3<P>& b) {
  return {{select(mask, a[0], b[0]), select(mask, a[1], b[1]), select(mask, a[2], b[2])}};
}

/// The point y of the cone of friction about n that is nearest to x, and how far they are apart across n.
template <class P>
struct OnCone {
  Vec3<P> y;
  P across;
};

template <class P>
DELASSUS_INLINE OnCone<P> project_on_cone(const LaneContact<P>& c, const Vec3<P>& x) {
  const P zero(0.0), one(1.0);
  const P along = dot(c.normal, x);
  const Vec3<P> across = x - along * c.normal;
  const P t = length(across);
  const MaskOf<P> inside = !(c.mu * along < t), polar = !(zero < along + c.mu * t);
  const P s = (along + c.mu * t) * c.cone_share, tangent = c.mu * s;
  const Vec3<P> edge = s * c.normal + (tangent / select(zero < t, t, one)) * across;
  return {select3<P>(polar, Vec3<P>::zero(), select3<P>(inside, x, edge)),
          select(polar, t, select(inside, zero, t - tangent))};
}

/// What the law says to u: y, and the target d - Γ(d) of k σ.
template <class P>
DELASSUS_INLINE Vec3<P> contact_impulse(LaneContact<P>& c) {
  const OnCone<P> on = project_on_cone(c, c.u);
  c.target = on.y - c.u - (c.mu * on.across) * c.normal;
  return on.y;
}

/// By how many m/s the impulse y with the velocity σ misses the law.
template <class P>
DELASSUS_INLINE P contact_residual(const LaneContact<P>& c, const Vec3<P>& y, const Vec3<P>& sigma) {
  const P sliding = length<P>(sigma - dot(c.normal, sigma) * c.normal);
  const Vec3<P> z = y - c.k * (sigma + (c.mu * sliding) * c.normal);
  return length<P>(y - project_on_cone(c, z).y) * c.mobility;
}

/// A row along one joint: its velocity within an interval, or its impulse.
template <class P>
struct LaneJointRow {
  enum class Kind : std::uint8_t { kLimit, kFriction, kMotor };
  Kind kind = Kind::kLimit;
  int v = 0;
  int drive = -1;       // of a motor
  P mobility{}, k{};    // stiffness: one over the mobility
  P low{}, high{};      // of the velocity, or of the impulse
  P compliance{}, g{};  // σ = g + change of the velocity + compliance · impulse
  P share{};            // 1 / (1 + k · compliance): what of a push is left
  MaskOf<P> acts{};
  P u{}, target{}, lambda{};
};

template <class P>
DELASSUS_INLINE P joint_impulse(LaneJointRow<P>& r) {
  if (r.kind == LaneJointRow<P>::Kind::kLimit) {
    r.target = r.k * clamp_lanes(-(r.u * r.mobility), r.low, r.high);
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
    const P off = (y - (z + r.k * clamp_lanes(-(z * r.mobility), r.low, r.high))) * r.mobility;
    return max(off, -off);
  }
  const P off = (y - clamp_lanes(z, r.low, r.high)) * r.mobility;
  return max(off, -off);
}

}  // namespace delassus
