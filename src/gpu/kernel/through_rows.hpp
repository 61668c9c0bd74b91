// Products with Λ⁻¹, and damped solves.
#pragma once

#include "gpu/kernel/program.hpp"

namespace delassus::gpu {

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

}  // namespace delassus::gpu
