#include "delassus/batch/batch_simulator.hpp"

#include <algorithm>
#include <string>

#include "batch/batch_simulator_parts.hpp"
#include "delassus/math/scalars.hpp"

namespace delassus {
namespace {

BatchView<double> view(RowsOf<double>& rows, int size) { return {rows.values().data(), size, rows.width()}; }
BatchView<const double> view(const RowsOf<double>& rows, int size) {
  return {rows.values().data(), size, rows.width()};
}

/// The same row for all.
BatchView<const double> same_for_all(const std::vector<double>& values, int size) {
  return {values.data(), size, static_cast<int>(values.size()), 0, 1};
}

std::vector<double> row_of(const BatchView<const double>& from, int e) {
  std::vector<double> out(static_cast<std::size_t>(from.components()));
  for (int c = 0; c < from.components(); ++c) out[static_cast<std::size_t>(c)] = from(e, c);
  return out;
}

/// For shapes and materials alone: contacts are found by those who step.
CollisionOptions without_contacts(CollisionOptions options) {
  options.capacity = 0;
  return options;
}

}  // namespace

BatchSimulator::Parts::Parts(const SimulationSetup& given, int size, const BatchSimulatorOptions& options)
    : setup(given),
      threads(options.threads),
      world(setup.model, without_contacts(setup.options.collision)),
      plan(setup.model, setup.constraints, setup.options, setup.actuators, world),
      all(setup.model, require_count(size), setup.actuators,
          plan.reason.empty() && options.lanes ? plan.num_slots() : 0),
      motors(setup.actuators, options.motors, setup.options.dt, size),
      messages(static_cast<std::size_t>(size)),
      full_(static_cast<std::size_t>(threads.count())),
      places_(static_cast<std::size_t>(threads.count())) {
  if (!options.lanes && plan.reason.empty()) plan.reason = "the option 'lanes' is off";
#if DELASSUS_HAS_ALL_SCALARS
  for (int k = 0; k < threads.count() && plan.reason.empty(); ++k) steppers_.push_back(make_lane_stepper(plan));
  if (!steppers_.empty()) width_ = steppers_[0]->width();
#else
  if (plan.reason.empty()) plan.reason = "the library was built without packs (DELASSUS_SCALARS)";
#endif
  if (motors.has_curves()) all.own.effort_limit = RowsOf<double>(size, num_actuators());
  std::vector<int> everyone = chosen({});
  reset(everyone, same_for_all(setup.q, size), same_for_all(setup.v, size), 0);
}

std::vector<int> BatchSimulator::Parts::chosen(std::span<const std::uint8_t> flags) const {
  if (!flags.empty() && static_cast<int>(flags.size()) != size())
    throw Error("argument 'flags' has " + std::to_string(flags.size()) + " entries, and there are " +
                std::to_string(size()) + " environments");
  std::vector<int> out;
  for (int e = 0; e < size(); ++e) {
    if (flags.empty() || flags[static_cast<std::size_t>(e)] != 0) out.push_back(e);
  }
  return out;
}

FullStepper& BatchSimulator::Parts::full(int thread) {
  auto& here = full_[static_cast<std::size_t>(thread)];
  if (!here) here = std::make_unique<FullStepper>(setup);
  return *here;
}

/// All are looked at before one is changed. Where all rows are one, it is looked at once.
void BatchSimulator::Parts::reset(std::span<const int> environments, const BatchView<const double>& q,
                                  const BatchView<const double>& v, double time) {
  require_shape("q", q, size(), model().nq(), "nq coordinates each");
  require_shape("v", v, size(), model().nv(), "one number per degree of freedom");
  const bool alike = q.environment_stride() == 0 && v.environment_stride() == 0;
  const std::span<const int> looked_at =
      alike ? environments.first(std::min<std::size_t>(environments.size(), 1)) : environments;
  std::vector<std::string> errors(looked_at.size());
  std::vector<std::vector<double>> normal(looked_at.size());
  threads.for_each(static_cast<int>(looked_at.size()), 8, [&](int thread, int k) {
    const auto at = static_cast<std::size_t>(k);
    try {
      full(thread).check(row_of(q, looked_at[at]), row_of(v, looked_at[at]), time);
      normal[at] = full(thread).checked_q();
    } catch (const Error& error) {
      errors[at] = error.what();
    }
  });
  for (std::size_t k = 0; k < errors.size(); ++k) {
    if (!errors[k].empty()) throw Error("environment " + std::to_string(looked_at[k]) + ": " + errors[k]);
  }
  for (std::size_t k = 0; k < environments.size(); ++k) {
    const int e = environments[k];
    const auto at = static_cast<std::size_t>(e);
    std::ranges::copy(normal[alike ? 0 : k], all.q.row(e));
    std::ranges::copy(row_of(v, e), all.v.row(e));
    all.start_time[at] = time;
    all.steps[at] = all.inexact_steps[at] = 0;
    all.checked[at] = 1;
    all.last[at] = {};
    messages[at].clear();
    all.forget_impulses(e);
    for (RowsOf<double>* x : {&all.efforts, &all.contact_force, &all.touching, &all.target_velocity})
      std::ranges::fill(x->of(e), 0.0);
    std::ranges::copy(setup.forces, all.forces.row(e));
    for (std::size_t a = 0; a < plan.drives.size(); ++a) {
      const LaneDrive& d = plan.drives[a];
      motors.commands.row(e)[a] = d.kind == ActuatorKind::kPosition ? all.q.row(e)[d.q] : 0;
    }
    motors.begin(e);
    if (watched >= 0) std::ranges::fill(watched_acceleration.of(e), 0.0);
  }
}

void BatchSimulator::Parts::step_alone(int thread, int e, int count) {
  FullStepper& stepper = full(thread);
  std::string& message = messages[static_cast<std::size_t>(e)];
  for (int k = 0; k < count; ++k) {
    motors.act(e, all);
    if (k == 0 || motors.has_curves()) stepper.begin(e, all);
    if (!stepper.step(all, message)) return;
    motors.move_on(e, all);
  }
}

/// Lanes that leave are stepped alone, and come back.
void BatchSimulator::Parts::step_block(int thread, int block, int count) {
  LaneStepper& stepper = *steppers_[static_cast<std::size_t>(thread)];
  std::int32_t environment[32];
  const int first = block * width_, lanes = std::min(width_, size() - first);
  LaneBits alive = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    environment[lane] = first + lane;
    alive |= LaneBits(1) << lane;
  }
  bool taken = false;
  for (int k = 0; k < count && alive != 0; ++k) {
    for (int lane = 0; lane < lanes; ++lane) {
      if (has_lane(alive, lane)) motors.act(environment[lane], all);
    }
    if (!taken) stepper.begin(environment, lanes, all);
    const LaneBits left = stepper.step(alive, all);
    taken = left == 0;
    for (int lane = 0; lane < lanes; ++lane) {
      const int e = environment[lane];
      if (has_lane(left, lane)) {
        full(thread).begin(e, all);
        if (!full(thread).step(all, messages[static_cast<std::size_t>(e)])) alive &= ~(LaneBits(1) << lane);
      }
      if (has_lane(alive, lane)) motors.move_on(e, all);
    }
  }
}

