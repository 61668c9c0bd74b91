// One step, stage by stage. Nothing of the state is written before all of them went well.
#include <algorithm>
#include <cmath>
#include <limits>

#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "kinematics/link_inertia.hpp"
#include "simulation/simulator_parts.hpp"
#include "simulation/step_energy.hpp"
#include "simulation/step_judge.hpp"

namespace delassus {
namespace {

using Code = StepStatus::Code;

constexpr double kUnknown = std::numeric_limits<double>::infinity();

int first_not_finite(std::span<const double> x) {
  const auto bad = std::ranges::find_if(x, [](double value) { return !std::isfinite(value); });
  return bad == x.end() ? -1 : static_cast<int>(bad - x.begin());
}

/// The degree of freedom at an entry of q.
int dof_at(const Model& model, int q) {
  int v = 0;
  for (const Link& link : model.links()) {
    if (link.q <= q) v = link.v;
  }
  return v;
}

int constraint_at(const ConstraintRows<double>& rows, int row) {
  const auto after = std::ranges::upper_bound(rows.spans, row, {}, &RowSpan::first_row);
  return static_cast<int>(after - rows.spans.begin()) - 1;
}

/// Components along the axes, which are rows, and back.
Vec3<double> along(const Mat3<double>& axes, const Vec3<double>& x) { return axes * x; }
Vec3<double> in_world(const Mat3<double>& axes, const Vec3<double>& x) { return transposed_times(axes, x); }

}  // namespace

StepStatus Simulator::Parts::step() {
  report = {};
  choose_mechanism();
  StepStatus status = check_inputs();
  if (status.ok()) status = find_contacts();
  if (status.ok() && !state.checked) status = check_start();
  if (status.ok()) status = find_velocities();
  if (status.ok()) status = move();
  if (status.ok()) status = check_energy();
  if (status.ok()) commit();
  return status;
}

/// Motors that were far from their limits in the step before are expected to be so again.
void Simulator::Parts::choose_mechanism() {
  constexpr double kFar = 0.9;
  now = &exact;
  if (!shorter) return;
  const double* impulse = state.joints.data() + shorter->constraints.lasting_rows();
  for (const int k : exact.constraints.drives()) {
    const double limit = exact.laws.drives()[static_cast<std::size_t>(k)].limit;
    if (!(std::abs(*impulse++) <= kFar * limit * options.dt)) return;
  }
  now = shorter.get();
}

/// next_v, first without the limits of motors if none is expected to be reached; once more with them if one is, or if that fails.
StepStatus Simulator::Parts::find_velocities() {
  const auto find = [&] {
    StepStatus status = move_freely();
    if (status.ok()) status = constrain();
    return status.ok() ? judge() : status;
  };
  now->solver.begin_step(state.penalty);
  const StepStatus status = find();
  if (now == &exact || (status.ok() && !now->laws.exceed_limits(inputs(), state.q, next_v_))) return status;
  now = &exact;
  now->solver.repeat_step(state.penalty, shorter->solver);
  report.inexact = false;
  report.certificate = {};
  return find();
}

StepStatus Simulator::Parts::check_inputs() const {
  for (const std::vector<double>* x : {&state.control, &state.target_velocity}) {
    if (const int k = first_not_finite(*x); k >= 0) return {Code::kBadControl, k};
  }
  if (const int k = first_not_finite(state.forces); k >= 0) return {Code::kBadForce, k};
  return {};
}

void Simulator::Parts::refresh() {
  if (fresh_) return;
  update_kinematics<double>(now->effective, state.q, kin);
  update_velocities<double>(now->effective, kin, state.v, vel);
  energy_ = energies_of(state.q);
  fresh_ = true;
}

Simulator::Parts::Energies Simulator::Parts::energies() {
  refresh();
  return energy_;
}

/// With the kinematics and velocities that go with q.
Simulator::Parts::Energies Simulator::Parts::energies_of(std::span<const double> q) {
  return {delassus::kinetic_energy(model, kin, vel),
          delassus::potential_energy(model, kin) + now->laws.spring_energy(q)};
}

StepStatus Simulator::Parts::find_contacts() {
  refresh();
  if (!world.update(kin)) return {Code::kCrowded, body_of(world.crowded().first), body_of(world.crowded().second)};
  for (const WorldContact& c : world.contacts()) report.penetration = std::max(report.penetration, -c.gap);
  report.contacts = static_cast<int>(world.contacts().size());
  return {};
}

/// Of contacts, the deepest.
StepStatus Simulator::Parts::check_start() {
  if (report.penetration <= options.start_penetration) return check_violations();
  const auto deepest = std::ranges::min_element(world.contacts(), {}, &WorldContact::gap);
  return {Code::kInterpenetrating, body_of(deepest->shape_a), body_of(deepest->shape_b), -deepest->gap};
}

/// Of loops and other equalities, and of joint limits.
StepStatus Simulator::Parts::check_violations() {
  position_.resize(static_cast<std::size_t>(now->constraints.rows().num_rows()));
  const Violation loop = worst_opening(now->effective, kin, now->constraints.all(), now->constraints.rows(), position_);
  if (!(loop.value <= options.start_violation)) return {Code::kOpenLoop, loop.index, -1, loop.value};
  const Violation limit = worst_limit(now->effective, now->constraints.limits(), state.q);
  if (!(limit.value <= options.start_violation)) return {Code::kBeyondLimit, limit.index, -1, limit.value};
  return {};
}

/// free = v + h M̂⁻¹ (known forces - bias), with the bias of the mean velocity: that of the velocity before the step would give trees the square of its change
/// as energy, and long chains that swing would explode.
StepStatus Simulator::Parts::move_freely() {
  now->laws.known_forces(inputs(), state.q, state.v, tau_);
  const Status status = now->solver.articulate(now->effective, kin);
  if (status.code == Status::Code::kSingularJoint) return {Code::kSingularJoint, status.index};
  if (!status.ok()) return {Code::kDiverged, dof_at(now->effective, status.index), -1, kUnknown};
  now->solver.free_acceleration(now->effective, kin, vel, tau_, free_);
  for (std::size_t k = 0; k < free_.size(); ++k) free_[k] = state.v[k] + options.dt * free_[k];
  mean_v_ = state.v;
  if (flight.has_trees()) {
    flight.take_means(state.v, free_, mean_v_);
    update_velocities<double>(now->effective, kin, mean_v_, mean_vel_);
    now->solver.free_acceleration(now->effective, kin, mean_vel_, tau_, free_);
    for (std::size_t k = 0; k < free_.size(); ++k) free_[k] = state.v[k] + options.dt * free_[k];
  }
  flight.stop_turning(state.v, mean_v_, free_);
  const int bad = first_not_finite(free_);
  if (bad >= 0) return {Code::kDiverged, bad, -1, free_[static_cast<std::size_t>(bad)]};
  return {};
}

/// How far bodies would be apart after a step with these velocities.
double Simulator::Parts::gap_after(const WorldContact& contact, const Velocities<double>& velocities) const {
  const auto velocity = [&](int shape) {
    const int link = model.frame(model.body_frame(world.shapes()[static_cast<std::size_t>(shape)].body)).link;
    if (link == kWorld) return Vec3<double>::zero();
    const Motion<double>& m = velocities.velocity[link];
    return m.linear + cross(m.angular, contact.position - kin.pose[link].p);
  };
  return contact.gap + options.dt * dot(contact.normal, velocity(contact.shape_a) - velocity(contact.shape_b));
}

/// Contacts that the free motion brings to less than `reach`; where contacts give way, all of them.
void Simulator::Parts::list_near(double reach) {
  near_.clear();
  const bool all = !problem.is_rigid() || !std::isfinite(reach);
  if (!all) update_velocities<double>(now->effective, kin, free_, mean_vel_);
  for (std::size_t k = 0; k < world.contacts().size(); ++k) {
    if (all || gap_after(world.contacts()[k], mean_vel_) < reach) near_.push_back(static_cast<int>(k));
  }
}

/// Whether the velocities at the end close the gap of a contact that was left out.
bool Simulator::Parts::reaches_others() {
  if (near_.size() == world.contacts().size()) return false;
  update_velocities<double>(now->effective, kin, next_v_, mean_vel_);
  auto next = near_.begin();
  for (std::size_t k = 0; k < world.contacts().size(); ++k) {
    if (next != near_.end() && *next == static_cast<int>(k)) {
      ++next;
    } else if (gap_after(world.contacts()[k], mean_vel_) < 0) {
      return true;
    }
  }
  return false;
}

/// Contacts that are found within the margin, but whose bodies stay apart in this step, would only be rows without a force. They are left out,
/// and taken in if the forces of the others bring them together.
StepStatus Simulator::Parts::constrain() {
  constexpr double kSuddenSpeed = 1;  // m/s
  list_near(options.dt * kSuddenSpeed);
  const StepStatus status = constrain_near();
  if (!status.ok() || !reaches_others()) return status;
  list_near(kUnknown);
  return constrain_near();
}

/// next_v = free + M̂⁻¹ Jᵀ λ
StepStatus Simulator::Parts::constrain_near() {
  report.restructured |= now->constraints.update(now->effective, kin, free_, options.dt, world, near_);
  report.constraints = static_cast<int>(now->constraints.all().size());
  report.rows = now->constraints.rows().num_rows();
  lambda_.resize(static_cast<std::size_t>(report.rows));
  if (report.rows == 0) {
    next_v_ = free_;
    return {};
  }
  const Status lowered = now->constraints.lower(now->effective, kin);
  if (!lowered.ok()) return {Code::kDegenerate, lowered.index};
  const StepStatus status = solve();
  if (!status.ok()) return status;
  now->solver.joint_response(lambda_, next_v_);
  for (std::size_t k = 0; k < free_.size(); ++k) next_v_[k] += free_[k];
  return {};
}

/// The operator has none for so many rows and couplings.
StepStatus Simulator::Parts::no_room() const {
  if (world.contacts().empty()) return {Code::kCrowded};
  return {Code::kCrowded, body_of(world.contacts().back().shape_a), body_of(world.contacts().back().shape_b)};
}

StepStatus Simulator::Parts::solve() {
  const Status factored = now->solver.factor({now->effective, kin, now->constraints.rows()});
  if (factored.code == Status::Code::kSingularJoint) return {Code::kSingularJoint, factored.index};
  if (factored.code == Status::Code::kBadArgument) return no_room();
  if (!factored.ok())
    return {Code::kNotConverged, constraint_at(now->constraints.rows(), factored.index), -1, kUnknown};
  if (problem.needs_mobility()) {
    mobility_.resize(lambda_.size());
    now->solver.diagonal(mobility_);
  }
  problem.pose(now->constraints, now->laws, inputs(), {now->effective, kin, state.v, free_, find_pushed()}, mobility_);
  const Status solved = solve_posed();
  if (solved.ok()) hold_loops();
  for (std::size_t r = 0; r < known_.size(); ++r) lambda_[r] += known_[r];
  if (solved.ok()) return {};
  report.inexact = false;
  const double residual = report.certificate.worst();
  const StopReason reason = report.certificate.reason;
  const bool judged =
      reason == StopReason::kIterations || reason == StopReason::kTime || reason == StopReason::kStalled;
  report.inexact = judged && residual <= options.acceptable;
  if (report.inexact) return {};
  if (solved.code == Status::Code::kInfeasible)
    return {Code::kContradiction, report.certificate.constraint, report.certificate.against, residual};
  return {Code::kNotConverged, report.certificate.constraint, -1, residual};
}

/// Loops hold to the tolerance as well: where they give way by more than the solve has left of it, the step is solved once more from its impulses, and stays as it was if that fails.
void Simulator::Parts::hold_loops() {
  const double most = options.tolerance - report.certificate.worst();
  if (!problem.take_up_loops(now->constraints, lambda_, most)) return;
  const ContactCertificate first = report.certificate;
  start_ = lambda_;
  const Status solved = now->solver.solve(problem.view(now->constraints), lambda_);
  report.certificate = now->solver.certificate();
  if (!solved.ok()) {
    problem.let_loops_give();
    lambda_.swap(start_);
    static_cast<ContactResiduals&>(report.certificate) = first;
    report.certificate.reason = first.reason;
  }
  report.certificate.iterations += first.iterations;
  report.certificate.dampings += first.dampings;
}

/// Contacts and limits that no impulse serves, such as those of a cart on its rail with a floor at the same height, are left out where they then miss no more
/// than is acceptable: their forces would be as large as numbers are.
Status Simulator::Parts::solve_posed() {
  const ContactProblem posed = problem.view(now->constraints);
  for (int left = report.constraints - now->constraints.num_lasting();; --left) {
    begin_lambda();
    const Status solved = now->solver.solve(posed, lambda_);
    report.certificate = now->solver.certificate();
    if (observer) show_solved(posed);
    const int c = report.certificate.constraint;
    const bool pushes = solved.code == Status::Code::kInfeasible && c >= now->constraints.num_lasting() && left > 0;
    if (!pushes || !problem.leave_out(now->constraints.rows().spans[static_cast<std::size_t>(c)], c)) return solved;
    report.inexact = true;
  }
}

/// Where the solve began is found once more rather than kept: most simulations show nothing.
void Simulator::Parts::show_solved(const ContactProblem& posed) {
  start_ = lambda_;
  begin_lambda();
  start_.swap(lambda_);
  observer({now->solver.op(), posed, start_, lambda_, report.certificate});
}

/// Velocities after the step without λ: as they are, but impacts and contact forces that are known act before all others.
std::span<const double> Simulator::Parts::find_pushed() {
  if (options.restitution > 0) {
    strike();
    return next_v_;
  }
  if (!problem.knows_contact_forces()) return free_;
  known_.resize(lambda_.size());
  problem.find_known_impulses(now->constraints, {now->effective, kin, state.v, free_, free_}, known_);
  now->solver.joint_response(known_, next_v_);
  for (std::size_t k = 0; k < free_.size(); ++k) next_v_[k] += free_[k];
  return next_v_;
}

/// The impulses of the step before, where what they acted on is still there.
void Simulator::Parts::begin_lambda() {
  std::ranges::fill(lambda_, 0.0);
  std::copy_n(state.joints.begin(), now->constraints.lasting_rows(), lambda_.begin());
  double* at = lambda_.data() + now->constraints.lasting_rows();
  for (const int limit : now->constraints.active_limits()) *at++ = state.limits[static_cast<std::size_t>(limit)];
  const std::vector<SimulationState::Impulse>& known = state.contacts;
  auto c = static_cast<std::size_t>(now->constraints.first_contact());
  for (const int k : near_) {
    const WorldContact& contact = world.contacts()[static_cast<std::size_t>(k)];
    const auto here = std::ranges::lower_bound(known, contact.key, {}, &SimulationState::Impulse::key);
    const auto& point = std::get<PointContact>(now->constraints.all()[c]);
    const int rows = now->constraints.rows().spans[c++].rows;
    if (here != known.end() && here->key == contact.key) {
      const Vec3<double> force = along(point.axes, here->force), moment = along(point.axes, here->moment);
      std::copy_n(force.a, std::min(rows, 3), at);
      std::copy_n(moment.a, std::max(rows - 3, 0), at + 3);
    }
    at += rows;
  }
}

/// Whether the velocities at the end are those that the constraints were stated for. Loops give way a little in the solve, so that forces stay small
/// where rounding has opened them; what contradicts them would open them instead.
StepStatus Simulator::Parts::judge() {
  if (report.rows == 0) return {};
  problem.find_end(now->constraints, {now->effective, kin, state.v, free_, free_}, next_v_);
  const ContactProblem posed = problem.view(now->constraints);
  const StatedResidual stated = judge_end(posed, problem, lambda_);
  report.certificate.dual = std::max(report.certificate.dual, stated.velocity);
  if (stated.velocity <= std::max(options.acceptable, options.tolerance)) return {};
  if (posed.sets[static_cast<std::size_t>(stated.constraint)].kind != SetKind::kEquality)
    return {Code::kNotConverged, stated.constraint, -1, stated.velocity};
  return {Code::kContradiction, stated.constraint, hardest_push(posed, lambda_), stated.velocity};
}

void Simulator::Parts::find_work() {
  add_joint_work(now->laws, inputs(), state.q, {state.v, next_v_}, report.energy);
  if (report.rows == 0) return;
  add_row_work(now->constraints, problem, lambda_, report.energy);
  if (problem.is_rigid()) report.energy.solve = find_solve_gain();
}

/// λᵀJ (v_m + v⁺) / 2 over all rows but motors, where motors alone lead to v_m: of all rows from v_free on, less that of motors.
double Simulator::Parts::find_solve_gain() {
  double twice = 0;
  for (std::size_t r = 0; r < lambda_.size(); ++r) twice += lambda_[r] * (problem.free()[r] + problem.after()[r]);
  if (now->constraints.drives().empty()) return twice / 2;
  const auto first = static_cast<std::size_t>(now->constraints.first_drive());
  motor_impulses_.assign(lambda_.size(), 0.0);
  for (std::size_t k = 0; k < now->constraints.drives().size(); ++k) {
    const auto row = static_cast<std::size_t>(now->constraints.rows().spans[first + k].first_row);
    motor_impulses_[row] = lambda_[row];
  }
  now->solver.joint_response(motor_impulses_, displacement_);
  for (std::size_t k = 0; k < now->constraints.drives().size(); ++k) {
    const auto row = static_cast<std::size_t>(now->constraints.rows().spans[first + k].first_row);
    const Drive& d = now->laws.drives()[static_cast<std::size_t>(now->constraints.drives()[k])];
    twice -= lambda_[row] * (2 * problem.free()[row] + displacement_[static_cast<std::size_t>(d.v)]);
  }
  return twice / 2;
}

StepStatus Simulator::Parts::move() {
  for (std::size_t k = 0; k < next_v_.size(); ++k) {
    if (!(std::abs(next_v_[k]) <= options.fastest)) return {Code::kDiverged, static_cast<int>(k), -1, next_v_[k]};
  }
  find_work();
  for (std::size_t k = 0; k < next_v_.size(); ++k) displacement_[k] = options.dt * next_v_[k];
  integrate(now->effective, state.q, displacement_, next_q_);
  flight.move(state.q, next_v_, next_q_);
  flight.turn(next_v_);
  return {};
}

/// Kinematics are those of the end from here on.
StepStatus Simulator::Parts::check_energy() {
  const Energies before = energy_;
  fresh_ = false;
  update_kinematics<double>(now->effective, next_q_, kin);
  update_velocities<double>(now->effective, kin, next_v_, vel);
  energy_ = energies_of(next_q_);
  StepEnergy& energy = report.energy;
  energy.kinetic = energy_.kinetic;
  energy.potential = energy_.potential;
  energy.drift = energy_.kinetic - before.kinetic + energy_.potential - before.potential - energy.work();
  const double in_play = before.kinetic + std::abs(energy_.potential - before.potential) + std::abs(energy.motors) +
                         std::abs(energy.forces);
  const double allowed = options.gain_per_mass * model.mass() + options.gain_share * in_play;
  if (!(energy.solve <= allowed)) return {Code::kSolveGain, liveliest_body(), -1, energy.solve};
  if (!(energy.drift <= allowed)) return {Code::kEnergyGain, liveliest_body(), -1, energy.drift};
  return {};
}

/// That has the most kinetic energy.
int Simulator::Parts::liveliest_body() const {
  int link = 0;
  double most = -1;
  for (int i = 0; i < model.num_links(); ++i) {
    const double twice = dot(vel.velocity[i], link_inertia(model, kin, i) * vel.velocity[i]);
    if (!(twice > most)) continue;
    most = twice;
    link = i;
  }
  const int bodies = static_cast<int>(model.description().bodies.size());
  for (int b = 0; b < bodies; ++b) {
    if (model.frames()[static_cast<std::size_t>(model.body_frame(b))].link == link) return b;
  }
  return kWorld;
}

void Simulator::Parts::commit() {
  for (std::size_t k = 0; k < efforts.size(); ++k) {
    const Drive& d = now->laws.drives()[k];
    efforts[k] = d.row ? 0
                       : now->laws.effort(k, inputs(), state.q[static_cast<std::size_t>(d.q)],
                                          next_v_[static_cast<std::size_t>(d.v)]);
  }
  for (std::size_t k = 0; k < now->constraints.drives().size(); ++k) {
    const RowSpan& span = now->constraints.rows().spans[static_cast<std::size_t>(now->constraints.first_drive()) + k];
    efforts[static_cast<std::size_t>(now->constraints.drives()[k])] =
        lambda_[static_cast<std::size_t>(span.first_row)] / options.dt;
  }
  std::copy_n(lambda_.begin(), now->constraints.lasting_rows(), state.joints.begin());
  if (now != &exact) {
    double* impulse = state.joints.data() + now->constraints.lasting_rows();
    for (const int k : exact.constraints.drives()) *impulse++ = options.dt * efforts[static_cast<std::size_t>(k)];
  }
  std::ranges::fill(state.limits, 0.0);
  const double* at = lambda_.data() + now->constraints.lasting_rows();
  for (const int limit : now->constraints.active_limits()) state.limits[static_cast<std::size_t>(limit)] = *at++;
  contacts.clear();
  state.contacts.clear();
  for (std::size_t k = 0; k < near_.size(); ++k) remember_contact(k);
  if (!std::ranges::is_sorted(state.contacts, {}, &SimulationState::Impulse::key)) {
    std::ranges::sort(state.contacts, {}, &SimulationState::Impulse::key);
  }
  state.q.swap(next_q_);
  state.v.swap(next_v_);
  ++state.steps;
  if (report.inexact) ++state.inexact_steps;
  state.penalty = now->solver.penalty();
  state.checked = true;
  fresh_ = true;
}

void Simulator::Parts::remember_contact(std::size_t k) {
  const WorldContact& contact = world.contacts()[static_cast<std::size_t>(near_[k])];
  const std::size_t c = static_cast<std::size_t>(now->constraints.first_contact()) + k;
  const RowSpan& span = now->constraints.rows().spans[c];
  const Mat3<double>& axes = std::get<PointContact>(now->constraints.all()[c]).axes;
  const double* at = lambda_.data() + span.first_row;
  Vec3<double> force = Vec3<double>::zero(), moment = Vec3<double>::zero();
  std::copy_n(at, std::min(span.rows, 3), force.a);
  std::copy_n(at + 3, std::max(span.rows - 3, 0), moment.a);
  force = in_world(axes, force);
  moment = in_world(axes, moment);
  state.contacts.push_back({contact.key, force, moment});
  const double rate = 1 / options.dt;
  contacts.push_back({body_of(contact.shape_a), body_of(contact.shape_b), contact.position, contact.normal,
                      rate * force, rate * moment, contact.gap, near_[k]});
}

}  // namespace delassus
