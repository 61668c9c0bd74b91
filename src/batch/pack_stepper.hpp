// A step of the Simulator (docs/simulation.md) in lanes: stage by stage the same, for what a LanePlan knows.
//
// Contacts are solved with a stiffness at each slot, k = 1 / mobility, by ADMM (lane_rows.hpp): one factorization of M̂ + JᵀkJ and one sweep for each
// iteration. Lanes never look at each other: one that is done keeps its numbers while others go on, so what a lane holds depends on its own environment
// alone. Each lane is then judged by the velocities that its impulses give, with M̂ itself.
#pragma once

#include <vector>

#include "batch/lane_contacts.hpp"
#include "batch/lane_rows.hpp"
#include "batch/lane_stepper.hpp"
#include "batch/lane_tree.hpp"
#include "batch/lanes.hpp"

namespace delassus {

template <class P>
class PackStepper final : public LaneStepper {
 public:
  explicit PackStepper(const LanePlan& plan);

  int width() const override { return P::kWidth; }
  void begin(const std::int32_t* environment, int count, const BatchEnvironments& all) override;
  LaneBits step(LaneBits alive, BatchEnvironments& all) override;

 private:
  using Mask = MaskOf<P>;
  using Contact = LaneContact<P>;
  using JointRow = LaneJointRow<P>;
  struct Energies {
    P kinetic{}, potential{};
  };
  /// Of a step, in joules.
  struct Work {
    P all{};      // of all forces
    P in_play{};  // of motors and of forces from outside, either way
    P gain{};     // what impulses of rows but motors made of the velocities without them
  };

  // pack_stepper.hpp
  void take(const RowsOf<double>& from, std::vector<P>& to) const;
  void give(const std::vector<P>& from, LaneBits lanes, RowsOf<double>& to) const;
  void take_values(const OwnValues& own);
  Mask take_inputs(const BatchEnvironments& all);
  void write(LaneBits lanes, BatchEnvironments& all);
  void write_contacts(int lane, int e, BatchEnvironments& all) const;

  // pack_stepper_motion.hpp
  void place();
  Energies energies() const;
  P effort(std::size_t k, P q, P v) const;
  void find_armature();
  Mask move_freely();
  void accelerate(const Velocities<P>& vel);
  void find_motions(const std::vector<P>& v, LinkArray<Motion<P>>& out) const;
  void move();
  void turn(int q, const Vec3<P>& by);
  Work find_work();
  P find_gain();
  Mask gains_energy(const Energies& before, const Work& work) const;

  // pack_stepper_solve.hpp
  Mask pose(const BatchEnvironments& all);
  void pose_contact(Contact& c, const BatchEnvironments& all) const;
  void pose_joints(const BatchEnvironments& all);
  void add_row(JointRow row, const BatchEnvironments& all);
  void add_limit(int v, const BatchEnvironments& all);
  void add_motor(std::size_t k, const BatchEnvironments& all);
  P recovery(P room) const;
  Mask damp();
  template <class OfContact, class OfJoint>
  void push(OfContact&& of_contact, OfJoint&& of_joint);
  P iterate(Mask open);
  P judge();
  Mask solve(Mask live);
  Mask saturate();
  Mask misses_others() const;
  Mask near_touches(const LinkArray<Motion<P>>& motion, double reach) const;

  const LanePlan& plan_;
  const Model model_;
  const double h_;
  std::int32_t environment_[P::kWidth]{};
  int count_ = 0;

  // What environments have of their own, or share.
  LinkArray<RigidInertia<P>> body_inertia_;  // in the axes of links
  Vec3<P> gravity_{};
  P friction_{}, mass_{};
  bool own_friction_ = false;
  std::vector<P> kp_, kd_, limit_;

  std::vector<P> q_, v_, control_, target_velocity_, forces_, efforts_;
  std::vector<Mask> is_row_;  // of motors: at their limit of force

