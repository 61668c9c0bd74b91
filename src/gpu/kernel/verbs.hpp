// What a kernel does with one environment. S are the tables of the robot, C its lanes.
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
  DELASSUS_LANE_INLINE void finish(int components) {
    const bool none = C::any(finite != T(0)), no_pivot = C::any(singular);
    if (none || no_pivot) lanes.spoil(arguments.out, components);
    lanes.set_status(arguments.status, no_pivot ? kSingularJoint : none ? kNotFinite : kOk);
  }
};

template <class S, class C>
DELASSUS_LANE_INLINE void inverse_dynamics(const C& lanes, const Arguments<typename C::Real>& arguments) {
  using T = typename C::Number;
  Program<S, C> p{lanes, arguments, {}};
  Motions<S, C> motions;
  upward<0, S::kElements>([&](auto element) {
    p.frames.place(lanes, arguments.q, element);
    motions.carry(lanes, p.frames, arguments.v, arguments.in, p.gravity(), element);
  });
  Handed<S, C, Wrench<T>> handed;
  downward<0, S::kElements>([&](auto element) {
    const int i = element;
    Wrench<T> f = S::kLeaf[i] ? Wrench<T>{zero_vector<T>(), zero_vector<T>()} : handed.of[i];
    if (S::kMassive[i]) add(f, force_for(mass_of<S, C>(lanes, p.frames.axes[i], i), motions.of[i]));
    if (S::kKind[i] == Kind::kFree) {
      p.template store_base<true>(f, i);
      return;
    }
    const Kind kind = S::kKind[i];
    const Vector<T> z = axis_of(p.frames.axes[i], kind);
    T push = turns(kind) ? dot(z, f.angular) : dot(z, f.linear);
    if (kind == Kind::kScrew)
      push = multiply_add(lanes.number(Frames<S, C>::number(i, element::kPitch)), dot(z, f.linear), push);
    const T rotor = lanes.number(Frames<S, C>::number(i, element::kArmature));
    p.store_dof(i, multiply_add(rotor, lanes.load_each(arguments.in, p.dof(i)), push));
    f.angular = plus_cross(f.angular, p.frames.lever[i], f.linear);
    handed.give(lanes, element, f);
  });
  p.finish(S::kDofs);
}

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

template <class S, class C>
DELASSUS_LANE_INLINE void forward_dynamics(const C& lanes, const Arguments<typename C::Real>& arguments) {
  using T = typename C::Number;
  using In = Array<const typename C::Real>;
  Program<S, C> p{lanes, arguments, {}};
  Wrench<T> bias[S::kElements];
  {
    Motions<S, C> motions;
    upward<0, S::kElements>([&](auto element) {
      const int i = element;
      p.frames.place(lanes, arguments.q, element);
      motions.carry(lanes, p.frames, arguments.v, In(), p.gravity(), element);
      if (S::kMassive[i]) bias[i] = force_for(mass_of<S, C>(lanes, p.frames.axes[i], i), motions.of[i]);
    });
  }
  Elimination<S, C> elimination;
  T w[S::kElements];
  Wrench<T> on_base;
  const auto load = [&](auto element, Inertia<T>&, Wrench<T>& f) {
    const int i = element;
    if (S::kMassive[i]) f = {f.angular - bias[i].angular, f.linear - bias[i].linear};
    if (S::kKind[i] == Kind::kFree) add(f, p.load_base(arguments.in, i));
  };
  eliminate_inwards(
      p, elimination, w, on_base, load, [&](int i) { return lanes.load_each(arguments.in, p.dof(i)); },
      [](int) { return T(0); }, [](int, const T&) {});
  move_outwards(
      p, elimination, on_base, [&](int i) { return w[i]; },
      [&](auto element, const Wrench<T>& a, const T& g) {
        const int i = element;
        if (S::kKind[i] == Kind::kFree) {
          p.template store_base<false>(a, i);
        } else {
          p.store_dof(i, g);
        }
      });
  p.finish(S::kDofs);
}

/// Λ⁻¹ x, or with kDamped (R + Λ⁻¹)⁻¹ x: then points have springs, k (x - J (M + Jᵀ k J)⁻¹ Jᵀ k x) with k = 1/R, and loops are
/// eliminated.
template <class S, class C, bool kDamped>
struct ThroughRows {
  using T = typename C::Number;
  using V = Vector<T>;

  Program<S, C> p;
  T R, k;
  Points<S, C> points;
  JointRows<S, C> joint_rows;
  Closures<S, C> closures;
  ClosureForces<S, C> loops;
  Elimination<S, C> elimination;
  T w[S::kElements];
  V seen[Closures<S, C>::kRoom];  // by loops

  DELASSUS_LANE_INLINE ThroughRows(const C& lanes, const Arguments<typename C::Real>& arguments)
      : p{lanes, arguments, {}},
        R(arguments.damping.data == nullptr ? T(arguments.R) : lanes.load(arguments.damping, 0)),
        k(kDamped ? reciprocal(R) : T(0)) {}

