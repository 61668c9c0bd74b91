#include "delassus/kinematics/kinematics.hpp"

#include "delassus/math/error.hpp"
#include "kinematics/width.hpp"
#include "math/instantiate.hpp"

namespace delassus {
namespace {

/// Carries velocity and bias acceleration over the joint of link i.
///
/// `change` is what the change of S against the parent adds to the acceleration. It depends on the width alone: the
/// second axis of a universal joint turns about the first (a cylindrical joint's does not turn: its angular part is
/// zero), the axes of a free joint turn with the body; all other S are fixed in the parent or give ω × ω = 0.
template <int N, class T>
DELASSUS_INLINE void cross_joint(const Link& link, int i, const Kinematics<T>& kin, const T* v, Velocities<T>& vel) {
  const Motion<T>* S = &kin.S[link.v];
  const Vec3<T>& r = kin.offset[i];
  const Motion<T>& parent = vel.velocity[link.parent];
  Motion<T> joint = scaled(S[0], v[0]);
  DELASSUS_UNROLL
  for (int k = 1; k < N; ++k) joint += scaled(S[k], v[k]);
  Motion<T> change = Motion<T>::zero();
  if constexpr (N == 2) change.angular = cross(v[0] * S[0].angular, v[1] * S[1].angular);
  if constexpr (N == 6) change.linear = cross(joint.angular, joint.linear);

  const Vec3<T> turned = cross(parent.angular, r);
  const Motion<T> velocity{parent.angular + joint.angular, parent.linear + turned + joint.linear};
  // d/dt of the line above: the offset turns with the parent and grows with the joint.
  const Motion<T> bias{change.angular + cross(parent.angular, joint.angular),
                       change.linear + cross(parent.angular, turned + joint.linear + joint.linear)};
  const Motion<T> acceleration = shifted(vel.bias_acceleration[link.parent], r) + bias;
  vel.velocity[i] = velocity;
  vel.bias_acceleration[i] = acceleration;
}

}  // namespace

template <class T>
Velocities<T>::Velocities(const Model& model)
    : v(model.nv(), unwritten<T>()),
      velocity(model, Motion<T>::filled(unwritten<T>())),
      bias_acceleration(model, Motion<T>::filled(unwritten<T>())) {
  velocity[kWorld] = bias_acceleration[kWorld] = Motion<T>::zero();
}

template <class T>
void update_velocities(const Model& model, const Kinematics<T>& kin, In<T> v, Velocities<T>& vel) {
  require_size("v", v.size(), model.nv());
  for (int i = 0; i < model.nv(); ++i) vel.v[i] = v[i];
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    with_width(link.nv, [&](auto N) { cross_joint<N()>(link, i, kin, &v[link.v], vel); });
  }
}

#define DELASSUS_INSTANTIATE(T)  \
  template struct Velocities<T>; \
  template void update_velocities<T>(const Model&, const Kinematics<T>&, In<T>, Velocities<T>&);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
