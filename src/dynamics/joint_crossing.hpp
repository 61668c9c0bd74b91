// What becomes of rows, as wrenches on a link, when they cross its joint.
#pragma once

#include "dynamics/articulate.hpp"

namespace delassus {

/// Joints that give way.
template <class T, class F>
struct FreeJoints {
  const Articulation<T, F>& art;
  const T* root;  // D^(-1/2) of each degree of freedom

  const F& frames() const { return art.frames; }

  /// What a joint does not feel goes on.
  template <int N, class X>
  DELASSUS_INLINE Force<X> rest(const Link& link, Force<X> K, const Vec<X, N>& felt) const {
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) K -= scaled(art.U_hat[link.v + k], felt[k]);
    return K;
  }
  /// D^(-1/2) L⁻¹ of what it feels.
  template <int N, class X>
  DELASSUS_INLINE Vec<X, N> result(const Link& link, Vec<X, N> u) const {
    if constexpr (N > 1) {
      const Ldlt<T, N> D = joint_factor<N>(art, link);
      DELASSUS_UNROLL
      for (int r = 1; r < N; ++r) {
        DELASSUS_UNROLL
        for (int k = 0; k < r; ++k) u[r] -= D.factor(r, k) * u[k];
      }
    }
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) u[k] = root[link.v + k] * u[k];
    return u;
  }
};

/// D^(-1/2) of the degrees of freedom of a joint, into its places in `root`.
template <class T, class F>
void take_joint_roots(const Articulation<T, F>& art, const Link& link, T* root) {
  for (int k = 0; k < link.nv; ++k) root[link.v + k] = sqrt(art.D_factor[link.factor + k * (k + 1) / 2 + k]);
}

}  // namespace delassus
