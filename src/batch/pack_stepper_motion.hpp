// Motion of a block: without constraints, to the end of the step, and the energy of both.
#pragma once

#include "batch/pack_stepper.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "math/sincos.hpp"

namespace delassus {

/// As quaternion_exp, without branches: below the angle the series is exact to rounding, and the quotient is not.
template <class P>
DELASSUS_INLINE Quaternion<P> quaternion_of_turn(const Vec3<P>& by) {
  constexpr double kSmallAngle2 = 1e-5;
  const P angle2 = dot(by, by);
  const MaskOf<P> small = angle2 < P(kSmallAngle2);
  const P angle = sqrt(select(small, P(1.0), angle2));
  P sine, cosine;
  sincos(P(0.5) * angle, sine, cosine);
  const P scale = select(small, P(0.5) - angle2 * (P(1.0 / 48) - P(1.0 / 3840) * angle2), sine / angle);
  const P w = select(small, P(1.0) - angle2 * (P(1.0 / 8) - P(1.0 / 384) * angle2), cosine);
  return {{scale * by[0], scale * by[1], scale * by[2], w}};
}

/// Kinematics, inertias and energies of q_ and v_.
template <class P>
void PackStepper<P>::place() {
  update_kinematics<P>(model_, q_, kin_);
  update_velocities<P>(model_, kin_, v_, vel_);
  for (int i = 0; i < model_.num_links(); ++i) inertia_[i] = rotated<P>(body_inertia_[i], kin_.pose[i].R);
  energy_ = energies();
}

template <class P>
typename PackStepper<P>::Energies PackStepper<P>::energies() const {
  P twice(0.0);
  Vec3<P> moment = Vec3<P>::zero();
  for (int i = 0; i < model_.num_links(); ++i) {
    twice += dot(vel_.velocity[i], inertia_[i] * vel_.velocity[i]);
    moment += inertia_[i].mass * kin_.pose[i].p + inertia_[i].moment;
  }
  P springs(0.0);
  for (std::size_t k = 0; k < v_.size(); ++k) {
    const LaneDof& dof = plan_.dofs[k];
    twice += P(dof.armature) * v_[k] * v_[k];
    if (dof.stiffness == 0) continue;
    const P stretch = q_[static_cast<std::size_t>(dof.q)] - P(dof.rest);
    springs += P(dof.stiffness) * stretch * stretch;
  }
  return {P(0.5) * twice, P(0.5) * springs - dot(gravity_, moment)};
}

/// Of a motor over a step that began at q and ended with v.
template <class P>
P PackStepper<P>::effort(std::size_t k, P q, P v) const {
  const LaneDrive& d = plan_.drives[k];
  if (d.kind == ActuatorKind::kMotor) return clamp_lanes(control_[k], -limit_[k], limit_[k]);
  if (d.kind == ActuatorKind::kVelocity) return kd_[k] * (control_[k] - v);
  return kp_[k] * (control_[k] - q - h_ * v) + kd_[k] * (target_velocity_[k] - v);
}

/// The inertia that joints show: their own, and what damping, springs and motors add that act at the end of the step.
template <class P>
void PackStepper<P>::find_armature() {
  for (std::size_t k = 0; k < armature_.size(); ++k) {
    const LaneDof& dof = plan_.dofs[k];
    armature_[k] = P(dof.armature + h_ * (dof.damping + h_ * dof.stiffness));
    tau_[k] = forces_[k] - P(dof.damping) * v_[k];
    if (dof.stiffness > 0)
      tau_[k] -= P(dof.stiffness) * (q_[static_cast<std::size_t>(dof.q)] - P(dof.rest) + h_ * v_[k]);
  }
  for (std::size_t k = 0; k < plan_.drives.size(); ++k) {
    const LaneDrive& d = plan_.drives[k];
    const auto v = static_cast<std::size_t>(d.v);
    const P zero(0.0);
    const bool gains = d.kind != ActuatorKind::kMotor;
    if (gains) armature_[v] += select(is_row_[k], zero, h_ * (kd_[k] + h_ * kp_[k]));
    tau_[v] += select(is_row_[k], zero, effort(k, q_[static_cast<std::size_t>(d.q)], v_[v]));
  }
}

/// free = v + h M̂⁻¹ (tau - bias).
template <class P>
void PackStepper<P>::accelerate(const Velocities<P>& vel) {
  for (int i = 0; i < model_.num_links(); ++i)
    sweep_.force[i] = -bias_wrench<P>(inertia_[i], vel.velocity[i], vel.bias_acceleration[i], gravity_);
  sweep_.joint = tau_;
  tree_.solve(kin_, sweep_);
  for (std::size_t k = 0; k < free_.size(); ++k) free_[k] = v_[k] + h_ * sweep_.joint[k];
}

/// As Simulator::Parts::move_freely. The lanes in which M̂ is regular.
template <class P>
MaskOf<P> PackStepper<P>::move_freely() {
  find_armature();
  Mask regular = tree_.factor(kin_, inertia_, armature_);
  accelerate(vel_);
  for (std::size_t k = 0; k < free_.size(); ++k) mean_v_[k] = P(0.5) * (v_[k] + free_[k]);
  update_velocities<P>(model_, kin_, mean_v_, mean_vel_);
  accelerate(mean_vel_);
  for (const Link& link : model_.links()) {
    if (link.kind != JointKind::kFree) continue;
    const auto at = [&](int k) { return mean_v_[static_cast<std::size_t>(link.v + k)]; };
    const Vec3<P> turning = cross(Vec3<P>{{at(0), at(1), at(2)}}, Vec3<P>{{at(3), at(4), at(5)}});
    for (int c = 0; c < 3; ++c) free_[static_cast<std::size_t>(link.v + 3 + c)] += h_ * turning[c];
  }
  for (const P& x : free_) regular = regular & is_finite(x);
  find_motions(free_, free_motion_);
  return regular;
}

template <class P>
void PackStepper<P>::find_motions(const std::vector<P>& v, LinkArray<Motion<P>>& out) const {
  for (int i = 0; i < model_.num_links(); ++i) {
    const Link& link = model_.link(i);
    Motion<P> m = link.parent == kWorld ? Motion<P>::zero() : shifted(out[link.parent], kin_.offset[i]);
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const auto at = static_cast<std::size_t>(k);
      m += scaled(kin_.S[at], v[at]);
    }
    out[i] = m;
  }
}

