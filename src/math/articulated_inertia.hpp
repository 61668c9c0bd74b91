// Articulated-body inertias, world axes, about a named point. Two layouts with the same functions: 21 numbers for any
// scalar, and rows in lanes for float and double.
#pragma once

#include "delassus/math/spatial.hpp"
#include "math/lane3.hpp"

namespace delassus {

/// [[A, B], [Bᵀ, M]]: A and M symmetric. Maps a motion to a force about the same point.
template <class T>
struct ArticulatedInertia {
  using Column = Force<T>;  // of the 6 × 6 matrix

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
    DELASSUS_UNROLL
    for (int i = 0; i < 3; ++i) {
      out.B(i, c) += r[(i + 1) % 3] * H.M((i + 2) % 3, c);
      out.B(i, c) -= r[(i + 2) % 3] * H.M((i + 1) % 3, c);
    }
  }
  // (r× Bᵀ)(i, j) = (r × row j of B), component i; (-B' r×)(i, j) = (r × row i of B'), component j. Term by term: each is fused.
  const auto add_cross = [&](T& to, const Mat3<T>& X, int row, int component) {
    const int u = (component + 1) % 3, v = (component + 2) % 3;
    to += r[u] * X(row, v);
    to -= r[v] * X(row, u);
  };
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    DELASSUS_UNROLL
    for (int j = 0; j < i + 1; ++j) {
      add_cross(out.A(i, j), H.B, j, i);
      add_cross(out.A(i, j), out.B, i, j);
    }
  }
  return out;
}

/// H ← H + x G.
template <class T>
DELASSUS_INLINE void add_scaled(ArticulatedInertia<T>& H, const T& x, const ArticulatedInertia<T>& G) {
  DELASSUS_UNROLL
  for (int e = 0; e < 6; ++e) {
    H.A.a[e] += x * G.A.a[e];
    H.M.a[e] += x * G.M.a[e];
  }
  H.B += x * G.B;
}

/// H S, where S of a pure rotation has no linear part: half the work.
template <bool kRotation, class T>
DELASSUS_INLINE Force<T> times_subspace(const ArticulatedInertia<T>& H, const Motion<T>& S) {
  if constexpr (kRotation) return {H.A * S.angular, transposed_times(H.B, S.angular)};
  return H * S;
}

// ------------------------------------------------------------------------------------------ rows in lanes

/// Rows of a 3 × 3 block.
template <Laned T>
struct Rows3 {
  Lane3<T> row[3];

  Rows3() = default;
  template <class M>
  DELASSUS_INLINE explicit Rows3(const M& m) {
    DELASSUS_UNROLL
    for (int r = 0; r < 3; ++r) row[r] = Lane3<T>(m(r, 0), m(r, 1), m(r, 2));
  }
  DELASSUS_INLINE T operator()(int r, int c) const { return row[r][c]; }
  DELASSUS_INLINE explicit operator Sym3<T>() const {
    Sym3<T> out;
    DELASSUS_UNROLL
    for (int r = 0; r < 3; ++r) {
      DELASSUS_UNROLL
      for (int c = 0; c < r + 1; ++c) out(r, c) = row[r][c];
    }
    return out;
  }
  DELASSUS_INLINE explicit operator Mat3<T>() const {
    Mat3<T> out;
    DELASSUS_UNROLL
    for (int r = 0; r < 3; ++r) {
      DELASSUS_UNROLL
      for (int c = 0; c < 3; ++c) out(r, c) = row[r][c];
    }
    return out;
  }
  DELASSUS_INLINE Rows3& operator+=(const Rows3& b) {
    DELASSUS_UNROLL
    for (int r = 0; r < 3; ++r) row[r] += b.row[r];
    return *this;
  }
};

/// xᵀ times the block: a sum of rows. For a symmetric block this is the block times x.
template <Laned T>
DELASSUS_INLINE Lane3<T> sum_of_rows(const Rows3<T>& m, const Vec3<T>& x) {
  return x[0] * m.row[0] + x[1] * m.row[1] + x[2] * m.row[2];
}

/// A and M are stored in full.
template <Laned T>
struct ArticulatedInertia<T> {
  struct Column {
    Lane3<T> moment, force;
    Column() = default;
    DELASSUS_INLINE Column(Lane3<T> m, Lane3<T> f) : moment(m), force(f) {}
    DELASSUS_INLINE explicit Column(const Force<T>& f) : moment(f.moment), force(f.force) {}
    DELASSUS_INLINE operator Force<T>() const { return {moment, force}; }  // NOLINT: the same six numbers
    DELASSUS_INLINE Column& operator-=(const Column& b) { return moment -= b.moment, force -= b.force, *this; }
    DELASSUS_INLINE friend Column scaled(const Column& c, T x) { return {x * c.moment, x * c.force}; }
    DELASSUS_INLINE friend Column operator-(const Column& c) { return {-c.moment, -c.force}; }
  };

