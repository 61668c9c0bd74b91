#include "delassus/dynamics/sweeps.hpp"

#include "delassus/kinematics/width.hpp"
#include "delassus/math/instantiate.hpp"
#include "delassus/math/ldlt.hpp"

namespace delassus {
namespace {

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

}  // namespace

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

#define DELASSUS_INSTANTIATE_PAIR(T, X)                                              \
  template void sweep_forces<T, X>(const Model&, const Articulation<T>&, Sweep<X>&); \
  template void sweep_motions<T, X>(const Model&, const Articulation<T>&, Sweep<X>&);
#define DELASSUS_INSTANTIATE(T) DELASSUS_INSTANTIATE_PAIR(T, T)
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)
// Panels: several right-hand sides of one factor.
DELASSUS_INSTANTIATE_PAIR(float, PackFloat8)
DELASSUS_INSTANTIATE_PAIR(double, PackDouble8)

}  // namespace delassus