/// The quaternion of next_q_ at an index: that of q_ turned by a rotation vector.
template <class P>
void PackStepper<P>::turn(int q, const Vec3<P>& by) {
  const auto at = [q](int k) { return static_cast<std::size_t>(q + k); };
  const Quaternion<P> from{{q_[at(0)], q_[at(1)], q_[at(2)], q_[at(3)]}};
  Quaternion<P> to = quaternion_product(from, quaternion_of_turn(by));
  const P scale = P(1.0) / sqrt(dot(to, to));
  for (int k = 0; k < 4; ++k) next_q_[at(k)] = scale * to[k];
}

/// q⁺ = q ⊕ h v⁺. Velocities of free joints are in axes that stand still during the step: into those of its end.
template <class P>
void PackStepper<P>::move() {
  for (const Link& link : model_.links()) {
    const auto v = [&](int k) -> P& { return next_v_[static_cast<std::size_t>(link.v + k)]; };
    const auto q = [&](int k) { return static_cast<std::size_t>(link.q + k); };
    if (link.kind == JointKind::kSpherical) {
      turn(link.q, P(h_) * Vec3<P>{{v(0), v(1), v(2)}});
    } else if (link.kind == JointKind::kFree) {
      const Vec3<P> w{{v(0), v(1), v(2)}}, u{{v(3), v(4), v(5)}};
      const Mat3<P> R = rotation_of(Quaternion<P>{{q_[q(3)], q_[q(4)], q_[q(5)], q_[q(6)]}});
      const Vec3<P> path = R * (P(h_) * u);
      for (int c = 0; c < 3; ++c) next_q_[q(c)] = q_[q(c)] + path[c];
      turn(link.q + 3, P(h_) * w);
      const Vec3<P> turned = rotation_of(quaternion_of_turn(P(-h_) * w)) * u;
      for (int c = 0; c < 3; ++c) v(3 + c) = turned[c];
    } else {
      for (int k = 0; k < link.nv; ++k) next_q_[q(k)] = q_[q(k)] + h_ * v(k);
    }
  }
}

