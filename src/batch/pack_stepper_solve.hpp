// Rows of a block and their impulses.
#pragma once

#include "batch/pack_stepper.hpp"

namespace delassus {

/// Contacts that the free motion does not bring closer than this in a step have no rows, as in the Simulator; and limits. What they
/// are left out for is looked at in the end.
inline constexpr double kSuddenSpeed = 1, kSuddenJointSpeed = 10;

/// to += value in some lanes; others keep their bits.
template <class P>
DELASSUS_INLINE void add_in(MaskOf<P> lanes, P value, P& to) {
  to = select(lanes, to + value, to);
}
template <class P>
DELASSUS_INLINE void add_in(MaskOf<P> lanes, const Vec3<P>& value, Vec3<P>& to) {
  for (int c = 0; c < 3; ++c) add_in<P>(lanes, value[c], to[c]);
}

/// The velocity that the bias of a gap or of the room to a limit asks for: it may close, and is opened again.
template <class P>
P PackStepper<P>::recovery(P room) const {
  const SimulationOptions& o = plan_.options;
  const P back = max(P(1 / std::max(o.recovery_time, o.dt)) * room, P(-o.recovery_speed));
  return select(P(0.0) < room, P(1 / h_) * room, back);
}

template <class P>
void PackStepper<P>::pose_contact(Contact& c, const BatchEnvironments& all) const {
  const Vec3<P> free = point_velocity(free_motion_[c.link], c.lever);
  c.before = point_velocity(vel_.velocity[c.link], c.lever);
  c.acts = c.within & (c.gap + h_ * dot(c.normal, free) < P(h_ * kSuddenSpeed));
  c.g = free + recovery(c.gap) * c.normal;
  if (own_friction_) c.mu = select((P(0.0) < c.mu) & !(friction_ < P(0.0)), friction_, c.mu);
  c.cone_share = P(1.0) / (P(1.0) + c.mu * c.mu);
  c.u = c.lambda = Vec3<P>::zero();
  const LaneBits acting = bits_of(c.acts);
  for (int lane = 0; lane < P::kWidth; ++lane) {
    const std::int32_t e = environment_[lane];
    if (!has_lane(acting, lane) || all.slot_tick.row(e)[c.slot] != all.tick[static_cast<std::size_t>(e)]) continue;
    for (int k = 0; k < 3; ++k) c.u[k].set(lane, all.slot_impulse.row(e)[3 * c.slot + k]);
  }
}

template <class P>
void PackStepper<P>::add_row(JointRow row, const BatchEnvironments& all) {
  if (!any_lane(row.acts)) return;
  const int at = static_cast<int>(row.kind) * model_.nv() + row.v;
  row.k = P(1.0) / row.mobility;
  row.share = P(1.0) / (P(1.0) + row.k * row.compliance);
  row.u = row.lambda = P(0.0);
  const LaneBits acting = bits_of(row.acts);
  for (int lane = 0; lane < P::kWidth; ++lane) {
    if (has_lane(acting, lane)) row.u.set(lane, all.joint_impulse.row(environment_[lane])[at]);
  }
  joints_.push_back(row);
}

template <class P>
void PackStepper<P>::add_limit(int v, const BatchEnvironments& all) {
  const LaneDof& dof = plan_.dofs[static_cast<std::size_t>(v)];
  const P q = q_[static_cast<std::size_t>(dof.q)], way = h_ * free_[static_cast<std::size_t>(v)], zero(0.0);
  const P below = q - P(dof.lower), above = P(dof.upper) - q, reach(h_ * kSuddenJointSpeed);
  JointRow row;
  row.kind = JointRow::Kind::kLimit;
  row.v = v;
  row.mobility = P(dof.mobility);
  row.low = -recovery(below);
  row.high = max(recovery(above), row.low);
  row.compliance = zero;
  row.g = free_[static_cast<std::size_t>(v)];
  row.acts = (below + min(way, zero) < reach) | (above - max(way, zero) < reach);
  add_row(row, all);
}

template <class P>
void PackStepper<P>::add_motor(std::size_t k, const BatchEnvironments& all) {
  const LaneDrive& d = plan_.drives[k];
  const P gain = kd_[k] + h_ * kp_[k];
  const P position = kp_[k] * (control_[k] - q_[static_cast<std::size_t>(d.q)]) + kd_[k] * target_velocity_[k];
  JointRow row;
  row.kind = JointRow::Kind::kMotor;
  row.v = d.v;
  row.drive = static_cast<int>(k);
  row.compliance = P(1.0) / (h_ * gain);
  row.mobility = P(plan_.dofs[static_cast<std::size_t>(d.v)].mobility) + row.compliance;
  row.high = h_ * limit_[k];
  row.low = -row.high;
  row.g = free_[static_cast<std::size_t>(d.v)] - (d.kind == ActuatorKind::kVelocity ? control_[k] : position / gain);
  row.acts = is_row_[k];
  add_row(row, all);
}

template <class P>
void PackStepper<P>::pose_joints(const BatchEnvironments& all) {
  joints_.clear();
  for (int v = 0; v < model_.nv(); ++v) {
    const LaneDof& dof = plan_.dofs[static_cast<std::size_t>(v)];
    if (dof.limited) add_limit(v, all);
    if (!(dof.friction > 0)) continue;
    JointRow row;
    row.kind = JointRow::Kind::kFriction;
    row.v = v;
    row.mobility = P(dof.mobility);
    row.high = P(h_ * dof.friction);
    row.low = -row.high;
    row.compliance = P(0.0);
    row.g = free_[static_cast<std::size_t>(v)];
    row.acts = mask_of<P>(true);
    add_row(row, all);
  }
  for (std::size_t k = 0; k < plan_.drives.size(); ++k) add_motor(k, all);
}

/// The lanes in which bodies come that close to each other, in m, within a step with these velocities.
template <class P>
MaskOf<P> PackStepper<P>::near_touches(const LinkArray<Motion<P>>& motion, double reach) const {
  LaneBits near = 0;
  const auto velocity = [&](int link, const LaneTouch& t) {
    Vec3<double> w, u;
    const Pose<double> pose = pose_in_lane(kin_.pose[link], t.lane);
    for (int c = 0; c < 3; ++c) {
      w[c] = motion[link].angular[c][t.lane];
      u[c] = motion[link].linear[c][t.lane];
    }
    return u + cross(w, t.position - pose.p);
  };
  for (const LaneTouch& t : found_.touches) {
    const double gap = t.gap + h_ * dot(t.normal, velocity(t.link_a, t) - velocity(t.link_b, t));
    if (!(gap >= reach)) near |= LaneBits(1) << t.lane;
  }
  return mask_of_bits<P>(near);
}

/// The lanes that have no other rows than are known here.
template <class P>
MaskOf<P> PackStepper<P>::pose(const BatchEnvironments& all) {
  for (Contact& c : found_.contacts) pose_contact(c, all);
  pose_joints(all);
  return !near_touches(free_motion_, h_ * kSuddenSpeed);
}

/// M̂ + JᵀkJ: a point mass k at each contact, an armature at each joint.
template <class P>
MaskOf<P> PackStepper<P>::damp() {
  for (int i = 0; i < model_.num_links(); ++i) stiff_[i] = inertia_[i];
  stiff_armature_ = armature_;
  for (const Contact& c : found_.contacts) {
    RigidInertia<P>& I = stiff_[c.link];
    const Vec3<P>& r = c.lever;
    const P r2 = dot(r, r);
    add_in<P>(c.acts, c.k, I.mass);
    add_in<P>(c.acts, c.k * r, I.moment);
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b <= a; ++b) add_in<P>(c.acts, c.k * ((a == b ? r2 : P(0.0)) - r[a] * r[b]), I.rotational(a, b));
    }
  }
  for (const JointRow& r : joints_) add_in<P>(r.acts, r.k * r.share, stiff_armature_[static_cast<std::size_t>(r.v)]);
  return stiff_tree_.factor(kin_, stiff_, stiff_armature_);
}

