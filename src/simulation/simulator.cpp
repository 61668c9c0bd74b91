#include "delassus/simulation/simulator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "delassus/kinematics/kinematics.hpp"
#include "model/own_values.hpp"
#include "simulation/simulator_parts.hpp"

namespace delassus {
namespace {

const SimulationOptions& valid(const SimulationOptions& options) {
  require_valid(options);
  return options;
}

std::vector<Actuator> valid(const Model& model, std::vector<Actuator> actuators) {
  require_valid(model, actuators);
  return actuators;
}

std::vector<Constraint> copy(std::span<const Constraint> constraints) {
  return {constraints.begin(), constraints.end()};
}

/// `first` and `count`: where entries of a joint begin, and how many there are.
template <class First, class Count>
void require_finite_state(const Model& model, const char* argument, VectorView<const double> x, First first,
                          Count count) {
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    for (int k = first(link); k < first(link) + count(link); ++k) {
      if (std::isfinite(x[k])) continue;
      throw Error("argument '" + std::string(argument) + "': entry " + std::to_string(k) + " (joint '" +
                  model.joint_name(i) + "') is not a finite number");
    }
  }
}

}  // namespace

Simulator::Parts::Parts(const Model& model_in, std::span<const Constraint> constraints_in,
                        const SimulationOptions& options_in, std::vector<Actuator> actuators_in)
    : options(valid(options_in)),
      model(model_in),
      scene(copy(constraints_in)),
      actuators(valid(model, std::move(actuators_in))),
      exact(model, scene, actuators, options, LimitedMotors::kRows),
      flight(model, options.dt),
      world(model, options.collision),
      problem(model, options, exact.constraints.capacity(), exact.constraints.lasting_rows()),
      kin(model),
      vel(model),
      mean_vel_(model) {
  if (!exact.constraints.drives().empty())
    shorter = std::make_unique<StepMechanism>(model, scene, actuators, options, LimitedMotors::kInertia);
  const auto nv = static_cast<std::size_t>(model.nv());
  state.q = model.neutral();
  next_q_ = state.q;
  for (std::vector<double>* x :
       {&state.v, &state.forces, &tau_, &free_, &struck_v_, &mean_v_, &next_v_, &displacement_})
    x->resize(nv);
  for (std::vector<double>* x : {&state.control, &state.target_velocity, &efforts}) x->resize(actuators.size());
  state.joints.resize(static_cast<std::size_t>(exact.constraints.lasting_rows()));
  state.limits.resize(exact.constraints.limits().size());
  const auto room = static_cast<std::size_t>(options.collision.capacity);
  state.contacts.reserve(room);
  contacts.reserve(room);
  near_.reserve(room);
  for (std::vector<double>* x : {&lambda_, &known_, &mobility_, &position_, &motor_impulses_, &start_})
    x->reserve(problem.capacity());
  hold_position();
}

void Simulator::Parts::hold_position() {
  for (std::size_t k = 0; k < actuators.size(); ++k) {
    const Drive& d = exact.laws.drives()[k];
    state.control[k] = d.kind == ActuatorKind::kPosition ? state.q[static_cast<std::size_t>(d.q)] : 0;
  }
}

void Simulator::Parts::set_state(VectorView<const double> q, VectorView<const double> v, double time) {
  require_size("q", q.size(), model.nq());
  require_size("v", v.size(), model.nv());
  const auto nq = [](const Link& link) { return sizes_of(link.kind).nq; };
  const auto nv = [](const Link& link) { return int{link.nv}; };
  require_finite_state(
      model, "q", q, [](const Link& link) { return link.q; }, nq);
  require_finite_state(
      model, "v", v, [](const Link& link) { return link.v; }, nv);
  if (!std::isfinite(time)) throw Error("argument 'time' is not a finite number");
  SimulationState before = state;
  std::copy_n(q.data(), q.size(), next_q_.begin());
  normalise(model, next_q_);
  state.q = next_q_;
  std::copy_n(v.data(), v.size(), state.v.begin());
  state.start_time = time;
  state.steps = state.inexact_steps = 0;
  state.contacts.clear();
  std::ranges::fill(state.joints, 0.0);
  std::ranges::fill(state.limits, 0.0);
  state.penalty = 0;
  state.checked = false;
  fresh_ = false;
  report = {};
  contacts.clear();
  std::ranges::fill(efforts, 0.0);
  StepStatus status = find_contacts();
  if (status.ok()) status = check_start();
  const std::string text = status.ok() ? "" : describe(status);
  if (!status.ok()) {
    restore(before);
    throw Error(text);
  }
  state.checked = true;
}

/// Models that nobody shares, so that their numbers may change.
void Simulator::Parts::own_models() {
  if (own_models_) return;
  own_models_ = true;
  for (const Link& link : model.links()) inertias_.push_back(link.inertia);
  model = make_own(model);
  for (StepMechanism* mechanism : {&exact, shorter.get()}) {
    if (mechanism == nullptr) continue;
    mechanism->effective = make_own(mechanism->effective);
    mechanism->laws.take_model(model);
  }
}

