#include "batch/full_stepper.hpp"

#include <algorithm>

namespace delassus {
namespace {

void copy(std::span<const double> from, std::vector<double>& to) { to.assign(from.begin(), from.end()); }

std::vector<double> copied(std::span<const double> from) { return {from.begin(), from.end()}; }

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

}  // namespace

FullStepper::FullStepper(const SimulationSetup& setup)
    : simulator_(setup.make_simulator()), held_(copied(simulator_.control())), state_(simulator_.save()) {
  inertias_.resize(static_cast<std::size_t>(setup.model.num_links()));
}

void FullStepper::check(std::span<const double> q, std::span<const double> v, double time) {
  simulator_.set_state(VectorView<const double>(q.data(), static_cast<int>(q.size())),
                       VectorView<const double>(v.data(), static_cast<int>(v.size())), time);
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
  const FullStart& start = all.full[e];
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
  const StepStatus status = simulator_.step();
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
