// The two sweeps that every recursive algorithm shares: forces to the root, motions to the tips.
//
// Together they are M⁻¹ with wrenches on links as well as forces on joints as input, and motions of links as well as
// joint accelerations as output. The right-hand side X may be the factor's scalar or a pack of it: several columns at
// once.
#pragma once

#include "delassus/dynamics/articulate.hpp"
#include "delassus/kinematics/width.hpp"
#include "delassus/math/ldlt.hpp"

namespace delassus {

/// Vectors of one pass of the sweeps.
template <class X>
struct Sweep {
  explicit Sweep(const Model& model)
      : force(model, Force<X>::zero()), motion(model, Motion<X>::zero()), joint(model.nv(), X(0)) {}

  LinkArray<Force<X>> force;    // wrench on each link about its reference point
  LinkArray<Motion<X>> motion;  // acceleration of each link about its reference point
  std::vector<X> joint;         // joint forces in, joint accelerations out
};

template <int N, class T>
DELASSUS_INLINE Ldlt<T, N> joint_factor(const Articulation<T>& art, const Link& link) {
  Ldlt<T, N> D;
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, N>::kSize; ++k) D.factor.a[k] = art.D_factor[link.factor + k];
  return D;
}

/// Crossing a joint. A change of reference point is the only transform there is.
template <class T, class X>
DELASSUS_INLINE Force<X> to_parent(const Articulation<T>& art, int i, const Force<X>& f) {
  if (art.plan.shares_parent[i]) return f;
  return shifted(f, art.step[i]);
}
template <class T, class X>
DELASSUS_INLINE Motion<X> from_parent(const Articulation<T>& art, int i, const Motion<X>& m) {
  if (art.plan.shares_parent[i]) return m;
  return shifted(m, art.step[i]);
}

/// joint ← D⁻¹ (joint + Sᵀ force), with the forces that each link passes on to its parent.
template <class T, class X>
void sweep_forces(const Model& model, const Articulation<T>& art, Sweep<X>& sweep) {
  for (int i = model.num_links() - 1; i >= 0; --i) {
    const Link& link = model.link(i);
    with_width(link.nv, [&](auto n) {
      constexpr int N = n();
      const Motion<T>* S = &art.S[link.v];
      const Force<T>* U_hat = &art.U_hat[link.v];
      Force<X> f = sweep.force[i];
      Vec<X, N> u;
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) u[k] = sweep.joint[link.v + k] + dot(S[k], f);
      if (link.parent != kWorld) {
        DELASSUS_UNROLL
        for (int k = 0; k < N; ++k) f -= scaled(U_hat[k], u[k]);
        sweep.force[link.parent] += to_parent(art, i, f);
      }
      joint_factor<N>(art, link).solve(u);
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) sweep.joint[link.v + k] = u[k];
    });
  }
}

/// joint ← joint - Ûᵀ a_parent and the motions that follow from it. The world stands still.
template <class T, class X>
void sweep_motions(const Model& model, const Articulation<T>& art, Sweep<X>& sweep) {
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    with_width(link.nv, [&](auto n) {
      constexpr int N = n();
      const Motion<T>* S = &art.S[link.v];
      const Force<T>* U_hat = &art.U_hat[link.v];
      X* joint = &sweep.joint[link.v];
      Motion<X> a = Motion<X>::zero();
      if (link.parent != kWorld) {
        a = from_parent(art, i, sweep.motion[link.parent]);
        DELASSUS_UNROLL
        for (int k = 0; k < N; ++k) joint[k] -= dot(a, U_hat[k]);
      }
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) a += scaled(S[k], joint[k]);
      sweep.motion[i] = a;
    });
  }
}

}  // namespace delassus