  Kinematics<P> kin_;
  Velocities<P> vel_, mean_vel_;
  LinkArray<RigidInertia<P>> inertia_, stiff_;  // world axes; with the stiffness of contacts
  Energies energy_;
  std::vector<P> armature_, stiff_armature_, tau_, mean_v_, free_, next_q_, next_v_;
  LinkArray<Motion<P>> free_motion_, next_motion_;
  LaneTree<P> tree_, stiff_tree_;
  LaneSweep<P> sweep_;
  LaneContacts<P> found_;
  std::vector<JointRow> joints_;
  P residual_{}, iterations_{};
};

template <class P>
PackStepper<P>::PackStepper(const LanePlan& plan)
    : plan_(plan),
      model_(plan.model),
      h_(plan.options.dt),
      body_inertia_(model_, RigidInertia<P>::zero()),
      kin_(model_),
      vel_(model_),
      mean_vel_(model_),
      inertia_(model_, RigidInertia<P>::zero()),
      stiff_(model_, RigidInertia<P>::zero()),
      free_motion_(model_, Motion<P>::zero()),
      next_motion_(model_, Motion<P>::zero()),
      tree_(model_),
      stiff_tree_(model_),
      sweep_(model_),
      found_(plan) {
  const auto nv = static_cast<std::size_t>(model_.nv()), motors = plan.drives.size();
  for (std::vector<P>* x : {&q_, &next_q_}) x->assign(static_cast<std::size_t>(model_.nq()), P(0.0));
  for (std::vector<P>* x : {&v_, &forces_, &armature_, &stiff_armature_, &tau_, &mean_v_, &free_, &next_v_})
    x->assign(nv, P(0.0));
  for (std::vector<P>* x : {&kp_, &kd_, &limit_, &control_, &target_velocity_, &efforts_}) x->assign(motors, P(0.0));
  is_row_.assign(motors, mask_of<P>(false));
  joints_.reserve(2 * nv + motors);
}

template <class P>
void PackStepper<P>::take(const RowsOf<double>& from, std::vector<P>& to) const {
  const BatchBlock block{nullptr, environment_, count_, false, false};
  load_lanes(BatchView<const double>(from.values().data(), 0, from.width()), block, from.width(), to.data());
}

template <class P>
void PackStepper<P>::give(const std::vector<P>& from, LaneBits lanes, RowsOf<double>& to) const {
  for (int lane = 0; lane < count_; ++lane) {
    if (!has_lane(lanes, lane)) continue;
    double* row = to.row(environment_[lane]);
    for (std::size_t c = 0; c < from.size(); ++c) row[c] = from[c][lane];
  }
}

template <class P>
void PackStepper<P>::take_values(const OwnValues& own) {
  for (int i = 0; i < model_.num_links(); ++i) body_inertia_[i] = inertia_of<P>(model_, i);
  for (int lane = 0; lane < P::kWidth && !own.inertia.empty(); ++lane) {
    const double* value = own.inertia.row(environment_[lane]);
    for (int i = 0; i < model_.num_links(); ++i) {
      body_inertia_[i].mass.set(lane, *value++);
      for (P& x : body_inertia_[i].moment.a) x.set(lane, *value++);
      for (P& x : body_inertia_[i].rotational.a) x.set(lane, *value++);
    }
  }
  mass_ = P(0.0);
  for (int i = 0; i < model_.num_links(); ++i) mass_ += body_inertia_[i].mass;
  gravity_ = cast<P>(model_.gravity());
  own_friction_ = !own.friction.empty();
  for (int lane = 0; lane < P::kWidth; ++lane) {
    if (own_friction_) friction_.set(lane, *own.friction.row(environment_[lane]));
    for (int c = 0; c < 3 && !own.gravity.empty(); ++c) gravity_[c].set(lane, own.gravity.row(environment_[lane])[c]);
  }
  const auto take_gains = [&](const RowsOf<double>& from, double LaneDrive::*member, std::vector<P>& to) {
    if (!from.empty()) return take(from, to);
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = P(plan_.drives[k].*member);
  };
  take_gains(own.kp, &LaneDrive::kp, kp_);
  take_gains(own.kd, &LaneDrive::kd, kd_);
  take_gains(own.effort_limit, &LaneDrive::limit, limit_);
}

template <class P>
void PackStepper<P>::begin(const std::int32_t* environment, int count, const BatchEnvironments& all) {
  count_ = count;
  for (int lane = 0; lane < P::kWidth; ++lane) environment_[lane] = environment[std::min(lane, count - 1)];
  take_values(all.own);
  take(all.q, q_);
  take(all.v, v_);
  take(all.efforts, efforts_);
  place();
}

/// The lanes in which they are finite.
template <class P>
MaskOf<P> PackStepper<P>::take_inputs(const BatchEnvironments& all) {
  take(all.control, control_);
  take(all.target_velocity, target_velocity_);
  take(all.forces, forces_);
  if (!all.own.effort_limit.empty()) take(all.own.effort_limit, limit_);
  Mask finite = mask_of<P>(true);
  for (const std::vector<P>* x : {&control_, &target_velocity_, &forces_}) {
    for (const P& value : *x) finite = finite & is_finite(value);
  }
  return finite;
}

template <class P>
LaneBits PackStepper<P>::step(LaneBits alive, BatchEnvironments& all) {
  constexpr int kAttempts = 4;
  Mask live = mask_of_bits<P>(alive) & take_inputs(all);
  for (std::size_t k = 0; k < is_row_.size(); ++k) {
    const bool gains = plan_.drives[k].kind != ActuatorKind::kMotor;
    is_row_[k] = mask_of<P>(gains) & (0.9 * limit_[k] < max(efforts_[k], -efforts_[k]));
  }
  found_.find(kin_, live);
  live = live & !found_.unlike;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    live = live & move_freely();
    live = live & pose(all);
    live = live & damp();
    const Mask solved = solve(live);
    const Mask beyond = saturate();
    if (attempt + 1 == kAttempts || !any_lane(beyond & live)) {
      live = live & solved & !beyond;
      break;
    }
  }
  live = live & !misses_others();
  for (const P& x : next_v_) live = live & (max(x, -x) < P(plan_.options.fastest));
  const Energies before = energy_;
  const Work work = find_work();
  move();
  std::swap(q_, next_q_);
  std::swap(v_, next_v_);
  place();
  live = live & !gains_energy(before, work);
  const LaneBits done = bits_of(live) & alive;
  write(done, all);
  return alive & ~done;
}

