// Contact forces: Coulomb's law at points, limits and dry friction of joints, by alternating directions without any matrix. The factor is
// one articulated recursion with a spring of stiffness 1/mobility at each row, which never changes, and each iteration sweeps once in
// and once out.
#pragma once

#include "gpu/kernel/contact_laws.hpp"
#include "gpu/kernel/program.hpp"

namespace delassus::gpu {

template <class S, class C>
struct ContactSolve {
  using T = typename C::Number;
  using V = Vector<T>;
  static constexpr int kPointRoom = Points<S, C>::kRoom, kJointRoom = JointRows<S, C>::kRoom;
  /// Residuals are looked at in the first iteration and in every fifth.
  static constexpr int kCheckEvery = 5;
  /// Steps are longer than asked for in so many iterations. Where contacts slide that may lead round in circles, so later ones are not.
  static constexpr int kBold = 50;

  Program<S, C> p;
  Points<S, C> points;
  JointRows<S, C> joints;
  Elimination<S, C> elimination;
  T w[S::kElements];
  Wrench<T> on_base;
  V u[kPointRoom], g[kPointRoom], step[kPointRoom];  // memory; velocity without pushes; what u is to change by
  T joint_u[kJointRoom], joint_g[kJointRoom], joint_step[kJointRoom];
  T worst;  // residual, squared

  DELASSUS_LANE_INLINE ContactSolve(const C& lanes, const Arguments<typename C::Real>& arguments)
      : p{lanes, arguments, {}} {}

  DELASSUS_LANE_INLINE void run() {
    place();
    factor();
    bool done = false;
    int iterations = 0;
    T residual(0);
    DELASSUS_LANE_ROLL
    for (int it = 0; it <= p.arguments.iterations; ++it) {
      const bool check = it % kCheckEvery == 0 || it == p.arguments.iterations;
      sweep(check);
      if (check) {
        residual = largest_lane<C>(worst);
        // All lanes of a warp vote, those that are done as well: without them the others wait for ever.
        const bool misses = C::any(residual > T(p.arguments.tolerance * p.arguments.tolerance));
        done = done || !misses;  // what is not finite gets no better, and ends as well
      }
      if (C::whole_warp(done)) break;
      if (it == p.arguments.iterations) break;
      if (!done) {
        advance(it < kBold ? T(1.6F) : T(1));
        ++iterations;
      }
    }
    finish(done, residual, iterations);
  }

 private:
  DELASSUS_LANE_INLINE auto held(int s) const { return points.friction(p.lanes, s) < T(0); }
  DELASSUS_LANE_INLINE T friction(int s) const {
    const T mu = points.friction(p.lanes, s);
    return select(mu < T(0), T(0), mu);
  }

  DELASSUS_LANE_INLINE void place() {
    const auto& arguments = p.arguments;
    upward<0, S::kElements>([&](auto element) {
      const int i = element;
      p.frames.place(p.lanes, arguments.q, element);
      for_slots<S>(element, [&](auto s) {
        points.place(p.lanes, p.frames.axes[i], arguments.in, reciprocal(points.mobility(p.lanes, s)), s);
        u[s] = points.value[s];
        g[s] = points.rows_of(p.lanes, arguments.target, s);
      });
      joints.place(p.lanes, arguments.in, element);
      for_joint_rows<S>(element, [&](auto r) {
        joint_u[r] = joints.value[r];
        joint_g[r] = joints.entry_of(p.lanes, arguments.target, r);
      });
    });
  }

  /// With springs, and the velocities that they leave of the free ones.
  DELASSUS_LANE_INLINE void factor() {
    const auto push = [&](auto element) {
      T sum(0);
      for_joint_rows<S>(element,
                        [&](auto r) { sum = sum - joints.sign[r] * joints.stiffness(p.lanes, r) * joint_g[r]; });
      return sum;
    };
    const auto stiffness = [&](auto element) {
      T sum(0);
      for_joint_rows<S>(element,
                        [&](auto r) { sum = sum + joints.sign[r] * joints.sign[r] * joints.stiffness(p.lanes, r); });
      return sum;
    };
    eliminate_inwards(
        p, elimination, w, on_base,
        [&](auto element, Inertia<T>& H, Wrench<T>& f) {
          for_slots<S>(element, [&](auto s) {
            add_point(element, points.force(p.lanes, g[s] * -points.stiffness[s], s), f);
            const Inertia<T> spring = points.inertia(p.lanes, s);
            add(H, is_shared(element) ? sum_lanes<C>(spring) : spring);
          });
        },
        push, stiffness, [](int, const T&) {});
    move_outwards(
        p, elimination, on_base, [&](int i) { return w[i]; },
        [&](auto element, const Wrench<T>& a, const T& acceleration) {
          for_slots<S>(element, [&](auto s) { g[s] = g[s] + points.seen_rows(p.lanes, a, s); });
          for_joint_rows<S>(element, [&](auto r) { joint_g[r] = joint_g[r] + joints.sign[r] * acceleration; });
        });
  }