void BatchSimulator::Parts::step_all(int count) {
  if (steppers_.empty()) {
    threads.for_each(size(), 1, [&](int thread, int e) { step_alone(thread, e, count); });
  } else {
    const int blocks = (size() + width_ - 1) / width_;
    threads.for_each(blocks, 1, [&](int thread, int block) { step_block(thread, block, count); });
  }
}

/// An environment whose step failed fails again in the next round: its state and inputs are what they were.
int BatchSimulator::Parts::step(int count, int every, const std::function<void()>& look) {
  for (std::string& message : messages) message.clear();
  const double seconds = count * setup.options.dt;
  if (watched >= 0 && count > 0) threads.for_each(size(), 8, [&](int thread, int e) { watch(thread, e, 0); });
  for (int done = 0; done < count; done += every) {
    step_all(std::min(every, count - done));
    if (look) look();
  }
  if (watched >= 0 && count > 0) threads.for_each(size(), 8, [&](int thread, int e) { watch(thread, e, seconds); });
  if (count == 0) return 0;
  return static_cast<int>(std::ranges::count_if(all.last, [](const StepSummary& s) { return !s.status.ok(); }));
}

std::size_t BatchSimulator::Parts::bytes() const {
  std::size_t sum = sizeof(*this);
  for (const RowsOf<double>* x : {&all.q,
                                  &all.v,
                                  &all.control,
                                  &all.target_velocity,
                                  &all.forces,
                                  &all.efforts,
                                  &all.contact_force,
                                  &all.touching,
                                  &all.slot_impulse,
                                  &all.joint_impulse,
                                  &all.own.inertia,
                                  &all.own.gravity,
                                  &all.own.friction,
                                  &all.own.kp,
                                  &all.own.kd,
                                  &all.own.effort_limit,
                                  &mass_scale,
                                  &inertia_scale,
                                  &com_offset,
                                  &watched_velocity,
                                  &watched_acceleration})
    sum += x->values().size() * sizeof(double);
  sum += all.slot_tick.values().size() * sizeof(std::int32_t);
  for (const FullStart& start : all.full) {
    sum += sizeof(start) + start.contacts.size() * sizeof(start.contacts[0]) +
           (start.joints.size() + start.limits.size()) * sizeof(double);
  }
  return sum + motors.bytes() + all.last.size() * sizeof(StepSummary);
}