  Rows3<T> A, B, M;

  ArticulatedInertia() = default;
  DELASSUS_INLINE ArticulatedInertia(const Sym3<T>& a, const Mat3<T>& b, const Sym3<T>& m) : A(a), B(b), M(m) {}
  DELASSUS_INLINE static ArticulatedInertia zero() { return {Sym3<T>::zero(), Mat3<T>::zero(), Sym3<T>::zero()}; }
  DELASSUS_INLINE ArticulatedInertia& operator+=(const ArticulatedInertia& b) {
    A += b.A;
    B += b.B;
    M += b.M;
    return *this;
  }
};

template <Laned T>
DELASSUS_INLINE Force<T> operator*(const ArticulatedInertia<T>& H, const Motion<T>& m) {
  Rows3<T> Bt = H.B;
  transpose(Bt.row);
  return {sum_of_rows(H.A, m.angular) + sum_of_rows(Bt, m.linear),
          sum_of_rows(H.B, m.angular) + sum_of_rows(H.M, m.linear)};
}

template <Laned T>
DELASSUS_INLINE void add_scaled(ArticulatedInertia<T>& H, const T& x, const ArticulatedInertia<T>& G) {
  DELASSUS_UNROLL
  for (int r = 0; r < 3; ++r) {
    H.A.row[r] += x * G.A.row[r];
    H.B.row[r] += x * G.B.row[r];
    H.M.row[r] += x * G.M.row[r];
  }
}

template <Laned T>
DELASSUS_INLINE Force<T> column(const ArticulatedInertia<T>& H, int e) {
  Force<T> out;
  for (int r = 0; r < 3; ++r) {
    out.moment[r] = e < 3 ? H.A(r, e) : H.B(r, e - 3);
    out.force[r] = e < 3 ? H.B(e, r) : H.M(r, e - 3);
  }
  return out;
}

template <bool kRotation, Laned T>
DELASSUS_INLINE typename ArticulatedInertia<T>::Column times_subspace(const ArticulatedInertia<T>& H,
                                                                      const Motion<T>& S) {
  if constexpr (kRotation) return {sum_of_rows(H.A, S.angular), sum_of_rows(H.B, S.angular)};
  return typename ArticulatedInertia<T>::Column(H * S);
}

template <Laned T>
DELASSUS_INLINE void downdate(ArticulatedInertia<T>& H, const typename ArticulatedInertia<T>::Column& U,
                              const typename ArticulatedInertia<T>::Column& U_hat) {
  const Lane3<T> moment[3] = {spread<0>(U.moment), spread<1>(U.moment), spread<2>(U.moment)};
  const Lane3<T> force[3] = {spread<0>(U.force), spread<1>(U.force), spread<2>(U.force)};
  DELASSUS_UNROLL
  for (int r = 0; r < 3; ++r) {
    H.A.row[r] -= moment[r] * U_hat.moment;
    H.B.row[r] -= moment[r] * U_hat.force;
    H.M.row[r] -= force[r] * U_hat.force;
  }
}
template <Laned T>
DELASSUS_INLINE void downdate(ArticulatedInertia<T>& H, const Force<T>& U, const Force<T>& U_hat) {
  using Column = typename ArticulatedInertia<T>::Column;
  downdate(H, Column(U), Column(U_hat));
}

/// The wrench about a point from which the present one lies `r` away.
template <Laned T, class Column>
requires std::same_as<Column, typename ArticulatedInertia<T>::Column> DELASSUS_INLINE Force<T> shifted(
    const Column& f, const Vec3<T>& r) {
  return {f.moment + cross(Lane3<T>(r), f.force), f.force};
}

/// The same steps by rows: r× Bᵀ is the transpose of the rows r × (row of B).
template <Laned T>
DELASSUS_INLINE ArticulatedInertia<T> shifted(const ArticulatedInertia<T>& H, const Vec3<T>& r) {
  ArticulatedInertia<T> out;
  out.M = H.M;
  out.B.row[0] = H.B.row[0] + r[1] * H.M.row[2] - r[2] * H.M.row[1];
  out.B.row[1] = H.B.row[1] + r[2] * H.M.row[0] - r[0] * H.M.row[2];
  out.B.row[2] = H.B.row[2] + r[0] * H.M.row[1] - r[1] * H.M.row[0];
  const Lane3<T> lever(r);
  Lane3<T> crossed[3];
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) crossed[i] = cross(lever, H.B.row[i]);
  transpose(crossed);
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) out.A.row[i] = H.A.row[i] + crossed[i] + cross(lever, out.B.row[i]);
  return out;
}

}  // namespace delassus