  /// One iteration: pushes inwards, velocities outwards, and by how much u is to change.
  DELASSUS_LANE_INLINE void sweep(bool check) {
    worst = T(0);
    Handed<S, C, Wrench<T>> forces;
    downward<0, S::kElements>([&](auto element) {
      const int i = element;
      Wrench<T> f{zero_vector<T>(), zero_vector<T>()};
      if (!S::kLeaf[i]) f = forces.of[i];
      for_slots<S>(element, [&](auto s) {
        const PointLaw<T> law = point_law(u[s], friction(s), held(s));
        add_point(element, points.force(p.lanes, law.y + law.target, s), f);
      });
      if (S::kKind[i] == Kind::kFree) {
        on_base = f;
        return;
      }
      T push(0);
      for_joint_rows<S>(element, [&](auto r) { push = push + joints.sign[r] * (T(2) * joint_force(r) - joint_u[r]); });
      w[i] = elimination.force_through(p.lanes, i, f, push);
      if (S::kTop[i] || S::kParent[i] >= 0) forces.give(p.lanes, element, f);
    });
    move_outwards(
        p, elimination, on_base, [&](int i) { return w[i]; },
        [&](auto element, const Wrench<T>& a, const T& acceleration) {
          for_slots<S>(element, [&](auto s) { answer_point(s, g[s] + points.seen_rows(p.lanes, a, s), check); });
          for_joint_rows<S>(element,
                            [&](auto r) { answer_joint(r, joint_g[r] + joints.sign[r] * acceleration, check); });
        });
  }

  DELASSUS_LANE_INLINE void answer_point(int s, const V& sigma, bool check) {
    const T mu = friction(s);
    const PointLaw<T> law = point_law(u[s], mu, held(s));
    step[s] = plus(law.target, sigma, -points.stiffness[s]);
    if (!check) return;
    points.value[s] = law.y + step[s];
    const T off = point_residual(points.value[s], sigma, mu, held(s), points.mobility(p.lanes, s));
    see_residual(select(C::is_there(points.row(p.lanes, s, 0)), off, T(0)));
  }
  DELASSUS_LANE_INLINE void answer_joint(int r, const T& sigma, bool check) {
    const T k = joints.stiffness(p.lanes, r), y = joint_force(r);
    joint_step[r] = y - joint_u[r] - k * sigma;
    if (!check) return;
    const T x = joints.value[r] = y + joint_step[r];
    const T off = (x - clamped(x - k * sigma, low(r), high(r))) * reciprocal(k);
    see_residual(select(C::is_there(joints.index(p.lanes, r)), off * off, T(0)));
  }
  /// NaN stays.
  DELASSUS_LANE_INLINE void see_residual(const T& off) {
    worst = select(off <= worst, worst, select(worst != worst, worst, off));
  }

  DELASSUS_LANE_INLINE T low(int r) const { return joints.low(p.lanes, r) * T(p.arguments.R); }
  DELASSUS_LANE_INLINE T high(int r) const { return joints.high(p.lanes, r) * T(p.arguments.R); }
  DELASSUS_LANE_INLINE T joint_force(int r) const { return clamped(joint_u[r], low(r), high(r)); }

  DELASSUS_LANE_INLINE void advance(const T& alpha) {
    upward<0, S::kSlots>([&](auto s) { u[s] = plus(u[s], step[s], alpha); });
    upward<0, S::kJointRows>([&](auto r) { joint_u[r] = multiply_add(joint_step[r], alpha, joint_u[r]); });
  }

  DELASSUS_LANE_INLINE void finish(bool done, const T& residual, int iterations) {
    upward<0, S::kElements>([&](auto element) {
      for_slots<S>(element, [&](auto s) {
        points.store(p.lanes, p.arguments.out, points.value[s], s, false);
        const auto there = C::is_there(points.row(p.lanes, s, 0)), three = C::is_there(points.row(p.lanes, s, 1));
        p.see(select(there, points.value[s].x, T(0)));
        p.see(select(three, points.value[s].y + points.value[s].z, T(0)));
      });
      for_joint_rows<S>(element, [&](auto r) {
        p.lanes.store_each(p.arguments.out, joints.index(p.lanes, r), joints.value[r], element >= S::kTrunk);
        p.see(select(C::is_there(joints.index(p.lanes, r)), joints.value[r], T(0)));
      });
    });
    p.finish(S::kRows, done);
    p.lanes.store(p.arguments.outcome, 0, residual * inverse_length(residual));
    p.lanes.store(p.arguments.outcome, 1, T(static_cast<float>(iterations)));
  }

  static constexpr bool is_shared(int i) { return i < S::kTrunk && C::kLanes > 1; }
  template <class E>
  DELASSUS_LANE_INLINE void add_point(E element, const Wrench<T>& x, Wrench<T>& f) const {
    add(f, is_shared(element) ? sum_lanes<C>(x) : x);
  }
};

}  // namespace delassus::gpu
