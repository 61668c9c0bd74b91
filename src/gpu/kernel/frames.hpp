// Where links are: axes in the world and the way from the parent's origin, element by element outwards.
#pragma once

#include "gpu/kernel/exchange.hpp"
#include "gpu/kernel/structure.hpp"

namespace delassus::gpu {

/// Sine and cosine in float to 1.5 units of the last place for angles up to 10⁴, without memory: three parts of π/2, polynomials.
template <class T>
DELASSUS_LANE_INLINE void sine_cosine_single(const T& angle, T& s, T& c) {
  const T k = nearest_integer(angle * T(0.636619772F));
  T r = multiply_add(k, T(-1.5707397461F), angle);
  r = multiply_add(k, T(-5.6579709e-5F), r), r = multiply_add(k, T(-9.920936e-10F), r);
  const T r2 = r * r;
  const T sine = multiply_add(
      r * r2, multiply_add(r2, multiply_add(r2, T(-1.9515295891e-4F), T(8.3321608736e-3F)), T(-0.16666654611F)), r);
  const T cosine = multiply_add(
      r2 * r2, multiply_add(r2, multiply_add(r2, T(2.443315711e-5F), T(-1.388731625e-3F)), T(4.166664568e-2F)),
      multiply_add(T(-0.5F), r2, T(1.F)));
  // The quarter: k modulo 4, in fractions of 1.
  const T half = k * T(0.5F), odd = half - nearest_integer(half - T(0.25F));
  const T quarter = k * T(0.25F), turn = quarter - nearest_integer(quarter - T(0.375F));
  const auto swapped = odd > T(0.25F);
  const T s0 = select(swapped, cosine, sine), c0 = select(swapped, sine, cosine);
  s = select(turn > T(0.375F), -s0, s0);
  c = select(turn > T(0.125F), select(turn < T(0.625F), -c0, c0), c0);
}

/// Columns of the rotation of a quaternion of any length but zero.
template <class T>
DELASSUS_LANE_INLINE Axes<T> axes_of(const T& x, const T& y, const T& z, const T& w) {
  const T norm = multiply_add(x, x, multiply_add(y, y, multiply_add(z, z, w * w)));
  const T s = T(2) * reciprocal(norm), one(1);
  const T sx = s * x, sy = s * y, sz = s * z;
  const T xx = sx * x, yy = sy * y, zz = sz * z, xy = sx * y, xz = sx * z, yz = sy * z;
  const T wx = sx * w, wy = sy * w, wz = sz * w;
  return {
      {one - (yy + zz), xy + wz, xz - wy}, {xy - wz, one - (xx + zz), yz + wx}, {xz + wy, yz - wx, one - (xx + yy)}};
}
template <class T>
DELASSUS_LANE_INLINE Axes<T> operator*(const Axes<T>& a, const Axes<T>& b) {
  return {a * b.x, a * b.y, a * b.z};
}

/// The axis of an element in the world: the third one but for parts of planar and ball joints.
template <class T>
DELASSUS_LANE_INLINE const Vector<T>& axis_of(const Axes<T>& axes, Kind kind) {
  if (kind == Kind::kSlideX || kind == Kind::kBallX) return axes.x;
  if (kind == Kind::kSlideY || kind == Kind::kBallY) return axes.y;
  return axes.z;
}

template <class S, class C>
struct Frames {
  using T = typename C::Number;
  using V = Vector<T>;

  Axes<T> axes[S::kElements];
  V lever[S::kElements];  // from the parent's origin

  static constexpr int number(int element, int which) { return element * element::kNumbers + which; }
  static constexpr int index(int element, int which) { return element * element::kIndices + which; }

  DELASSUS_LANE_INLINE static V vector_at(const C& lanes, int k) {
    return {lanes.number(k), lanes.number(k + 1), lanes.number(k + 2)};
  }

  /// Of the parent in each lane; `world` where that is the world.
  template <class X, class E>
  DELASSUS_LANE_INLINE static X of_parent(const C& lanes, E element, const X* of, const X& world) {
    const int i = element;
    const auto of_link = [&](int link) { return link < 0 ? world : of[link]; };
    X x = of_link(S::kParent[i]);
    for_ways<S>(element, [&](auto way) {
      const int w = way;
      if (S::kWayParent[w] != S::kParent[i]) x = select(lanes.in(S::kWayLanes[w]), of_link(S::kWayParent[w]), x);
    });
    return x;
  }

  template <class E>
  DELASSUS_LANE_INLINE void place(const C& lanes, const Array<const typename C::Real>& q, E element) {
    const int i = element;
    const Kind kind = S::kKind[i];
    const T one(1), zero(0);
    const Axes<T> world{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
    axes[i] = of_parent(lanes, element, axes, world);
    lever[i] = zero_vector<T>();
    if (has_placement(kind)) {
      const int n = number(i, element::kRotation);
      lever[i] = axes[i] * vector_at(lanes, number(i, element::kTranslation));
      axes[i] = axes[i] * Axes<T>{{lanes.number(n), lanes.number(n + 3), lanes.number(n + 6)},
                                  {lanes.number(n + 1), lanes.number(n + 4), lanes.number(n + 7)},
                                  {lanes.number(n + 2), lanes.number(n + 5), lanes.number(n + 8)}};
    }
    if (kind == Kind::kFree) {
      move_base(lanes, q, i);
    } else {
      move(lanes, q, i, kind);
    }
  }

 private:
  DELASSUS_LANE_INLINE void move_base(const C& lanes, const Array<const typename C::Real>& q, int i) {
    const int c = S::kBaseCoordinate;
    lever[i] = lever[i] + axes[i] * V{lanes.load(q, c), lanes.load(q, c + 1), lanes.load(q, c + 2)};
    axes[i] = axes[i] * axes_of(lanes.load(q, c + 3), lanes.load(q, c + 4), lanes.load(q, c + 5), lanes.load(q, c + 6));
  }

  /// What the coordinate of the element does.
  DELASSUS_LANE_INLINE void move(const C& lanes, const Array<const typename C::Real>& q, int i, Kind kind) {
    if (kind == Kind::kBallY || kind == Kind::kBallZ) return;
    const auto place = lanes.index(index(i, element::kCoordinate));
    const T x = lanes.load_each(q, place);
    const Axes<T> before = axes[i];
    if (kind == Kind::kBallX) {
      const T y = lanes.load_each(q, C::after(place, 1)), z = lanes.load_each(q, C::after(place, 2));
      const T w = select(C::is_there(place), lanes.load_each(q, C::after(place, 3)), T(1));
      axes[i] = before * axes_of(x, y, z, w);
    }
    if (kind == Kind::kHinge || kind == Kind::kScrew) {
      T s, c;
      if constexpr (sizeof(typename C::Real) == 4) {
        sine_cosine_single(x, s, c);
      } else {
        sine_cosine(x, s, c);
      }
      axes[i].x = plus(before.x * c, before.y, s);
      axes[i].y = plus(before.y * c, before.x, -s);
    }
    if (kind == Kind::kScrew) lever[i] = plus(lever[i], before.z, x * lanes.number(number(i, element::kPitch)));
    if (slides(kind) && kind != Kind::kScrew) lever[i] = plus(lever[i], axis_of(before, kind), x);
  }
};

}  // namespace delassus::gpu
