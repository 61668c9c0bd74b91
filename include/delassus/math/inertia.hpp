// Rigid-body inertias (10 numbers) and articulated-body inertias (21 numbers), world axes, about a named point.
#pragma once

#include "delassus/math/spatial.hpp"
#include "delassus/math/symmetric.hpp"

namespace delassus {

/// Mass, first moment (mass times centre of mass, from the point) and rotational inertia about the point.
template <class T>
struct RigidInertia {
  T mass;
  Vec3<T> moment;
  Sym3<T> rotational;

  DELASSUS_INLINE static RigidInertia zero() { return {T(0), Vec3<T>::zero(), Sym3<T>::zero()}; }
  DELASSUS_INLINE RigidInertia& operator+=(const RigidInertia& b) {
    mass += b.mass;
    moment += b.moment;
    rotational += b.rotational;
    return *this;
  }
};

template <class T>
DELASSUS_INLINE Force<T> operator*(const RigidInertia<T>& I, const Motion<T>& m) {
  return {I.rotational * m.angular + cross(I.moment, m.linear), I.mass * m.linear - cross(I.moment, m.angular)};
}

template <class T>
DELASSUS_INLINE RigidInertia<T> rotated(const RigidInertia<T>& I, const Mat3<T>& R) {
  return {I.mass, R * I.moment, congruence(R, I.rotational)};
}

/// The same body about a point from which the present one lies `r` away.
template <class T>
DELASSUS_INLINE RigidInertia<T> shifted(const RigidInertia<T>& I, const Vec3<T>& r) {
  const Vec3<T> moment = I.moment + I.mass * r;
  RigidInertia<T> out{I.mass, moment, I.rotational};
  // Parallel axes without going through the centre of mass: with s = moment + I.moment (about new and old point),
  // the added term is (r·s) 1 - (r sᵀ + s rᵀ)/2.
  const Vec3<T> s = moment + I.moment;
  const T rs = dot(r, s);
  const T half(0.5);
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    out.rotational(i, i) += rs - r[i] * s[i];
    DELASSUS_UNROLL
    for (int j = 0; j < i; ++j) out.rotational(i, j) -= half * (r[i] * s[j] + r[j] * s[i]);
  }
  return out;
}

/// [[A, B], [Bᵀ, M]]: A and M symmetric. Maps a motion to a force about the same point.
template <class T>
struct ArticulatedInertia {
  Sym3<T> A;
  Mat3<T> B;
  Sym3<T> M;

  DELASSUS_INLINE static ArticulatedInertia zero() { return {Sym3<T>::zero(), Mat3<T>::zero(), Sym3<T>::zero()}; }
  DELASSUS_INLINE ArticulatedInertia& operator+=(const ArticulatedInertia& b) {
    A += b.A;
    B += b.B;
    M += b.M;
    return *this;
  }
};

template <class T>
DELASSUS_INLINE ArticulatedInertia<T> articulated(const RigidInertia<T>& I) {
  const Vec3<T>& h = I.moment;
  const T o(0);
  return {I.rotational, Mat3<T>{{o, -h[2], h[1], h[2], o, -h[0], -h[1], h[0], o}}, Sym3<T>::diagonal(I.mass)};
}

template <class T>
DELASSUS_INLINE Force<T> operator*(const ArticulatedInertia<T>& H, const Motion<T>& m) {
  return {H.A * m.angular + H.B * m.linear, transposed_times(H.B, m.angular) + H.M * m.linear};
}

/// Column e of the 6 × 6 matrix.
template <class T>
DELASSUS_INLINE Force<T> column(const ArticulatedInertia<T>& H, int e) {
  Force<T> out;
  DELASSUS_UNROLL
  for (int r = 0; r < 3; ++r) {
    out.moment[r] = e < 3 ? H.A(r, e) : H.B(r, e - 3);
    out.force[r] = e < 3 ? H.B(e, r) : H.M(r, e - 3);
  }
  return out;
}

/// H ← H - U Ûᵀ, written on the 21 stored entries; U = H S and Û = U D⁻¹ of one degree of freedom.
template <class T>
DELASSUS_INLINE void downdate(ArticulatedInertia<T>& H, const Force<T>& U, const Force<T>& U_hat) {
  DELASSUS_UNROLL
  for (int r = 0; r < 3; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < r + 1; ++c) {
      H.A(r, c) -= U.moment[r] * U_hat.moment[c];
      H.M(r, c) -= U.force[r] * U_hat.force[c];
    }
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) H.B(r, c) -= U.moment[r] * U_hat.force[c];
  }
}

/// The same inertia about a point from which the present one lies `r` away: M' = M, B' = B + r× M,
/// A' = A + r× Bᵀ - B' r×, six entries of the last.
template <class T>
DELASSUS_INLINE ArticulatedInertia<T> shifted(const ArticulatedInertia<T>& H, const Vec3<T>& r) {
  ArticulatedInertia<T> out{H.A, H.B, H.M};
  DELASSUS_UNROLL
  for (int c = 0; c < 3; ++c) {
    out.B(0, c) += r[1] * H.M(2, c) - r[2] * H.M(1, c);
    out.B(1, c) += r[2] * H.M(0, c) - r[0] * H.M(2, c);
    out.B(2, c) += r[0] * H.M(1, c) - r[1] * H.M(0, c);
  }
  // (r× Bᵀ)(i, j) = (r × row j of B), component i; (-B' r×)(i, j) = (r × row i of B'), component j.
  const auto cross_row = [&](const Mat3<T>& X, int row, int component) {
    const int u = (component + 1) % 3, v = (component + 2) % 3;
    return r[u] * X(row, v) - r[v] * X(row, u);
  };
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    DELASSUS_UNROLL
    for (int j = 0; j < i + 1; ++j) out.A(i, j) += cross_row(H.B, j, i) + cross_row(out.B, i, j);
  }
  return out;
}

}  // namespace delassus
