#include "delassus/dynamics/inverse_dynamics.hpp"

#include "delassus/math/error.hpp"
#include "kinematics/link_inertia.hpp"
#include "kinematics/width.hpp"
#include "math/instantiate.hpp"

namespace delassus {
namespace {

/// tau[k] = finish(k, S_kᵀ f) from the tips inwards, where work.force holds the wrench that each link itself takes.
template <class T, class Finish>
void project_forces(const Model& model, const Kinematics<T>& kin, InverseDynamics<T>& work, Out<T> tau,
                    Finish&& finish) {
  work.force[kWorld] = Force<T>::zero();
  for (int i = model.num_links() - 1; i >= 0; --i) {
    const Link& link = model.link(i);
    for (int k = link.v; k < link.v + link.nv; ++k) tau[k] = finish(k, dot(kin.S[k], work.force[i]));
    work.force[link.parent] += shifted(work.force[i], kin.offset[i]);
  }
}

}  // namespace

template <class T>
InverseDynamics<T>::InverseDynamics(const Model& model)
    : acceleration(model, Motion<T>::filled(unwritten<T>())), force(model, Force<T>::filled(unwritten<T>())) {
  acceleration[kWorld] = Motion<T>::zero();
}

template <class T>
void rnea(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel, In<T> qdd, Out<T> tau,
          InverseDynamics<T>& work) {
  require_size("qdd", qdd.size(), model.nv());
  require_size("tau", tau.size(), model.nv());
  const Vec3<T> gravity = cast<T>(model.gravity());
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    Motion<T> a = shifted(work.acceleration[link.parent], kin.offset[i]);  // of the joints alone
    for (int k = link.v; k < link.v + link.nv; ++k) a += scaled(kin.S[k], qdd[k]);
    work.acceleration[i] = a;
    work.force[i] = bias_wrench(link_inertia(model, kin, i), vel.velocity[i], a + vel.bias_acceleration[i], gravity);
  }
  project_forces<T>(model, kin, work, tau, [&](int k, T f) { return f + T(model.armature()[k]) * qdd[k]; });
}

template <class T>
void bias_forces(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel, Out<T> h,
                 InverseDynamics<T>& work) {
  require_size("h", h.size(), model.nv());
  const Vec3<T> gravity = cast<T>(model.gravity());
  for (int i = 0; i < model.num_links(); ++i) {
    work.force[i] = bias_wrench(link_inertia(model, kin, i), vel.velocity[i], vel.bias_acceleration[i], gravity);
  }
  project_forces<T>(model, kin, work, h, [](int, T f) { return f; });
}

namespace {

/// The rows of M that belong to the joint of link i: forces that unit accelerations of the joint take, seen by the joint
/// itself and by every joint between it and the world.
template <int N, class T>
DELASSUS_INLINE void write_inertia_rows(const Model& model, const Kinematics<T>& kin, const RigidInertia<T>& composite,
                                        int i, MatrixOut<T> M) {
  const Link& link = model.link(i);
  const auto put = [&](int k, int l, const T& value) { M(k, l) = M(l, k) = value; };
  Force<T> f[N];
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    f[k] = composite * kin.S[link.v + k];
    DELASSUS_UNROLL
    for (int l = 0; l <= k; ++l) put(link.v + k, link.v + l, dot(kin.S[link.v + l], f[k]));
    M(link.v + k, link.v + k) += T(model.armature()[link.v + k]);
  }
  Vec3<T> lever = kin.offset[i];
  for (int j = link.parent; j != kWorld; j = model.link(j).parent) {
    const Link& ancestor = model.link(j);
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) {
      const Force<T> there = shifted(f[k], lever);
      for (int l = ancestor.v; l < ancestor.v + ancestor.nv; ++l) put(link.v + k, l, dot(kin.S[l], there));
    }
    lever += kin.offset[j];
  }
}

}  // namespace

template <class T>
void crba(const Model& model, const Kinematics<T>& kin, MatrixOut<T> M, CompositeInertia<T>& work) {
  require_size("M (rows)", M.rows(), model.nv());
  require_size("M (columns)", M.cols(), model.nv());
  for (int r = 0; r < model.nv(); ++r) {
    for (int c = 0; c < model.nv(); ++c) M(r, c) = T(0);
  }
  for (int i = 0; i < model.num_links(); ++i) work.inertia[i] = RigidInertia<T>::zero();
  for (int i = model.num_links() - 1; i >= 0; --i) {
    const Link& link = model.link(i);
    RigidInertia<T> composite = link_inertia(model, kin, i);
    composite += work.inertia[i];
    with_width(link.nv, [&](auto N) { write_inertia_rows<N()>(model, kin, composite, i, M); });
    if (link.parent != kWorld) work.inertia[link.parent] += shifted(composite, kin.offset[i]);
  }
}

#define DELASSUS_INSTANTIATE(T)                                                                                        \
  template struct InverseDynamics<T>;                                                                                  \
  template void rnea<T>(const Model&, const Kinematics<T>&, const Velocities<T>&, In<T>, Out<T>, InverseDynamics<T>&); \
  template void bias_forces<T>(const Model&, const Kinematics<T>&, const Velocities<T>&, Out<T>, InverseDynamics<T>&); \
  template void crba<T>(const Model&, const Kinematics<T>&, MatrixOut<T>, CompositeInertia<T>&);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
