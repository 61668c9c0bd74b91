// The free base: six by six, L D Lᵀ without pivoting. The linear part, which is the better conditioned one, goes first.
#pragma once

#include "gpu/kernel/algebra.hpp"

namespace delassus::gpu {

template <class T>
struct BaseFactor {
  T L[15], inverse[6];
};

/// Entry of the factor below the diagonal, i < j.
constexpr int packed(int j, int i) { return j * (j - 1) / 2 + i; }

template <class T>
DELASSUS_LANE_INLINE BaseFactor<T> factor_base(const Inertia<T>& H) {
  BaseFactor<T> out;
  T m[6][6];
  const Vector<T> rows[3] = {{H.A.xx, H.A.xy, H.A.xz}, {H.A.xy, H.A.yy, H.A.yz}, {H.A.xz, H.A.yz, H.A.zz}};
  m[0][0] = rows[0].x;
  m[1][0] = rows[1].x, m[1][1] = rows[1].y;
  m[2][0] = rows[2].x, m[2][1] = rows[2].y, m[2][2] = rows[2].z;
  m[3][0] = H.Bx.x, m[3][1] = H.By.x, m[3][2] = H.Bz.x, m[3][3] = H.C.xx;
  m[4][0] = H.Bx.y, m[4][1] = H.By.y, m[4][2] = H.Bz.y, m[4][3] = H.C.xy, m[4][4] = H.C.yy;
  m[5][0] = H.Bx.z, m[5][1] = H.By.z, m[5][2] = H.Bz.z, m[5][3] = H.C.xz, m[5][4] = H.C.yz, m[5][5] = H.C.zz;
  DELASSUS_LANE_UNROLL
  for (int j = 5; j >= 0; --j) {
    out.inverse[j] = reciprocal(m[j][j]);
    DELASSUS_LANE_UNROLL
    for (int i = 0; i < j; ++i) {
      out.L[packed(j, i)] = m[j][i] * out.inverse[j];
      DELASSUS_LANE_UNROLL
      for (int k = 0; k <= i; ++k) m[i][k] = multiply_add(-out.L[packed(j, i)], m[j][k], m[i][k]);
    }
  }
  return out;
}

template <class T>
DELASSUS_LANE_INLINE Wrench<T> solve_base(const BaseFactor<T>& factor, const Wrench<T>& f) {
  T x[6] = {f.angular.x, f.angular.y, f.angular.z, f.linear.x, f.linear.y, f.linear.z};
  DELASSUS_LANE_UNROLL
  for (int j = 5; j >= 0; --j) {
    DELASSUS_LANE_UNROLL
    for (int i = 0; i < j; ++i) x[i] = multiply_add(-factor.L[packed(j, i)], x[j], x[i]);
  }
  DELASSUS_LANE_UNROLL
  for (int j = 0; j < 6; ++j) {
    x[j] = x[j] * factor.inverse[j];
    DELASSUS_LANE_UNROLL
    for (int i = 0; i < j; ++i) x[j] = multiply_add(-factor.L[packed(j, i)], x[i], x[j]);
  }
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

}  // namespace delassus::gpu