  DELASSUS_LANE_INLINE void run() {
    upward<0, S::kElements>([&](auto element) {
      const int i = element;
      p.frames.place(p.lanes, p.arguments.q, element);
      for_slots<S>(element, [&](auto s) { points.place(p.lanes, p.frames.axes[i], p.arguments.in, k, s); });
      joint_rows.place(p.lanes, p.arguments.in, element);
      closures.place(p.lanes, p.frames.axes[i], p.arguments.in, i);
    });
    if (kDamped) loops.start(closures, R);
    Wrench<T> on_base;
    eliminate_inwards(
        p, elimination, w, on_base, [&](auto element, Inertia<T>& H, Wrench<T>& f) { load(element, H, f); },
        [&](auto element) { return kDamped ? joint_rows.push(element) * k : joint_rows.push(element); },
        [&](auto element) { return kDamped ? joint_rows.count(element) * k : T(0); },
        [&](int i, const T& left) {
          if (kDamped) loops.pass(p.lanes, elimination, i, left);
        });
    if (kDamped) loops.finish(R);
    move_outwards(
        p, elimination, on_base, [&](int i) { return kDamped ? w[i] + loops.pull(i) : w[i]; },
        [&](auto element, const Wrench<T>& a, const T& g) { visit(element, a, g); });
    if (kDamped) {
      upward<0, S::kLoops>([&](auto l) { store_loop(l, loops.lambda[l]); });
    }
    p.finish(S::kRows);
  }

 private:
  template <class E>
  DELASSUS_LANE_INLINE void load(E element, Inertia<T>& H, Wrench<T>& f) {
    const int i = element;
    const bool shared = i < S::kTrunk && C::kLanes > 1;  // points of the trunk are spread over the lanes
    for_slots<S>(element, [&](auto s) {
      const Wrench<T> x = points.force(p.lanes, kDamped ? points.value[s] * k : points.value[s], s);
      add(f, shared ? sum_lanes<C>(x) : x);
      if (kDamped) {
        const Inertia<T> spring = points.inertia(p.lanes, s);
        add(H, shared ? sum_lanes<C>(spring) : spring);
      }
    });
    if (kDamped) {
      loops.arrive(closures, R, i, H, f);
    } else {
      closures.for_ends_at(i, [&](int l, int side) { add(f, closures.force(closures.value[l], l, side)); });
    }
  }

  template <class E>
  DELASSUS_LANE_INLINE void visit(E element, const Wrench<T>& a, const T& g) {
    const int i = element;
    for_slots<S>(element, [&](auto s) { store_point(s, points.seen(p.lanes, a, s)); });
    for_joint_rows<S>(element, [&](auto r) { store_joint_row(r, i, joint_rows.sign[r] * g); });
    if (kDamped) {
      loops.resolve(i, a);
      return;
    }
    closures.for_ends_at(i, [&](int l, int side) {
      const V mine = closures.seen(a, l, side);
      const bool last = i == (S::kLoopA[l] > S::kLoopB[l] ? S::kLoopA[l] : S::kLoopB[l]);
      seen[l] = last ? seen[l] + mine : mine;
      if (last)
        store_loop(l, remainder(seen[l], closures.value[l], Closures<S, C>::rows_of(p.lanes, p.arguments.target, l)));
    });
  }

  /// The product, or what is left of the target.
  DELASSUS_LANE_INLINE V remainder(const V& product, const V& x, const V& target) const {
    return p.arguments.target.data == nullptr ? product : target - x * R - product;
  }

  DELASSUS_LANE_INLINE void store_point(int s, const V& seen_there) {
    const V x = points.value[s];
    V y = (x - seen_there) * k;
    if (!kDamped) y = remainder(seen_there, x, points.rows_of(p.lanes, p.arguments.target, s));
    points.store(p.lanes, p.arguments.out, y, s, p.arguments.add != 0);
    p.see(select(C::is_there(points.row(p.lanes, s, 0)), y.x, T(0)));
    p.see(select(C::is_there(points.row(p.lanes, s, 1)), y.y + y.z, T(0)));
  }
  DELASSUS_LANE_INLINE void store_loop(int l, const V& y) {
    const auto row = Closures<S, C>::row(p.lanes, l);
    const T all[3] = {y.x, y.y, y.z};
    DELASSUS_LANE_UNROLL
    for (int j = 0; j < 3; ++j) store_entry(C::after(row, j), all[j], S::kLoopA[l] >= S::kTrunk);
  }
  DELASSUS_LANE_INLINE void store_joint_row(int r, int i, const T& seen_there) {
    const T x = joint_rows.value[r];
    T y = (x - seen_there) * k;
    if (!kDamped) y = seen_there;
    if (!kDamped && p.arguments.target.data != nullptr) {
      y = JointRows<S, C>::entry_of(p.lanes, p.arguments.target, r) - x * R - seen_there;
    }
    store_entry(JointRows<S, C>::index(p.lanes, r), y, i >= S::kTrunk);
  }
  DELASSUS_LANE_INLINE void store_entry(const typename C::Index& row, const T& y, bool from_all) {
    const T before = p.arguments.add != 0 ? p.lanes.load_each(p.arguments.out, row) : T(0);
    p.lanes.store_each(p.arguments.out, row, before + y, from_all);
    p.see(select(C::is_there(row), y, T(0)));
  }
};

template <class S, class C, Verb kVerb>
DELASSUS_LANE_INLINE void run(const C& lanes, const Arguments<typename C::Real>& arguments) {
  if constexpr (kVerb == Verb::kInverseDynamics) inverse_dynamics<S>(lanes, arguments);
  if constexpr (kVerb == Verb::kForwardDynamics) forward_dynamics<S>(lanes, arguments);
  if constexpr (kVerb == Verb::kApply) ThroughRows<S, C, false>(lanes, arguments).run();
  if constexpr (kVerb == Verb::kSolve) ThroughRows<S, C, true>(lanes, arguments).run();
}

}  // namespace delassus::gpu
