// Loop closures within a limb: two points of the robot, three rows along the axes of the world.
//
// A product needs their forces and motions alone. A damped solve has the forces λ as unknowns, R λ + J a = b: each side carries the three
// unit forces inwards beside f, as K; joints on the way leave E = s·K, and where the sides meet
//   Γ = R + Σ E Eᵀ,   f += K Γ⁻¹ (b - Σ E w),   H += K Γ⁻¹ Kᵀ,
// so that what is further in knows nothing of the loop. Outwards λ = Γ⁻¹ (b - Σ E w - Kᵀ a), and joints on the way have w + E·λ.
#pragma once

#include "gpu/kernel/elimination.hpp"

namespace delassus::gpu {

/// The inverse of a matrix whose pivots cannot be below `least`: in float, rounding would have them so.
template <class T>
DELASSUS_LANE_INLINE Symmetric<T> inverse(const Symmetric<T>& m, const T& least) {
  const auto at_least = [&](const T& pivot) { return reciprocal(select(pivot < least, least, pivot)); };
  const T i0 = at_least(m.xx), p = m.xy * i0, q = m.xz * i0;
  const T i1 = at_least(m.yy - p * m.xy), t = m.yz - q * m.xy, r = t * i1;
  const T i2 = at_least(m.zz - q * m.xz - r * t);
  const T u = p * r - q;  // of L⁻¹: -p, u, -r
  return {i0 + p * p * i1 + u * u * i2, -p * i1 - u * r * i2, u * i2, i1 + r * r * i2, -r * i2, i2};
}

template <class S, class C>
struct Closures {
  using T = typename C::Number;
  using V = Vector<T>;
  static constexpr int kRoom = S::kLoops > 0 ? S::kLoops : 1;

  V lever[kRoom][2], value[kRoom];
  T sign[kRoom];  // 1, or -1 where the constraint names the sides the other way round, or 0 in a lane without the loop

  static constexpr int number(int loop, int which) {
    return S::kElements * element::kNumbers + S::kSlots * (S::kLevel ? slot::kLevelNumbers : slot::kNumbers) +
           loop * loop::kNumbers + which;
  }
  static constexpr int end_of(int l, int side) { return side == 0 ? S::kLoopA[l] : S::kLoopB[l]; }
  static constexpr int side_of(int l, int element) { return S::kLoopSide[l * S::kElements + element]; }

  template <class F>
  DELASSUS_LANE_INLINE static void for_ends_at(int i, F&& f) {
    upward<0, S::kLoops>([&](auto loop) {
      const int l = loop;
      if (S::kLoopA[l] == i) f(l, 0);
      if (S::kLoopB[l] == i) f(l, 1);
    });
  }

  DELASSUS_LANE_INLINE void place(const C& lanes, const Axes<T>& axes, const Array<const typename C::Real>& in, int i) {
    for_ends_at(i, [&](int l, int side) {
      lever[l][side] = axes * Frames<S, C>::vector_at(lanes, number(l, loop::kPoint + 3 * side));
      sign[l] = lanes.number(number(l, loop::kSign));
      value[l] = rows_of(lanes, in, l);
    });
  }
  DELASSUS_LANE_INLINE static typename C::Index row(const C& lanes, int l) {
    return lanes.index(S::kElements * element::kIndices + S::kSlots * slot::kIndices + l);
  }
  DELASSUS_LANE_INLINE static V rows_of(const C& lanes, const Array<const typename C::Real>& in, int l) {
    if (in.data == nullptr) return zero_vector<T>();
    const auto r = row(lanes, l);
    return {lanes.load_each(in, r), lanes.load_each(in, C::after(r, 1)), lanes.load_each(in, C::after(r, 2))};
  }

  /// The force of `rows` at one side.
  DELASSUS_LANE_INLINE Wrench<T> force(const V& rows, int l, int side) const {
    const V f = rows * (side == 0 ? sign[l] : -sign[l]);
    return {cross(lever[l][side], f), f};
  }
  DELASSUS_LANE_INLINE V seen(const Wrench<T>& a, int l, int side) const {
    return plus_cross(a.linear, a.angular, lever[l][side]) * (side == 0 ? sign[l] : -sign[l]);
  }
};

/// The unknown forces of loops, on their way inwards and outwards.
template <class S, class C>
struct ClosureForces {
  using T = typename C::Number;
  using V = Vector<T>;
  static constexpr int kRoom = Closures<S, C>::kRoom;

  Wrench<T> K[kRoom][2][3], solved[kRoom][3];  // of each side; K Γ⁻¹ where they meet
  Symmetric<T> gamma[kRoom];
  V left[kRoom], lambda[kRoom];  // b - Σ E w
  V E[kRoom][S::kElements];

  DELASSUS_LANE_INLINE void start(const Closures<S, C>& closures, const T& R) {
    upward<0, S::kLoops>([&](auto loop) {
      const int l = loop;
      gamma[l] = {R, T(0), T(0), R, T(0), R};
      left[l] = closures.value[l];
    });
  }