void Simulator::Parts::set_values(const SimulationValues& values) {
  own_models();
  const auto require = [](const char* what, std::size_t size, std::size_t expected) {
    if (size > 0) require_size(what, static_cast<int>(size), static_cast<int>(expected));
  };
  require("inertias", values.inertias.size(), inertias_.size());
  for (const auto* x : {&values.kp, &values.kd, &values.effort_limit}) require("gains", x->size(), actuators.size());
  const std::span<const RigidInertia<double>> inertias = values.inertias.empty() ? inertias_ : values.inertias;
  Vec3<double> gravity = given_gravity_;
  if (values.gravity != nullptr) std::copy_n(values.gravity, 3, gravity.a);
  set_own_values(model, inertias, {}, gravity);
  for (StepMechanism* mechanism : {&exact, shorter.get()}) {
    if (mechanism == nullptr) continue;
    for (std::size_t k = 0; k < actuators.size(); ++k) {
      const Actuator& a = actuators[k];
      mechanism->laws.set_gains(k, values.kp.empty() ? a.kp : values.kp[k], values.kd.empty() ? a.kd : values.kd[k],
                                values.effort_limit.empty() ? a.effort_limit : values.effort_limit[k]);
    }
    mechanism->constraints.take_motor_limits(mechanism->laws);
    mechanism->laws.find_armature(displacement_);
    set_own_values(mechanism->effective, inertias, displacement_, gravity);
  }
  flight = FreeFlight(model, options.dt);
  world.set_sliding_friction(values.friction);
  fresh_ = false;
}

void Simulator::Parts::restore(const SimulationState& other) {
  const auto require = [](std::string_view what, std::size_t size, std::size_t expected) {
    require_size(what, static_cast<int>(size), static_cast<int>(expected));
  };
  require("state.q", other.q.size(), state.q.size());
  require("state.v", other.v.size(), state.v.size());
  require("state.control", other.control.size(), state.control.size());
  require("state.target_velocity", other.target_velocity.size(), state.target_velocity.size());
  require("state.forces", other.forces.size(), state.forces.size());
  require("state.joints", other.joints.size(), state.joints.size());
  require("state.limits", other.limits.size(), state.limits.size());
  if (static_cast<int>(other.contacts.size()) > options.collision.capacity) {
    throw Error("argument 'state' has " + std::to_string(other.contacts.size()) +
                " contacts: more than the option 'collision.capacity' allows");
  }
  for (const std::vector<double>* x : {&other.q, &other.v, &other.joints, &other.limits}) {
    if (!std::ranges::all_of(*x, [](double value) { return std::isfinite(value); })) {
      throw Error("argument 'state' has numbers that are not finite among q, v or impulses");
    }
  }
  if (!std::isfinite(other.start_time) || !std::isfinite(other.penalty) || other.penalty < 0 || other.steps < 0) {
    throw Error("argument 'state' has a time, a number of steps or a penalty that makes no sense");
  }
  if (!std::ranges::is_sorted(other.contacts, {}, &SimulationState::Impulse::key)) {
    throw Error("argument 'state' has contacts that are not sorted by key");
  }
  state = other;
  fresh_ = false;
  report = {};
  contacts.clear();
}

// ------------------------------------------------------------------------------------------------ what users see

Simulator::Simulator(const Model& model, std::span<const Constraint> constraints, const SimulationOptions& options,
                     std::vector<Actuator> actuators)
    : parts_(std::make_unique<Parts>(model, constraints, options, std::move(actuators))) {}
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;
Simulator::~Simulator() = default;

const Model& Simulator::model() const { return parts_->model; }
const SimulationOptions& Simulator::options() const { return parts_->options; }
const CollisionWorld& Simulator::collision() const { return parts_->world; }
const std::vector<Actuator>& Simulator::actuators() const { return parts_->actuators; }
const std::vector<double>& Simulator::q() const { return parts_->state.q; }
const std::vector<double>& Simulator::v() const { return parts_->state.v; }
std::int64_t Simulator::steps() const { return parts_->state.steps; }
std::int64_t Simulator::inexact_steps() const { return parts_->state.inexact_steps; }
std::span<double> Simulator::control() { return parts_->state.control; }
std::span<double> Simulator::target_velocity() { return parts_->state.target_velocity; }
std::span<double> Simulator::forces() { return parts_->state.forces; }
const StepReport& Simulator::report() const { return parts_->report; }
std::span<const ContactState> Simulator::contacts() const { return parts_->contacts; }
std::span<const Constraint> Simulator::constraints() const { return parts_->now->constraints.all(); }
std::span<const double> Simulator::efforts() const { return parts_->efforts; }

double Simulator::time() const {
  return parts_->state.start_time + static_cast<double>(parts_->state.steps) * parts_->options.dt;
}

void Simulator::set_actuators(std::vector<Actuator> actuators) {
  auto parts = std::make_unique<Parts>(parts_->model, parts_->scene, parts_->options, std::move(actuators));
  const SimulationState& old = parts_->state;
  SimulationState next = parts->state;
  next.q = old.q;
  next.v = old.v;
  next.forces = old.forces;
  next.start_time = old.start_time;
  next.steps = old.steps;
  next.inexact_steps = old.inexact_steps;
  next.contacts = old.contacts;
  next.checked = old.checked;
  parts->restore(next);
  parts->hold_position();
  parts->observer = std::move(parts_->observer);
  parts_ = std::move(parts);
}

void Simulator::set_values(const SimulationValues& values) { parts_->set_values(values); }

void Simulator::observe_solves(std::function<void(const SolvedProblem&)> observer) {
  parts_->observer = std::move(observer);
}

void Simulator::set_state(VectorView<const double> q, VectorView<const double> v, double time) {
  parts_->set_state(q, v, time);
}

StepStatus Simulator::step() { return parts_->step(); }

StepStatus Simulator::advance(int count) {
  StepStatus status;
  for (int k = 0; k < count && status.ok(); ++k) status = step();
  return status;
}

std::string Simulator::describe(const StepStatus& status) const { return parts_->describe(status); }

double Simulator::kinetic_energy() { return parts_->energies().kinetic; }
double Simulator::potential_energy() { return parts_->energies().potential; }

SimulationState Simulator::save() const { return parts_->state; }
void Simulator::save(SimulationState& out) const { out = parts_->state; }
void Simulator::restore(const SimulationState& state) { parts_->restore(state); }

}  // namespace delassus
