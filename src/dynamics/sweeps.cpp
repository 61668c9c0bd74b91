#include "dynamics/sweeps.hpp"

#include "kinematics/width.hpp"
#include "math/instantiate.hpp"
#include "model/link_lanes.hpp"

namespace delassus {
namespace {

template <int N, class T, class X>
DELASSUS_INLINE void force_step(const ModelOf<T>& model, const Articulation<T>& art, int i, Sweep<X>& sweep) {
  const Link& link = model.link(i);
  const Force<T>* U_hat = &art.U_hat[link.v];
  Force<X> f = LinkExchange<X>::whole(model, i, sweep.force[i]);
  Vec<X, N> u = subspace_dot<N>(art.frames, link, f);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) u[k] += LinkExchange<X>::whole(model, i, sweep.joint[link.v + k]);
  if (link.parent != kWorld) {
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) f -= scaled(U_hat[k], u[k]);
    LinkExchange<X>::add_to_parent(model, i, to_parent(art.frames, i, f), sweep.force);
  }
  joint_factor<N>(art, link).solve(u);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) sweep.joint[link.v + k] = u[k];
}

template <int N, class T, class X>
DELASSUS_INLINE void motion_step(const ModelOf<T>& model, const Articulation<T>& art, int i, Sweep<X>& sweep) {
  const Link& link = model.link(i);
  const Force<T>* U_hat = &art.U_hat[link.v];
  X* joint = &sweep.joint[link.v];
  Motion<X> a = Motion<X>::zero();
  if (link.parent != kWorld) {
    Motion<X> room;
    a = from_parent(art.frames, i, LinkExchange<X>::from_parent(model, i, sweep.motion, room));
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) joint[k] -= dot(a, U_hat[k]);
  }
  sweep.motion[i] = a + subspace_times<N>(art.frames, link, joint);
}

}  // namespace

template <class T, class X>
void sweep_forces(const ModelOf<T>& model, const Articulation<T>& art, Sweep<X>& sweep) {
  for (int i = model.num_links() - 1; i >= 0; --i) {
    with_width(model.link(i).nv, [&](auto N) { force_step<N()>(model, art, i, sweep); });
  }
}

template <class T, class X>
void sweep_motions(const ModelOf<T>& model, const Articulation<T>& art, Sweep<X>& sweep) {
  for (int i = 0; i < model.num_links(); ++i) {
    with_width(model.link(i).nv, [&](auto N) { motion_step<N()>(model, art, i, sweep); });
  }
}

template <class T, class X>
void sweep_forces(const ModelOf<T>& model, const Articulation<T>& art, std::span<const std::int32_t> links,
                  Sweep<X>& sweep) {
  for (std::size_t k = links.size(); k-- > 0;) {
    with_width(model.link(links[k]).nv, [&](auto N) { force_step<N()>(model, art, links[k], sweep); });
  }
}

template <class T, class X>
void sweep_motions(const ModelOf<T>& model, const Articulation<T>& art, std::span<const std::int32_t> links,
                   Sweep<X>& sweep) {
  for (const std::int32_t i : links) {
    with_width(model.link(i).nv, [&](auto N) { motion_step<N()>(model, art, i, sweep); });
  }
}

#define DELASSUS_INSTANTIATE_PAIR(T, X)                                                   \
  template void sweep_forces<T, X>(const ModelOf<T>&, const Articulation<T>&, Sweep<X>&); \
  template void sweep_motions<T, X>(const ModelOf<T>&, const Articulation<T>&, Sweep<X>&);
#define DELASSUS_INSTANTIATE(T)                                                                               \
  DELASSUS_INSTANTIATE_PAIR(T, T)                                                                             \
  template void sweep_forces<T, T>(const ModelOf<T>&, const Articulation<T>&, std::span<const std::int32_t>,  \
                                   Sweep<T>&);                                                                \
  template void sweep_motions<T, T>(const ModelOf<T>&, const Articulation<T>&, std::span<const std::int32_t>, \
                                    Sweep<T>&);
DELASSUS_FOR_EACH_TREE_SCALAR(DELASSUS_INSTANTIATE)
// Panels: several right-hand sides of one factor.
DELASSUS_INSTANTIATE_PAIR(float, PackFloat8)
DELASSUS_INSTANTIATE_PAIR(double, PackDouble8)

}  // namespace delassus
