#include "delassus/dynamics/forward_dynamics.hpp"

#include "delassus/dynamics/inverse_dynamics.hpp"
#include "dynamics/articulated_body.hpp"
#include "kinematics/link_inertia.hpp"
#include "math/instantiate.hpp"

namespace delassus {

template <class T>
void begin_forward_dynamics(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel,
                            const Articulation<T>& art, In<T> tau, Sweep<T>& sweep) {
  require_size("tau", tau.size(), model.nv());
  const Vec3<T> gravity = cast<T>(model.gravity());
  for (int i = 0; i < model.num_links(); ++i) {
    const Force<T> f = bias_wrench(link_inertia(model, kin, i), vel.velocity[i], vel.bias_acceleration[i], gravity);
    sweep.force[i] = shifted(-f, art.frames.lever[i]);
  }
  for (int k = 0; k < model.nv(); ++k) sweep.joint[k] = tau[k];
}

template <class T>
void forward_dynamics(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel,
                      const Articulation<T>& art, In<T> tau, Out<T> qdd, Sweep<T>& sweep) {
  require_size("qdd", qdd.size(), model.nv());
  begin_forward_dynamics(model, kin, vel, art, tau, sweep);
  sweep_forces(model, art, sweep);
  sweep_motions(model, art, sweep);
  for (int k = 0; k < model.nv(); ++k) qdd[k] = sweep.joint[k];
}

namespace {

/// M⁻¹ on what sweep.joint holds.
template <class T, class X>
void multiply(const Model& model, const Articulation<T>& art, Sweep<X>& sweep) {
  for (int i = 0; i < model.num_links(); ++i) sweep.force[i] = Force<X>::zero();
  sweep_forces(model, art, sweep);
  sweep_motions(model, art, sweep);
}

}  // namespace

template <class T>
void apply_inverse_inertia(const Model& model, const Articulation<T>& art, Out<T> x, Sweep<T>& sweep) {
  require_size("x", x.size(), model.nv());
  for (int k = 0; k < model.nv(); ++k) sweep.joint[k] = x[k];
  multiply(model, art, sweep);
  for (int k = 0; k < model.nv(); ++k) x[k] = sweep.joint[k];
}

template <class T>
void InverseInertiaPanel<T>::multiply(const Model& model, const Articulation<T>& art, MatrixOut<T> X) {
  require_size("X", X.rows(), model.nv());
  for (int first = 0; first < X.cols(); first += kColumns) {
    const int count = X.cols() - first < kColumns ? X.cols() - first : kColumns;
    if constexpr (kColumns == 1) {
      for (int r = 0; r < model.nv(); ++r) sweep_.joint[r] = X(r, first);
      delassus::multiply(model, art, sweep_);
      for (int r = 0; r < model.nv(); ++r) X(r, first) = sweep_.joint[r];
    } else {
      for (int r = 0; r < model.nv(); ++r) {
        sweep_.joint[r] = Columns(0.0);
        for (int c = 0; c < count; ++c) sweep_.joint[r].set(c, X(r, first + c));
      }
      delassus::multiply(model, art, sweep_);
      for (int r = 0; r < model.nv(); ++r) {
        for (int c = 0; c < count; ++c) X(r, first + c) = sweep_.joint[r][c];
      }
    }
  }
}

template <class T>
ForwardDynamics<T>::ForwardDynamics(const Model& model) : kin(model), vel(model), tree(std::in_place, model) {}

template <class T>
Status articulate(const Model& model, const Kinematics<T>& kin, ForwardDynamics<T>& work) {
  return articulate(model, kin, work.tree->art);
}

template <class T>
void forward_dynamics(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel, In<T> tau, Out<T> qdd,
                      ForwardDynamics<T>& work) {
  forward_dynamics<T>(model, kin, vel, work.tree->art, tau, qdd, work.tree->sweep);
}

template <class T>
void apply_inverse_inertia(const Model& model, Out<T> x, ForwardDynamics<T>& work) {
  apply_inverse_inertia<T>(model, work.tree->art, x, work.tree->sweep);
}

template <class T>
void apply_inverse_inertia_panel(const Model& model, MatrixOut<T> X, ForwardDynamics<T>& work) {
  work.tree->panel.multiply(model, work.tree->art, X);
}

template <class T>
Status aba(const Model& model, In<T> q, In<T> v, In<T> tau, Out<T> qdd, ForwardDynamics<T>& work) {
  update_kinematics(model, q, work.kin);
  update_velocities(model, work.kin, v, work.vel);
  const Status status = articulate(model, work.kin, work);
  if (!status.ok()) return status;
  forward_dynamics<T>(model, work.kin, work.vel, tau, qdd, work);
  // What is no number in q, v or tau is none in the accelerations.
  for (int k = 0; k < model.nv(); ++k) {
    if (!all_lanes(is_finite(qdd[k]))) [[unlikely]]
      return {Status::Code::kNotFinite, k};
  }
  return status;
}

#define DELASSUS_INSTANTIATE(T)                                                                                       \
  template struct ForwardDynamics<T>;                                                                                 \
  template Status aba<T>(const Model&, In<T>, In<T>, In<T>, Out<T>, ForwardDynamics<T>&);                             \
  template Status articulate<T>(const Model&, const Kinematics<T>&, ForwardDynamics<T>&);                             \
  template void forward_dynamics<T>(const Model&, const Kinematics<T>&, const Velocities<T>&, In<T>, Out<T>,          \
                                    ForwardDynamics<T>&);                                                             \
  template void apply_inverse_inertia<T>(const Model&, Out<T>, ForwardDynamics<T>&);                                  \
  template void apply_inverse_inertia_panel<T>(const Model&, MatrixOut<T>, ForwardDynamics<T>&);                      \
  template void forward_dynamics<T>(const Model&, const Kinematics<T>&, const Velocities<T>&, const Articulation<T>&, \
                                    In<T>, Out<T>, Sweep<T>&);                                                        \
  template void begin_forward_dynamics<T>(const Model&, const Kinematics<T>&, const Velocities<T>&,                   \
                                          const Articulation<T>&, In<T>, Sweep<T>&);                                  \
  template void apply_inverse_inertia<T>(const Model&, const Articulation<T>&, Out<T>, Sweep<T>&);                    \
  template class InverseInertiaPanel<T>;
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
