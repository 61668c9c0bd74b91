// The articulated-body recursion over elements: inwards what is left of inertias and forces, outwards motions.
//
// Each element is eliminated with its axis scaled by 1/√D, so that no product with D⁻¹ is left: with s = S/√D and u = H s,
// H := H - u uᵀ, f := f - u w where w = s·f, and outwards a := a + s (w - u·a).
#pragma once

#include "gpu/kernel/base.hpp"
#include "gpu/kernel/exchange.hpp"
#include "gpu/kernel/frames.hpp"

namespace delassus::gpu {

/// A pivot that is this fraction of what is left about the other axes is rounding.
template <class Real>
inline constexpr Real kPivotFloor = sizeof(Real) == 4 ? Real(2e-6) : Real(4e-15);

template <class S, class C>
struct Elimination {
  using T = typename C::Number;
  using V = Vector<T>;

  V axis[S::kElements];          // s
  Wrench<T> felt[S::kElements];  // u
  V lever[S::kElements];
  T scale[S::kElements];  // 1/√D
  BaseFactor<T> base;

  /// Eliminates an element from the inertia of what it carries; `stiffness` adds to its armature. Whether its pivot is none.
  DELASSUS_LANE_INLINE auto eliminate(const C& lanes, const Frames<S, C>& frames, int i, const T& stiffness,
                                      Inertia<T>& H) {
    const Kind kind = S::kKind[i];
    const V z = axis_of(frames.axes[i], kind);
    lever[i] = frames.lever[i];
    Wrench<T> U{zero_vector<T>(), zero_vector<T>()};
    T D = lanes.number(Frames<S, C>::number(i, element::kArmature)) + stiffness, around = D;
    if (turns(kind)) {
      U = {H.A * z, times_B_transposed(H, z)};
      around = around + (H.A.xx + H.A.yy + H.A.zz);
    }
    if (slides(kind)) {
      const V n = times_B(H, z), f = H.C * z;
      const T slope = slope_of(lanes, i, kind);
      U = kind == Kind::kScrew ? Wrench<T>{plus(U.angular, n, slope), plus(U.linear, f, slope)} : Wrench<T>{n, f};
      around = around + (H.C.xx + H.C.yy + H.C.zz) * (slope * slope);
    }
    D = D + along(lanes, i, kind, z, U);
    const auto singular = D <= around * T(kPivotFloor<typename C::Real>);
    scale[i] = inverse_root(D);
    axis[i] = z * scale[i];
    felt[i] = {U.angular * scale[i], U.linear * scale[i]};
    subtract_square(H.A, felt[i].angular), subtract_square(H.C, felt[i].linear);
    const V &n = felt[i].angular, &f = felt[i].linear;
    H.Bx = plus(H.Bx, f, -n.x), H.By = plus(H.By, f, -n.y), H.Bz = plus(H.Bz, f, -n.z);
    return singular;
  }

  /// Takes what the joint gives way to out of a force, with `push`, the joint's own force; moves it to the parent's origin. Returns w.
  DELASSUS_LANE_INLINE T force_through(const C& lanes, int i, Wrench<T>& f, const T& push) const {
    const T w = multiply_add(push, scale[i], along(lanes, i, S::kKind[i], axis[i], f));
    f.angular = plus(f.angular, felt[i].angular, -w), f.linear = plus(f.linear, felt[i].linear, -w);
    f.angular = plus_cross(f.angular, lever[i], f.linear);
    return w;
  }

  /// The motion of an element from that of its parent, which `a` is. Returns the acceleration of the joint.
  DELASSUS_LANE_INLINE T motion_through(const C& lanes, int i, Wrench<T>& a, const T& w) const {
    const Kind kind = S::kKind[i];
    a.linear = plus_cross(a.linear, a.angular, lever[i]);
    const T g = w - (dot(felt[i].angular, a.angular) + dot(felt[i].linear, a.linear));
    if (slides(kind)) a.linear = plus(a.linear, axis[i], g * slope_of(lanes, i, kind));
    if (turns(kind)) a.angular = plus(a.angular, axis[i], g);
    return g * scale[i];
  }

 private:
  DELASSUS_LANE_INLINE static T slope_of(const C& lanes, int i, Kind kind) {
    return kind == Kind::kScrew ? lanes.number(Frames<S, C>::number(i, element::kPitch)) : T(1);
  }
  /// The part of a force along an axis.
  DELASSUS_LANE_INLINE static T along(const C& lanes, int i, Kind kind, const V& z, const Wrench<T>& f) {
    if (kind == Kind::kScrew) return multiply_add(slope_of(lanes, i, kind), dot(z, f.linear), dot(z, f.angular));
    return slides(kind) ? dot(z, f.linear) : dot(z, f.angular);
  }
};

/// What elements hand to their parents: summed over children, and over the lanes where limbs hang on the trunk.
template <class S, class C, class X>
struct Handed {
  X of[S::kElements];

  template <class E>
  DELASSUS_LANE_INLINE void give(const C& lanes, E element, const X& x) {
    const int i = element;
    if (!S::kTop[i]) {
      if (S::kParent[i] >= 0) put(S::kParent[i], x, S::kFirst[i]);
    } else if (S::kHalves[i]) {
      const X near = sum_half<C>(x), far = from_other_half<C>(near);
      for_ways<S>(element, [&](auto way) {
        const int w = way;
        if (S::kWayParent[w] >= 0) put(S::kWayParent[w], select(lanes.in(S::kWayLanes[w]), near, far), S::kWayFirst[w]);
      });
    } else {
      for_ways<S>(element, [&](auto way) {
        const int w = way;
        if (S::kWayParent[w] < 0) return;
        const bool all = S::kWayLanes[w] == (1 << C::kLanes) - 1;
        put(S::kWayParent[w], all ? sum_lanes<C>(x) : sum_some<C>(x, lanes.in(S::kWayLanes[w])), S::kWayFirst[w]);
      });
    }
  }

 private:
  /// The first child sets what the others add to.
  DELASSUS_LANE_INLINE void put(int parent, const X& x, bool first) {
    if (first) {
      of[parent] = x;
    } else {
      add(of[parent], x);
    }
  }
};

}  // namespace delassus::gpu
