#include "delassus/kinematics/motion_derivatives.hpp"

#include "delassus/math/error.hpp"
#include "math/instantiate.hpp"

namespace delassus {

template <class T>
MotionDerivatives<T>::MotionDerivatives(const Model& model)
    : v(static_cast<std::size_t>(model.nv()), unwritten<T>()),
      qdd(v),
      lever(model, Vec3<T>::zero()),
      velocity(model, Motion<T>::zero()),
      acceleration(model, Motion<T>::zero()),
      S(static_cast<std::size_t>(model.nv()), Motion<T>::filled(unwritten<T>())),
      rate(S),
      second(S),
      twice(S) {}

namespace {

/// One joint, as if each degree of freedom had a link of its own, where they carry each other.
template <class T>
void cross_joint(const Link& link, int i, const Kinematics<T>& kin, const T* v, const T* qdd,
                 MotionDerivatives<T>& out) {
  const bool together = has_axes_of_link(link.kind);
  Motion<T> carrier = out.velocity[link.parent], carrier_rate = out.acceleration[link.parent];
  Motion<T> velocity = carrier, acceleration = carrier_rate;
  for (int k = 0; k < link.nv; ++k) {
    const int at = link.v + k;
    const Motion<T> S = shifted(kin.S[at], -out.lever[i]);
    const Motion<T> rate = carried(carrier, S);
    out.S[at] = S;
    out.rate[at] = rate;
    out.second[at] = carried(carrier_rate, S) + carried(carrier, rate);
    out.twice[at] = rate + rate;
    velocity += scaled(S, v[k]);
    acceleration += scaled(S, qdd[k]) + scaled(rate, v[k]);
    if (together) continue;
    carrier = velocity;
    carrier_rate = acceleration;
  }
  out.velocity[i] = velocity;
  out.acceleration[i] = acceleration;
  if (!together) return;
  for (int at = link.v; at < link.v + link.nv; ++at) out.twice[at] = out.rate[at] + carried(velocity, out.S[at]);
}

}  // namespace

template <class T>
void update_motion_derivatives(const Model& model, const Kinematics<T>& kin, In<T> v, In<T> qdd,
                               MotionDerivatives<T>& out) {
  require_size("v", v.size(), model.nv());
  require_size("qdd", qdd.size(), model.nv());
  for (int k = 0; k < model.nv(); ++k) {
    out.v[k] = v[k];
    out.qdd[k] = qdd[k];
  }
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    out.lever[i] = link.parent == kWorld ? Vec3<T>::zero() : out.lever[link.parent] + kin.offset[i];
    cross_joint(link, i, kin, &v[link.v], &qdd[link.v], out);
  }
}

#define DELASSUS_INSTANTIATE(T)         \
  template struct MotionDerivatives<T>; \
  template void update_motion_derivatives<T>(const Model&, const Kinematics<T>&, In<T>, In<T>, MotionDerivatives<T>&);
DELASSUS_FOR_EACH_COUNTING_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
