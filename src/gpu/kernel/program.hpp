// What all verbs have: the frames, what is seen of results, and the recursions inwards and outwards.
#pragma once

#include "gpu/kernel/arguments.hpp"
#include "gpu/kernel/elimination.hpp"
#include "gpu/kernel/joint_rows.hpp"
#include "gpu/kernel/link_forces.hpp"
#include "gpu/kernel/points.hpp"

namespace delassus::gpu {

template <class S, class C>
struct Program {
  using Real = typename C::Real;
  using T = typename C::Number;
  using V = Vector<T>;

  const C& lanes;
  const Arguments<Real>& arguments;
  Frames<S, C> frames;
  T finite = T(0);  // NaN as soon as a result is not
  typename C::Mask singular = T(1) < T(0);

  DELASSUS_LANE_INLINE void see(const T& x) { finite = finite + (x - x); }
  DELASSUS_LANE_INLINE V gravity() const {
    return {T(arguments.gravity[0]), T(arguments.gravity[1]), T(arguments.gravity[2])};
  }
  DELASSUS_LANE_INLINE static bool in_trunk(int i) { return i < S::kTrunk; }
  DELASSUS_LANE_INLINE typename C::Index dof(int i) const { return lanes.index(Frames<S, C>::index(i, element::kDof)); }

  /// Armature k of the base.
  DELASSUS_LANE_INLINE T base_armature(int k) const { return lanes.number(JointRows<S, C>::number(S::kJointRows) + k); }
  DELASSUS_LANE_INLINE void add_base_armature(Inertia<T>& H, int i) const {
    if (!S::kBaseArmature) return;
    const Axes<T>& R = frames.axes[i];
    add(H.A, times_transposed(Axes<T>{R.x * base_armature(0), R.y * base_armature(1), R.z * base_armature(2)}, R));
    add(H.C, times_transposed(Axes<T>{R.x * base_armature(3), R.y * base_armature(4), R.z * base_armature(5)}, R));
  }

  /// Joint forces and accelerations of the base are in its own axes, what is computed with in the world's.
  DELASSUS_LANE_INLINE Wrench<T> load_base(const Array<const Real>& x, int i) const {
    const int d = S::kBaseDof;
    const V angular{lanes.load(x, d), lanes.load(x, d + 1), lanes.load(x, d + 2)};
    const V linear{lanes.load(x, d + 3), lanes.load(x, d + 4), lanes.load(x, d + 5)};
    return {frames.axes[i] * angular, frames.axes[i] * linear};
  }
  /// With kRotors: and what its armature takes for the accelerations that came in.
  template <bool kRotors>
  DELASSUS_LANE_INLINE void store_base(const Wrench<T>& x, int i) {
    const V angular = seen_from(frames.axes[i], x.angular), linear = seen_from(frames.axes[i], x.linear);
    T all[6] = {angular.x, angular.y, angular.z, linear.x, linear.y, linear.z};
    DELASSUS_LANE_UNROLL
    for (int k = 0; k < 6; ++k) {
      if (kRotors && S::kBaseArmature)
        all[k] = multiply_add(base_armature(k), lanes.load(arguments.in, S::kBaseDof + k), all[k]);
      see(all[k]);
      lanes.store(arguments.out, S::kBaseDof + k, all[k]);
    }
  }
  DELASSUS_LANE_INLINE void store_dof(int i, const T& x) {
    see(x);
    lanes.store_each(arguments.out, dof(i), x, !in_trunk(i));
  }

  /// The status; results that are none are NaN.
  DELASSUS_LANE_INLINE void finish(int components, bool converged = true) {
    const bool none = C::any(finite != T(0)), no_pivot = C::any(singular);
    if (none || no_pivot) lanes.spoil(arguments.out, components);
    lanes.set_status(arguments.status, no_pivot ? kSingularJoint : none ? kNotFinite : converged ? kOk : kNotConverged);
  }
};

/// Eliminates all elements, inwards: `load(element, H, f)` adds what acts on an element's link, push(element) is the force of its
/// joint, and stiffness(element) what adds to its armature; pass(i, w) is told what the joint left.
template <class S, class C, class Load, class Push, class Stiffness, class Pass>
DELASSUS_LANE_INLINE void eliminate_inwards(Program<S, C>& p, Elimination<S, C>& elimination, typename C::Number* w,
                                            Wrench<typename C::Number>& on_base, Load&& load, Push&& push,
                                            Stiffness&& stiffness, Pass&& pass) {
  using T = typename C::Number;
  Handed<S, C, Inertia<T>> inertias;
  Handed<S, C, Wrench<T>> forces;
  downward<0, S::kElements>([&](auto element) {
    const int i = element;
    Inertia<T> H;
    Wrench<T> f{zero_vector<T>(), zero_vector<T>()};
    if (!S::kLeaf[i]) f = forces.of[i];
    if (S::kMassive[i]) {
      const LinkMass<T> m = mass_of<S, C>(p.lanes, p.frames.axes[i], i);
      if (S::kLeaf[i]) {
        H = rigid_inertia(m.mass, m.moment, m.inertia);
      } else {
        H = inertias.of[i];
        add_rigid(H, m.mass, m.moment, m.inertia);
      }
    } else {
      H = inertias.of[i];
    }
    load(element, H, f);
    if (S::kKind[i] == Kind::kFree) {
      p.add_base_armature(H, i);
      elimination.base = factor_base(H);
      on_base = f;
      return;
    }
    const auto none = elimination.eliminate(p.lanes, p.frames, i, stiffness(element), H);
    p.singular = p.singular || none;
    w[i] = elimination.force_through(p.lanes, i, f, push(element));
    pass(i, w[i]);
    if (S::kTop[i] || S::kParent[i] >= 0) {
      move(H, p.frames.lever[i]);
      inertias.give(p.lanes, element, H), forces.give(p.lanes, element, f);
    }
  });
}

/// Motions, outwards, with w(i) of each joint: visit(element, motion, acceleration of the joint).
template <class S, class C, class W, class Visit>
DELASSUS_LANE_INLINE void move_outwards(const Program<S, C>& p, const Elimination<S, C>& elimination,
                                        const Wrench<typename C::Number>& on_base, W&& w, Visit&& visit) {
  using T = typename C::Number;
  const Wrench<T> still{zero_vector<T>(), zero_vector<T>()};
  Wrench<T> a[S::kElements];
  upward<0, S::kElements>([&](auto element) {
    const int i = element;
    T g(0);
    if (S::kKind[i] == Kind::kFree) {
      a[i] = solve_base(elimination.base, on_base);
    } else {
      a[i] = Frames<S, C>::of_parent(p.lanes, element, a, still);
      g = elimination.motion_through(p.lanes, i, a[i], w(i));
    }
    visit(element, a[i], g);
  });
}

}  // namespace delassus::gpu
