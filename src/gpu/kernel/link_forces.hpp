// Masses in the world, and what it takes to accelerate them: the part of RNEA that goes outwards. Accelerations are those of link
// origins, so that a common velocity of all cancels nowhere.
#pragma once

#include "gpu/kernel/frames.hpp"

namespace delassus::gpu {

template <class T>
struct LinkMotion {
  Vector<T> velocity;      // angular
  Wrench<T> acceleration;  // angular; of the origin, against free fall
};
template <class M, class T>
DELASSUS_LANE_INLINE LinkMotion<T> select(M mask, const LinkMotion<T>& a, const LinkMotion<T>& b) {
  return {select(mask, a.velocity, b.velocity), select(mask, a.acceleration, b.acceleration)};
}

/// The mass of an element's link in world axes, about the link's origin.
template <class T>
struct LinkMass {
  T mass;
  Vector<T> moment;
  Symmetric<T> inertia;
};
template <class S, class C>
DELASSUS_LANE_INLINE LinkMass<typename C::Number> mass_of(const C& lanes, const Axes<typename C::Number>& axes, int i) {
  using T = typename C::Number;
  const auto n = [&](int k) { return lanes.number(i * element::kNumbers + element::kInertia + k); };
  const Symmetric<T> own{n(0), n(1), n(2), n(3), n(4), n(5)};
  const Axes<T> turned{axes * Vector<T>{own.xx, own.xy, own.xz}, axes * Vector<T>{own.xy, own.yy, own.yz},
                       axes * Vector<T>{own.xz, own.yz, own.zz}};
  return {lanes.number(i * element::kNumbers + element::kMass),
          axes * Frames<S, C>::vector_at(lanes, i * element::kNumbers + element::kMoment),
          times_transposed(turned, axes)};
}

/// The force at the link's origin that moves it so.
template <class T>
DELASSUS_LANE_INLINE Wrench<T> force_for(const LinkMass<T>& link, const LinkMotion<T>& m) {
  const Vector<T> alpha = m.acceleration.angular, a = m.acceleration.linear, w = m.velocity;
  const Vector<T> turning = plus_cross(link.inertia * alpha, w, link.inertia * w);
  return {plus_cross(turning, link.moment, a),
          plus(plus_cross(cross(alpha, link.moment), w, cross(w, link.moment)), a, link.mass)};
}

template <class S, class C>
struct Motions {
  using T = typename C::Number;
  using V = Vector<T>;
  using In = Array<const typename C::Real>;

  LinkMotion<T> of[S::kElements];

  /// After Frames::place of the same element. `a` without data: zero accelerations of the joints.
  template <class E>
  DELASSUS_LANE_INLINE void carry(const C& lanes, const Frames<S, C>& frames, const In& v, const In& a,
                                  const V& gravity, E element) {
    const int i = element;
    const Kind kind = S::kKind[i];
    const LinkMotion<T> world{zero_vector<T>(), {zero_vector<T>(), zero_vector<T>() - gravity}};
    if (kind == Kind::kFree) {
      carry_base(lanes, frames.axes[i], v, a, gravity, i);
      return;
    }
    const LinkMotion<T> parent = Frames<S, C>::of_parent(lanes, element, of, world);
    // A ball turns its parts about axes of the link: all of them see the velocity before the joint.
    V before = parent.velocity;
    if (kind == Kind::kBallY || kind == Kind::kBallZ) before = before_ball_;
    if (kind == Kind::kBallX) before_ball_ = before;
    const auto dof = lanes.index(Frames<S, C>::index(i, element::kDof));
    const T rate = lanes.load_each(v, dof);
    const T joint = a.data == nullptr ? T(0) : lanes.load_each(a, dof);
    const V axis = axis_of(frames.axes[i], kind), moved = axis * rate;
    LinkMotion<T>& out = of[i];
    out = parent;
    const V& r = frames.lever[i];
    if (has_placement(kind)) {
      V& origin = out.acceleration.linear;
      origin = plus_cross(plus_cross(origin, parent.acceleration.angular, r), before, cross(before, r));
    }
    const T slope = kind == Kind::kScrew ? lanes.number(Frames<S, C>::number(i, element::kPitch)) : T(1);
    if (slides(kind)) {
      out.acceleration.linear =
          plus(plus_cross(out.acceleration.linear, before, moved * (T(2) * slope)), axis, joint * slope);
    }
    if (turns(kind)) {
      out.velocity = out.velocity + moved;
      out.acceleration.angular = plus(plus_cross(out.acceleration.angular, before, moved), axis, joint);
    }
  }

 private:
  DELASSUS_LANE_INLINE void carry_base(const C& lanes, const Axes<T>& R, const In& v, const In& a, const V& gravity,
                                       int i) {
    const int d = S::kBaseDof;
    const V w{lanes.load(v, d), lanes.load(v, d + 1), lanes.load(v, d + 2)};
    const V linear{lanes.load(v, d + 3), lanes.load(v, d + 4), lanes.load(v, d + 5)};
    V alpha = zero_vector<T>(), origin = cross(w, linear);
    if (a.data != nullptr) {
      alpha = {lanes.load(a, d), lanes.load(a, d + 1), lanes.load(a, d + 2)};
      origin = origin + V{lanes.load(a, d + 3), lanes.load(a, d + 4), lanes.load(a, d + 5)};
    }
    of[i] = {R * w, {R * alpha, R * origin - gravity}};
  }

  V before_ball_;  // the angular velocity, of the ball joint at hand
};

}  // namespace delassus::gpu