// ------------------------------------------------------------------------------------------------ what users see

BatchSimulator::BatchSimulator(const SimulationSetup& setup, int size, const BatchSimulatorOptions& options)
    : parts_(std::make_unique<Parts>(setup, size, options)) {}
BatchSimulator::BatchSimulator(BatchSimulator&&) noexcept = default;
BatchSimulator& BatchSimulator::operator=(BatchSimulator&&) noexcept = default;
BatchSimulator::~BatchSimulator() = default;

const Model& BatchSimulator::model() const { return parts_->model(); }
const SimulationOptions& BatchSimulator::options() const { return parts_->setup.options; }
std::span<const Actuator> BatchSimulator::actuators() const { return parts_->setup.actuators; }
int BatchSimulator::size() const { return parts_->size(); }
int BatchSimulator::threads() const { return parts_->threads.count(); }
int BatchSimulator::lanes() const { return parts_->width(); }
const std::string& BatchSimulator::lanes_refused() const { return parts_->plan.reason; }
std::size_t BatchSimulator::bytes() const { return parts_->bytes(); }

BatchView<const double> BatchSimulator::q() const { return view(std::as_const(parts_->all.q), size()); }
BatchView<const double> BatchSimulator::v() const { return view(std::as_const(parts_->all.v), size()); }
BatchView<double> BatchSimulator::control() { return view(parts_->motors.commands, size()); }
BatchView<double> BatchSimulator::target_velocity() { return view(parts_->all.target_velocity, size()); }
BatchView<double> BatchSimulator::forces() { return view(parts_->all.forces, size()); }
BatchView<const double> BatchSimulator::efforts() const { return view(std::as_const(parts_->all.efforts), size()); }
BatchView<const double> BatchSimulator::contact_force() const {
  return view(std::as_const(parts_->all.contact_force), size());
}
BatchView<const double> BatchSimulator::in_contact() const { return view(std::as_const(parts_->all.touching), size()); }
std::span<const StepSummary> BatchSimulator::summaries() const { return parts_->all.last; }

std::vector<double> BatchSimulator::times() const {
  std::vector<double> out(static_cast<std::size_t>(size()));
  for (std::size_t e = 0; e < out.size(); ++e)
    out[e] = parts_->all.start_time[e] + static_cast<double>(parts_->all.steps[e]) * options().dt;
  return out;
}

std::int64_t BatchSimulator::inexact_steps(int environment) const {
  require_environment(environment, size());
  return parts_->all.inexact_steps[static_cast<std::size_t>(environment)];
}

const std::string& BatchSimulator::message(int environment) const {
  require_environment(environment, size());
  return parts_->messages[static_cast<std::size_t>(environment)];
}

void BatchSimulator::reset(std::span<const std::uint8_t> flags, BatchView<const double> q, BatchView<const double> v,
                           double time) {
  parts_->reset(parts_->chosen(flags), q, v, time);
}

void BatchSimulator::reset(std::span<const std::uint8_t> flags, double time) {
  reset(flags, same_for_all(parts_->setup.q, size()), same_for_all(parts_->setup.v, size()), time);
}

void BatchSimulator::set_parameters(std::span<const std::uint8_t> flags, const BatchParameters& parameters) {
  parts_->set_parameters(parts_->chosen(flags), parameters);
}

int BatchSimulator::step(int count) {
  if (count < 0) throw Error("argument 'count' is negative; give a number of steps");
  return parts_->step(count, std::max(count, 1), {});
}