  /// At an element that both sides have reached, or that is an end: before its joint is eliminated.
  DELASSUS_LANE_INLINE void arrive(const Closures<S, C>& closures, const T& R, int i, Inertia<T>& H, Wrench<T>& f) {
    const T one(1), zero(0);
    closures.for_ends_at(i, [&](int l, int side) {
      K[l][side][0] = closures.force({one, zero, zero}, l, side);
      K[l][side][1] = closures.force({zero, one, zero}, l, side);
      K[l][side][2] = closures.force({zero, zero, one}, l, side);
    });
    upward<0, S::kLoops>([&](auto loop) {
      const int l = loop;
      if (S::kLoopMeet[l] != i) return;
      DELASSUS_LANE_UNROLL
      for (int k = 0; k < 3; ++k) add(K[l][0][k], K[l][1][k]);
      meet(l, R);
      DELASSUS_LANE_UNROLL
      for (int k = 0; k < 3; ++k) add_product(H, K[l][0][k], solved[l][k]);
      f = combined(f, solved[l], left[l]);
    });
  }

  /// Through the joint of an element whose other forces left w.
  DELASSUS_LANE_INLINE void pass(const C& lanes, const Elimination<S, C>& elimination, int i, const T& w) {
    upward<0, S::kLoops>([&](auto loop) {
      const int l = loop, side = Closures<S, C>::side_of(l, i);
      if (side == 0) return;
      Wrench<T>* k = K[l][side - 1];
      const T none(0);
      const V e{elimination.force_through(lanes, i, k[0], none), elimination.force_through(lanes, i, k[1], none),
                elimination.force_through(lanes, i, k[2], none)};
      E[l][i] = e;
      add(gamma[l], Symmetric<T>{e.x * e.x, e.x * e.y, e.x * e.z, e.y * e.y, e.y * e.z, e.z * e.z});
      left[l] = plus(left[l], e, -w);
    });
  }

  /// Loops whose sides meet in the world.
  DELASSUS_LANE_INLINE void finish(const T& R) {
    upward<0, S::kLoops>([&](auto loop) {
      const int l = loop;
      if (S::kLoopMeet[l] < 0) lambda[l] = inverse(gamma[l], R) * left[l];
    });
  }

  /// Outwards: forces of the loops that meet at an element, from its motion.
  DELASSUS_LANE_INLINE void resolve(int i, const Wrench<T>& a) {
    upward<0, S::kLoops>([&](auto loop) {
      const int l = loop;
      if (S::kLoopMeet[l] != i) return;
      const auto along = [&](const Wrench<T>& k) { return dot(k.angular, a.angular) + dot(k.linear, a.linear); };
      lambda[l] = gamma[l] * left[l] - V{along(solved[l][0]), along(solved[l][1]), along(solved[l][2])};
    });
  }
  /// What loops add to the w of an element.
  DELASSUS_LANE_INLINE T pull(int i) const {
    T sum(0);
    upward<0, S::kLoops>([&](auto loop) {
      const int l = loop;
      if (Closures<S, C>::side_of(l, i) != 0) sum = sum + dot(E[l][i], lambda[l]);
    });
    return sum;
  }

 private:
  /// Γ becomes its inverse.
  DELASSUS_LANE_INLINE void meet(int l, const T& R) {
    gamma[l] = inverse(gamma[l], R);
    const Symmetric<T>& g = gamma[l];
    const Wrench<T> none{zero_vector<T>(), zero_vector<T>()};
    solved[l][0] = combined(none, K[l][0], {g.xx, g.xy, g.xz});
    solved[l][1] = combined(none, K[l][0], {g.xy, g.yy, g.yz});
    solved[l][2] = combined(none, K[l][0], {g.xz, g.yz, g.zz});
  }
  DELASSUS_LANE_INLINE static Wrench<T> combined(Wrench<T> sum, const Wrench<T>* k, const V& by) {
    const T factors[3] = {by.x, by.y, by.z};
    DELASSUS_LANE_UNROLL
    for (int j = 0; j < 3; ++j) {
      sum.angular = plus(sum.angular, k[j].angular, factors[j]), sum.linear = plus(sum.linear, k[j].linear, factors[j]);
    }
    return sum;
  }
  /// k gᵀ. Summed over the three rows of a loop that is symmetric, and of symmetric parts one half is kept.
  DELASSUS_LANE_INLINE static void add_product(Inertia<T>& H, const Wrench<T>& k, const Wrench<T>& g) {
    const V &n = k.angular, &f = k.linear;
    add(H.A, Symmetric<T>{n.x * g.angular.x, n.x * g.angular.y, n.x * g.angular.z, n.y * g.angular.y, n.y * g.angular.z,
                          n.z * g.angular.z});
    H.Bx = plus(H.Bx, g.linear, n.x), H.By = plus(H.By, g.linear, n.y), H.Bz = plus(H.Bz, g.linear, n.z);
    add(H.C, Symmetric<T>{f.x * g.linear.x, f.x * g.linear.y, f.x * g.linear.z, f.y * g.linear.y, f.y * g.linear.z,
                          f.z * g.linear.z});
  }
};

}  // namespace delassus::gpu
