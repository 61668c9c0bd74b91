#include "delassus/dynamics/inverse_dynamics_derivatives.hpp"

#include "delassus/math/error.hpp"
#include "math/instantiate.hpp"

namespace delassus {

template <class T>
InverseDynamicsDerivatives<T>::InverseDynamicsDerivatives(const Model& model)
    : external(model, Force<T>::zero()),
      inertia(model, RigidInertia<T>::zero()),
      turning(model, Mat3<T>::zero()),
      momentum(model, Vec3<T>::zero()),
      force(model, Force<T>::zero()) {}

namespace {

/// Moment of the Coriolis forces 2 α × ṙ dm as a matrix on α: with the first moment c and the second moments Σ = ∫ r rᵀ dm,
/// 2 ∫ r × (α × (v + ω × r)) dm = 2 ((c·v) α - v (c·α) - ω × Σα).
template <class T>
Mat3<T> coriolis_moment(const RigidInertia<T>& I, const Motion<T>& velocity) {
  const Vec3<T>&w = velocity.angular, &v = velocity.linear, &c = I.moment;
  const T half_trace = T(0.5) * (I.rotational(0, 0) + I.rotational(1, 1) + I.rotational(2, 2));
  const T cv = dot(c, v);
  Mat3<T> out;
  for (int k = 0; k < 3; ++k) {
    Vec3<T> second{{-I.rotational(0, k), -I.rotational(1, k), -I.rotational(2, k)}};
    second[k] += half_trace;
    Vec3<T> column = -cross(w, second) - c[k] * v;
    column[k] += cv;
    for (int r = 0; r < 3; ++r) out(r, k) = column[r] + column[r];
  }
  return out;
}

/// What link i has by itself.
template <class T>
void begin_link(const Kinematics<T>& kin, const MotionDerivatives<T>& motion, const Vec3<T>& gravity, int i,
                InverseDynamicsDerivatives<T>& work) {
  const RigidInertia<T> I = shifted(kin.inertia[i], motion.lever[i]);
  const Motion<T>& velocity = motion.velocity[i];
  Motion<T> a = motion.acceleration[i];
  a.linear -= gravity;
  const Force<T> momentum = I * velocity;
  work.inertia[i] = I;
  work.turning[i] = coriolis_moment(I, velocity);
  work.momentum[i] = momentum.force;
  work.force[i] = I * a + carried(velocity, momentum) - shifted(work.external[i], motion.lever[i]);
}

/// The rows and columns of the joint of link i that belong to it and to the joints that carry it.
template <class T>
class JointDerivatives {
 public:
  JointDerivatives(const Model& model, const MotionDerivatives<T>& motion, const Vec3<T>& gravity,
                   const InverseDynamicsDerivatives<T>& work, MatrixOut<T> tau_q, MatrixOut<T> tau_v)
      : model_(model), motion_(motion), gravity_(gravity), work_(work), tau_q_(tau_q), tau_v_(tau_v) {}

  void write(int i) {
    const Link& link = model_.link(i);
    for (int k = link.v; k < link.v + link.nv; ++k) {
      take(i, k);
      const int after = has_axes_of_link(link.kind) ? link.v : k;  // the first that k carries
      for (int l = link.v; l < link.v + link.nv; ++l) {
        tau_q_(l, k) = dot(motion_.S[l], l < after ? held_q_ : carried_q_);
        tau_v_(l, k) = dot(motion_.S[l], carried_v_);
      }
      for (int j = link.parent; j != kWorld; j = model_.link(j).parent) {
        for (int l = model_.link(j).v; l < model_.link(j).v + model_.link(j).nv; ++l) write_pair(l, k);
      }
    }
  }

 private:
  Force<T> coriolis(int i, const Motion<T>& x) const {
    const Vec3<T> f = cross(x.angular, work_.momentum[i]);
    return {work_.turning[i] * x.angular, f + f};
  }
  /// Ψ̈ where the world accelerates against gravity.
  Motion<T> second(int k) const {
    const Motion<T>& x = motion_.second[k];
    return {x.angular, x.linear + cross(motion_.S[k].angular, gravity_)};
  }

  void take(int i, int k) {
    const Motion<T>& S = motion_.S[k];
    carried_q_ = work_.inertia[i] * second(k) + coriolis(i, motion_.rate[k]);
    carried_v_ = work_.inertia[i] * motion_.twice[k] + coriolis(i, S);
    held_q_ = carried_q_ + carried(S, work_.force[i]);
    inertial_ = work_.inertia[i] * S;
    const Vec3<T> lift = cross(work_.momentum[i], S.linear);
    turned_ = transposed_times(work_.turning[i], S.angular) + (lift + lift);
  }

  /// Degree of freedom l carries the joint of k.
  void write_pair(int l, int k) {
    tau_q_(l, k) = dot(motion_.S[l], held_q_);
    tau_v_(l, k) = dot(motion_.S[l], carried_v_);
    tau_q_(k, l) = dot(second(l), inertial_) + dot(turned_, motion_.rate[l].angular);
    tau_v_(k, l) = dot(motion_.twice[l], inertial_) + dot(turned_, motion_.S[l].angular);
  }

  const Model& model_;
  const MotionDerivatives<T>& motion_;
  const Vec3<T>& gravity_;
  const InverseDynamicsDerivatives<T>& work_;
  MatrixView<T> tau_q_, tau_v_;
  // Of degree of freedom k: how the wrench of all that it carries changes, apart from being carried and with it.
  Force<T> carried_q_, carried_v_, held_q_;
  Force<T> inertial_;  // IC S
  Vec3<T> turned_;     // BCᵀ S
};

template <class T>
void fill_zero(MatrixView<T> A) {
  for (int r = 0; r < A.rows(); ++r) {
    for (int c = 0; c < A.cols(); ++c) A(r, c) = T(0);
  }
}

}  // namespace

template <class T>
void rnea_derivatives(const Model& model, const Kinematics<T>& kin, const MotionDerivatives<T>& motion,
                      MatrixOut<T> tau_q, MatrixOut<T> tau_v, InverseDynamicsDerivatives<T>& work) {
  for (const MatrixView<T>& out : {tau_q, tau_v}) {
    require_size("tau_q, tau_v (rows)", out.rows(), model.nv());
    require_size("tau_q, tau_v (columns)", out.cols(), model.nv());
    fill_zero<T>(out);
  }
  const Vec3<T> gravity = cast<T>(model.gravity());
  for (int i = 0; i < model.num_links(); ++i) begin_link(kin, motion, gravity, i, work);
  JointDerivatives<T> joint(model, motion, gravity, work, tau_q, tau_v);
  for (int i = model.num_links() - 1; i >= 0; --i) {
    joint.write(i);
    const int parent = model.link(i).parent;
    if (parent == kWorld) continue;
    work.inertia[parent] += work.inertia[i];
    work.turning[parent] += work.turning[i];
    work.momentum[parent] += work.momentum[i];
    work.force[parent] += work.force[i];
  }
}

#define DELASSUS_INSTANTIATE(T)                                                                                    \
  template struct InverseDynamicsDerivatives<T>;                                                                   \
  template void rnea_derivatives<T>(const Model&, const Kinematics<T>&, const MotionDerivatives<T>&, MatrixOut<T>, \
                                    MatrixOut<T>, InverseDynamicsDerivatives<T>&);
DELASSUS_FOR_EACH_COUNTING_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