/// Impulses y of all rows on links and joints; with_target: with what ADMM adds to them.
template <class P>
template <class OfContact, class OfJoint>
void PackStepper<P>::push(OfContact&& of_contact, OfJoint&& of_joint) {
  for (int i = 0; i < model_.num_links(); ++i) sweep_.force[i] = Force<P>::zero();
  std::ranges::fill(sweep_.joint, P(0.0));
  for (Contact& c : found_.contacts) {
    const Vec3<P> impulse = of_contact(c);
    add_in<P>(c.acts, impulse, sweep_.force[c.link].force);
    add_in<P>(c.acts, cross(c.lever, impulse), sweep_.force[c.link].moment);
  }
  for (JointRow& r : joints_) add_in<P>(r.acts, of_joint(r), sweep_.joint[static_cast<std::size_t>(r.v)]);
}

/// One iteration. Rows of lanes that are open take what it found. By how much laws are missed, in m/s, squared.
template <class P>
P PackStepper<P>::iterate(Mask open) {
  constexpr double kRelaxation = 1.6;
  push(
      [&](Contact& c) {
        const Vec3<P> y = contact_impulse(c);
        c.lambda = select3<P>(open, y, c.lambda);
        return y + c.target - c.k * c.g;
      },
      [&](JointRow& r) {
        const P y = joint_impulse(r);
        r.lambda = select(open, y, r.lambda);
        return r.share * (y + r.target - r.k * r.g);
      });
  stiff_tree_.solve(kin_, sweep_);
  P worst(0.0);
  for (Contact& c : found_.contacts) {
    const Vec3<P> sigma = c.g + point_velocity(sweep_.motion[c.link], c.lever);
    const Vec3<P> off = c.target - c.k * sigma;
    const P missed = dot(off, off) * (c.mobility * c.mobility);
    worst = max(worst, select(c.acts, missed, P(0.0)));
    c.u = select3<P>(open & c.acts, c.u + P(kRelaxation) * off, c.u);
  }
  for (JointRow& r : joints_) {
    const P velocity = r.g + sweep_.joint[static_cast<std::size_t>(r.v)];
    // λ̂ = share (y + target - k velocity), and y + target is 2 y - u where the impulse is bounded: u + 2 target otherwise.
    const P pushed = r.u + r.target + r.target;
    const P sigma = velocity + r.compliance * (r.share * (pushed - r.k * velocity));
    const P off = r.target - r.k * sigma;
    const P missed = off * r.mobility;
    worst = max(worst, select(r.acts, missed * missed, P(0.0)));
    r.u = select(open & r.acts, r.u + P(kRelaxation) * off, r.u);
  }
  return worst;
}