int BatchSimulator::step(int count, int every, const std::function<void()>& look) {
  if (count < 0) throw Error("argument 'count' is negative; give a number of steps");
  if (every < 1) throw Error("argument 'every' is " + std::to_string(every) + "; give one or more steps");
  return parts_->step(count, every, look);
}

EnvironmentState BatchSimulator::save(int environment) const {
  require_environment(environment, size());
  const BatchEnvironments& all = parts_->all;
  const auto e = static_cast<std::size_t>(environment);
  const auto copied = [&](const RowsOf<double>& rows) {
    return std::vector<double>(rows.of(environment).begin(), rows.of(environment).end());
  };
  EnvironmentState out;
  SimulationState& s = out.simulation;
  s.q = copied(all.q);
  s.v = copied(all.v);
  s.start_time = all.start_time[e];
  s.steps = all.steps[e];
  s.inexact_steps = all.inexact_steps[e];
  s.control = copied(parts_->motors.commands);
  s.target_velocity = copied(all.target_velocity);
  s.forces = copied(all.forces);
  s.contacts = all.full[e].contacts;
  s.joints = all.full[e].joints;
  s.limits = all.full[e].limits;
  s.penalty = all.full[e].penalty;
  s.checked = all.checked[e] != 0;
  for (int slot = 0; slot < all.slot_tick.width(); ++slot) {
    if (all.slot_tick.row(environment)[slot] != all.tick[e]) continue;
    out.slots.push_back(slot);
    const double* from = all.slot_impulse.row(environment) + 3 * slot;
    out.slot_impulses.insert(out.slot_impulses.end(), from, from + 3);
  }
  out.joint_impulses = copied(all.joint_impulse);
  out.efforts = copied(all.efforts);
  out.commands = parts_->motors.save_commands(environment);
  out.lagged = parts_->motors.save_lagged(environment);
  return out;
}

void BatchSimulator::restore(int environment, const EnvironmentState& state) {
  require_environment(environment, size());
  BatchEnvironments& all = parts_->all;
  const auto e = static_cast<std::size_t>(environment);
  const SimulationState& s = state.simulation;
  const auto require = [](std::string_view what, const std::vector<double>& x, const RowsOf<double>& rows) {
    require_size(what, static_cast<int>(x.size()), rows.width());
    if (!std::ranges::all_of(x, [](double value) { return std::isfinite(value); }))
      throw Error("argument 'state' has numbers that are not finite in " + std::string(what));
  };
  require("state.simulation.q", s.q, all.q);
  require("state.simulation.v", s.v, all.v);
  require("state.simulation.control", s.control, all.control);
  require("state.simulation.target_velocity", s.target_velocity, all.target_velocity);
  require("state.simulation.forces", s.forces, all.forces);
  require("state.joint_impulses", state.joint_impulses, all.joint_impulse);
  require("state.efforts", state.efforts, all.efforts);
  const bool slots = state.slot_impulses.size() == 3 * state.slots.size() &&
                     std::ranges::all_of(state.slots, [&](int k) { return k >= 0 && k < all.slot_tick.width(); });
  if (!slots || s.steps < 0 || !parts_->motors.restore(environment, state.commands, state.lagged))
    throw Error("argument 'state' is that of another batch");
  all.forget_impulses(environment);
  std::ranges::copy(s.q, all.q.row(environment));
  std::ranges::copy(s.v, all.v.row(environment));
  std::ranges::copy(s.target_velocity, all.target_velocity.row(environment));
  std::ranges::copy(s.forces, all.forces.row(environment));
  std::ranges::copy(s.control, parts_->motors.commands.row(environment));
  all.start_time[e] = s.start_time;
  all.steps[e] = s.steps;
  all.inexact_steps[e] = s.inexact_steps;
  all.checked[e] = static_cast<char>(s.checked);
  all.full[e] = {s.contacts, s.joints, s.limits, s.penalty};
  std::ranges::copy(state.joint_impulses, all.joint_impulse.row(environment));
  std::ranges::copy(state.efforts, all.efforts.row(environment));
  for (std::size_t k = 0; k < state.slots.size(); ++k) {
    all.slot_tick.row(environment)[state.slots[k]] = all.tick[e];
    std::copy_n(state.slot_impulses.begin() + static_cast<std::ptrdiff_t>(3 * k), 3,
                all.slot_impulse.row(environment) + 3 * state.slots[k]);
  }
  all.last[e] = {};
  parts_->messages[e].clear();
}

}  // namespace delassus
