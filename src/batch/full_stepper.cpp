#include "batch/full_stepper.hpp"

#include <algorithm>
#include <utility>

namespace delassus {
namespace {

void copy(std::span<const double> from, std::vector<double>& to) { to.assign(from.begin(), from.end()); }

/// As wide as `like`; nothing known: zeros.
void copy_or_clear(const std::vector<double>& from, std::vector<double>& to) {
  if (from.size() == to.size()) {
    std::ranges::copy(from, to.begin());
  } else {
    std::ranges::fill(to, 0.0);
  }
}

RigidInertia<double> inertia_from(const double* x) {
  RigidInertia<double> out;
  out.mass = x[0];
  std::copy_n(x + 1, 3, out.moment.a);
  std::copy_n(x + 4, 6, out.rotational.a);
  return out;
}

/// A humanoid on the ground touches it in some 30 points.
constexpr int kFirstRoom = 64;

Simulator make_simulator(const SimulationSetup& setup, int room) {
  SimulationOptions options = setup.options;
  options.collision.capacity = room;
  return Simulator(setup.model, setup.constraints, options, setup.actuators);
}

}  // namespace

FullStepper::FullStepper(SimulationSetup setup)
    : setup_(std::move(setup)),
      room_(std::min(kFirstRoom, setup_.options.collision.capacity)),
      simulator_(make_simulator(setup_, room_)),
      state_(simulator_.save()) {
  inertias_.resize(static_cast<std::size_t>(setup_.model.num_links()));
}

bool FullStepper::grow(std::size_t least) {
  const int limit = setup_.options.collision.capacity;
  if (room_ == limit) return false;
  const std::size_t wanted = std::max(2 * static_cast<std::size_t>(room_), least);
  room_ = static_cast<int>(std::min(wanted, static_cast<std::size_t>(limit)));
  simulator_ = make_simulator(setup_, room_);
  return true;
}

void FullStepper::check(std::span<const double> q, std::span<const double> v, double time) {
  const auto is_crowded = [this] { return simulator_.collision().crowded().first >= 0; };
  for (bool checked = false; !checked;) {
    try {
      simulator_.set_state(VectorView<const double>(q.data(), static_cast<int>(q.size())),
                           VectorView<const double>(v.data(), static_cast<int>(v.size())), time);
      checked = true;
    } catch (const Error&) {
      if (!is_crowded() || !grow()) throw;
    }
  }
}

void FullStepper::take_values(const OwnValues& own) {
  const int e = environment_;
  if (own.empty()) return;
  SimulationValues values;
  if (!own.inertia.empty()) {
    for (std::size_t i = 0; i < inertias_.size(); ++i)
      inertias_[i] = inertia_from(own.inertia.row(e) + OwnValues::kInertia * static_cast<int>(i));
    values.inertias = inertias_;
  }
  if (!own.kp.empty()) values.kp = own.kp.of(e);
  if (!own.kd.empty()) values.kd = own.kd.of(e);
  if (!own.effort_limit.empty()) values.effort_limit = own.effort_limit.of(e);
  if (!own.gravity.empty()) values.gravity = own.gravity.row(e);
  if (!own.friction.empty()) values.friction = *own.friction.row(e);
  simulator_.set_values(values);
}

void FullStepper::begin(int environment, const BatchEnvironments& all) {
  environment_ = environment;
  const auto e = static_cast<std::size_t>(environment);
  const FullStart& start = all.full[e];
  if (start.contacts.size() > static_cast<std::size_t>(room_)) grow(start.contacts.size());
  take_values(all.own);
  copy(all.q.of(environment), state_.q);
  copy(all.v.of(environment), state_.v);
  copy(all.control.of(environment), state_.control);
  copy(all.target_velocity.of(environment), state_.target_velocity);
  copy(all.forces.of(environment), state_.forces);
  state_.start_time = all.start_time[e];
  state_.steps = all.steps[e];
  state_.inexact_steps = all.inexact_steps[e];
  state_.checked = all.checked[e] != 0;
  state_.contacts = start.contacts;
  copy_or_clear(start.joints, state_.joints);
  copy_or_clear(start.limits, state_.limits);
  state_.penalty = start.penalty;
  simulator_.restore(state_);
}

bool FullStepper::step(BatchEnvironments& all, std::string& message) {
  std::ranges::copy(all.control.of(environment_), simulator_.control().begin());
  std::ranges::copy(all.target_velocity.of(environment_), simulator_.target_velocity().begin());
  std::ranges::copy(all.forces.of(environment_), simulator_.forces().begin());
  StepStatus status = simulator_.step();
  while (status.code == StepStatus::Code::kCrowded && grow()) {
    begin(environment_, all);
    status = simulator_.step();
  }
  const ContactCertificate& certificate = simulator_.report().certificate;
  all.last[static_cast<std::size_t>(environment_)] = {status, certificate.worst(), certificate.iterations, false,
                                                      simulator_.report().inexact};
  if (!status.ok()) {
    message = simulator_.describe(status);
    return false;
  }
  write(all);
  return true;
}

void FullStepper::write(BatchEnvironments& all) {
  const auto e = static_cast<std::size_t>(environment_);
  simulator_.save(state_);
  std::ranges::copy(state_.q, all.q.row(environment_));
  std::ranges::copy(state_.v, all.v.row(environment_));
  std::ranges::copy(simulator_.efforts(), all.efforts.row(environment_));
  all.steps[e] = state_.steps;
  all.inexact_steps[e] = state_.inexact_steps;
  all.checked[e] = 1;
  all.forget_impulses(environment_);
  FullStart& start = all.full[e];
  start.contacts = state_.contacts;
  start.joints = state_.joints;
  start.limits = state_.limits;
  start.penalty = state_.penalty;
  std::ranges::fill(all.contact_force.of(environment_), 0.0);
  std::ranges::fill(all.touching.of(environment_), 0.0);
  const auto add = [&](int body, const Vec3<double>& force, double sign) {
    if (body == kWorld || dot(force, force) == 0) return;
    all.touching.row(environment_)[body] = 1;
    for (int c = 0; c < 3; ++c) all.contact_force.row(environment_)[3 * body + c] += sign * force[c];
  };
  for (const ContactState& contact : simulator_.contacts()) {
    add(contact.body_a, contact.force, 1);
    add(contact.body_b, contact.force, -1);
  }
}

}  // namespace delassus