/// Velocities at the end with the impulses as they are, by M̂ itself, and by how much those miss their laws.
template <class P>
P PackStepper<P>::judge() {
  push([](Contact& c) { return c.lambda; }, [](JointRow& r) { return r.lambda; });
  tree_.solve(kin_, sweep_);
  for (std::size_t k = 0; k < free_.size(); ++k) next_v_[k] = free_[k] + sweep_.joint[k];
  for (int i = 0; i < model_.num_links(); ++i) next_motion_[i] = free_motion_[i] + sweep_.motion[i];
  P worst(0.0);
  for (const Contact& c : found_.contacts) {
    const Vec3<P> sigma = c.g + point_velocity(sweep_.motion[c.link], c.lever);
    worst = max(worst, select(c.acts, contact_residual(c, c.lambda, sigma), P(0.0)));
  }
  for (const JointRow& r : joints_) {
    const P sigma = r.g + sweep_.joint[static_cast<std::size_t>(r.v)] + r.compliance * r.lambda;
    worst = max(worst, select(r.acts, joint_residual(r, r.lambda, sigma), P(0.0)));
  }
  return worst;
}

/// The lanes whose impulses keep their laws to the tolerance. Each has its own number of iterations: what others need leaves none with fewer.
template <class P>
MaskOf<P> PackStepper<P>::solve(Mask live) {
  constexpr double kMostIterations = 100;
  const P tolerance(plan_.options.tolerance), most(kMostIterations);
  P aim = P(0.3) * tolerance;
  iterations_ = residual_ = P(0.0);
  Mask open = live;
  while (any_lane(open)) {
    const P worst = iterate(open);
    iterations_ += select(open, P(1.0), P(0.0));
    open = open & !(worst < aim * aim) & (iterations_ < most);
    if (any_lane(open)) continue;
    residual_ = judge();
    open = live & !(residual_ < tolerance) & (iterations_ < most);
    aim = select(open, P(0.1) * aim, aim);
  }
  return live & (residual_ < tolerance);
}

/// The lanes in which a motor that was no row has more force than it can. It is one from here on.
template <class P>
MaskOf<P> PackStepper<P>::saturate() {
  Mask beyond = mask_of<P>(false);
  for (std::size_t k = 0; k < plan_.drives.size(); ++k) {
    const LaneDrive& d = plan_.drives[k];
    if (d.kind == ActuatorKind::kMotor) continue;
    const P force = effort(k, q_[static_cast<std::size_t>(d.q)], next_v_[static_cast<std::size_t>(d.v)]);
    const Mask too_much = (limit_[k] < max(force, -force)) & !is_row_[k];
    is_row_[k] = is_row_[k] | too_much;
    beyond = beyond | too_much;
  }
  return beyond;
}

/// The lanes in which something comes together, or a limit is exceeded, that had no row.
template <class P>
MaskOf<P> PackStepper<P>::misses_others() const {
  Mask missed = near_touches(next_motion_, 0);
  for (const Contact& c : found_.contacts) {
    const Vec3<P> after = point_velocity(next_motion_[c.link], c.lever);
    missed = missed | (c.within & !c.acts & (c.gap + h_ * dot(c.normal, after) < P(0.0)));
  }
  for (std::size_t k = 0; k < plan_.dofs.size(); ++k) {
    const LaneDof& dof = plan_.dofs[k];
    if (!dof.limited) continue;
    const P q = q_[static_cast<std::size_t>(dof.q)], v = next_v_[k], slack(plan_.options.acceptable);
    missed = missed | (v < -recovery(q - P(dof.lower)) - slack) | (recovery(P(dof.upper) - q) + slack < v);
  }
  return missed;
}

}  // namespace delassus