/// What impulses of all rows but motors made of the velocities that motors alone lead to: never positive by Coulomb's law.
template <class P>
P PackStepper<P>::find_gain() {
  const P zero(0.0), half(0.5);
  bool motors = false;
  for (const JointRow& r : joints_) motors = motors || (r.kind == JointRow::Kind::kMotor);
  if (motors) {
    for (int i = 0; i < model_.num_links(); ++i) sweep_.force[i] = Force<P>::zero();
    std::ranges::fill(sweep_.joint, zero);
    for (const JointRow& r : joints_) {
      if (r.kind == JointRow::Kind::kMotor)
        sweep_.joint[static_cast<std::size_t>(r.v)] += select(r.acts, r.lambda, zero);
    }
    tree_.solve(kin_, sweep_);
    for (std::size_t k = 0; k < free_.size(); ++k) free_[k] += sweep_.joint[k];
    for (int i = 0; i < model_.num_links(); ++i) free_motion_[i] += sweep_.motion[i];
  }
  P twice(0.0);
  for (const Contact& c : found_.contacts) {
    const Vec3<P> sum = point_velocity(free_motion_[c.link], c.lever) + point_velocity(next_motion_[c.link], c.lever);
    twice += select(c.acts, dot(c.lambda, sum), zero);
  }
  for (const JointRow& r : joints_) {
    const auto v = static_cast<std::size_t>(r.v);
    if (r.kind != JointRow::Kind::kMotor) twice += select(r.acts, r.lambda * (free_[v] + next_v_[v]), zero);
  }
  return half * twice;
}

/// Of all forces: impulse times the mean of the velocities before and after. Efforts of motors as well.
template <class P>
typename PackStepper<P>::Work PackStepper<P>::find_work() {
  const P zero(0.0), half(0.5);
  const auto mean = [&](int k) {
    return half * (v_[static_cast<std::size_t>(k)] + next_v_[static_cast<std::size_t>(k)]);
  };
  P all(0.0), motors(0.0), forces(0.0);
  for (int k = 0; k < model_.nv(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    forces += h_ * forces_[at] * mean(k);
    all -= h_ * P(plan_.dofs[at].damping) * next_v_[at] * mean(k);
  }
  for (std::size_t k = 0; k < plan_.drives.size(); ++k) {
    const LaneDrive& d = plan_.drives[k];
    efforts_[k] =
        select(is_row_[k], zero, effort(k, q_[static_cast<std::size_t>(d.q)], next_v_[static_cast<std::size_t>(d.v)]));
    motors += h_ * efforts_[k] * mean(d.v);
  }
  for (const Contact& c : found_.contacts) {
    const Vec3<P> after = point_velocity(next_motion_[c.link], c.lever);
    all += select(c.acts, half * dot(c.lambda, c.before + after), zero);
  }
  for (const JointRow& r : joints_) {
    const P impulse = select(r.acts, r.lambda, zero);
    if (r.kind != JointRow::Kind::kMotor) {
      all += impulse * mean(r.v);
      continue;
    }
    motors += impulse * mean(r.v);
    efforts_[static_cast<std::size_t>(r.drive)] += P(1 / h_) * impulse;
  }
  const P in_play = max(motors, -motors) + max(forces, -forces);
  return {all + motors + forces, in_play, find_gain()};
}

/// As Simulator::Parts::check_energy.
template <class P>
MaskOf<P> PackStepper<P>::gains_energy(const Energies& before, const Work& work) const {
  const P fall = energy_.potential - before.potential;
  const P drift = energy_.kinetic - before.kinetic + fall - work.all;
  const P in_play = before.kinetic + max(fall, -fall) + work.in_play;
  const P allowed = P(plan_.options.gain_per_mass) * mass_ + P(plan_.options.gain_share) * in_play;
  return (allowed < work.gain) | (allowed < drift) | !is_finite(drift);
}

}  // namespace delassus