template <class P>
void PackStepper<P>::write_contacts(int lane, int e, BatchEnvironments& all) const {
  const double rate = 1 / h_;
  std::ranges::fill(all.contact_force.of(e), 0.0);
  std::ranges::fill(all.touching.of(e), 0.0);
  std::ranges::fill(all.joint_impulse.of(e), 0.0);
  const std::uint32_t tick = ++all.tick[static_cast<std::size_t>(e)];
  for (const Contact& c : found_.contacts) {
    if (!has_lane(bits_of(c.acts), lane)) continue;
    double* memory = all.slot_impulse.row(e) + 3 * c.slot;
    double* force = all.contact_force.row(e) + 3 * c.body;
    bool any = false;
    for (int k = 0; k < 3; ++k) {
      memory[k] = c.u[k][lane];
      force[k] += rate * c.lambda[k][lane];
      any = any || c.lambda[k][lane] != 0;
    }
    all.slot_tick.row(e)[c.slot] = tick;
    if (any) all.touching.row(e)[c.body] = 1;
  }
  for (const JointRow& r : joints_) {
    if (has_lane(bits_of(r.acts), lane))
      all.joint_impulse.row(e)[static_cast<int>(r.kind) * model_.nv() + r.v] = r.u[lane];
  }
}

template <class P>
void PackStepper<P>::write(LaneBits lanes, BatchEnvironments& all) {
  give(q_, lanes, all.q);
  give(v_, lanes, all.v);
  give(efforts_, lanes, all.efforts);
  for (int lane = 0; lane < count_; ++lane) {
    if (!has_lane(lanes, lane)) continue;
    const std::int32_t e = environment_[lane];
    write_contacts(lane, e, all);
    ++all.steps[static_cast<std::size_t>(e)];
    all.checked[static_cast<std::size_t>(e)] = 1;
    all.full[static_cast<std::size_t>(e)].forget();
    all.last[static_cast<std::size_t>(e)] = {{}, residual_[lane], static_cast<int>(iterations_[lane]), true, false};
  }
}

}  // namespace delassus
