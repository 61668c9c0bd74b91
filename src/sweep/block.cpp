#include "sweep/block.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "delassus/math/rotation.hpp"
#include "simulation/body_push.hpp"

namespace delassus {
namespace {

using K = Effect::Kind;
using Parts = ParameterSweep::Parts;

constexpr double kNever = std::numeric_limits<double>::quiet_NaN();
/// Environments of a batch: all lanes of a vector, and little enough to stay in a cache.
constexpr std::size_t kTogether = 128;
constexpr std::array kOfSimulator{K::kDt, K::kTolerance, K::kMaxIterations, K::kRestitution};

/// Values of the parameters that belong to the simulator: cases that share them may share a batch.
using Key = std::array<double, kOfSimulator.size()>;

Key key_of(const SimulationOptions& o) {
  return {o.dt, o.tolerance, static_cast<double>(o.max_iterations), o.restitution};
}

void set_options(const Key& key, SimulationOptions& o) {
  o.dt = key[0];
  o.tolerance = key[1];
  o.max_iterations = static_cast<int>(key[2]);
  o.restitution = key[3];
}

/// Rows of numbers, one row for each environment, that begin with the same numbers.
class Rows {
 public:
  Rows(int size, const std::vector<double>& usual) : width_(static_cast<int>(usual.size())), size_(size) {
    for (int e = 0; e < size; ++e) values_.insert(values_.end(), usual.begin(), usual.end());
  }
  double* row(int e) { return values_.data() + static_cast<std::ptrdiff_t>(e) * width_; }
  BatchView<const double> view() const { return {values_.data(), size_, width_}; }

 private:
  int width_, size_;
  std::vector<double> values_;
};

/// What a chunk of cases is given, as the batch takes it.
struct Inputs {
  Inputs(const Parts& sweep, int size);

  void take(const SweepParameter& p, int e, double value);
  /// After all were taken: turns and lifts what floats.
  void place(int e);
  /// Only what the sweep has parameters for.
  BatchParameters parameters() const;

  const Parts& sweep;
  const SimulationSetup& setup;
  Rows q, v, friction, mass_scale, inertia_scale, com_offset, kp, kd, effort_limit, latency, gravity;
  std::vector<SweepPush> pushes;
  struct Place {
    Vec3<double> angles{};
    double height = 0;
  };
  std::vector<Place> places;
  struct Target {
    int environment, motor;
    double value;
  };
  std::vector<Target> targets;
};

std::vector<double> of_actuators(const SimulationSetup& setup, double Actuator::*member) {
  std::vector<double> out;
  for (const Actuator& a : setup.actuators) out.push_back(a.*member);
  return out;
}

Inputs::Inputs(const Parts& s, int size)
    : sweep(s),
      setup(*s.setup),
      q(size, setup.q),
      v(size, setup.v),
      friction(size, {0}),
      mass_scale(size, std::vector<double>(setup.model.description().bodies.size(), 1)),
      inertia_scale(size, std::vector<double>(setup.model.description().bodies.size(), 1)),
      com_offset(size, std::vector<double>(3 * setup.model.description().bodies.size(), 0)),
      kp(size, of_actuators(setup, &Actuator::kp)),
      kd(size, of_actuators(setup, &Actuator::kd)),
      effort_limit(size, of_actuators(setup, &Actuator::effort_limit)),
      latency(size, {0}),
      gravity(size, {setup.model.gravity()[0], setup.model.gravity()[1], setup.model.gravity()[2]}),
      pushes(static_cast<std::size_t>(size), s.push),
      places(static_cast<std::size_t>(size)) {}

/// About its own origin, in world axes: by the roll first, then by the pitch, then by the yaw.
void Inputs::place(int e) {
  const Place& p = places[static_cast<std::size_t>(e)];
  if (p.height == 0 && p.angles == Vec3<double>{}) return;
  Mat3<double> turned = Mat3<double>::identity();
  for (int axis = 0; axis < 3; ++axis) {
    Vec3<double> about{};
    about[axis] = p.angles[axis];
    turned = rotation_of(quaternion_exp(about)) * turned;
  }
  for (int i = 0; i < setup.model.num_links(); ++i) {
    const Link& link = setup.model.link(i);
    if (link.parent != kWorld || link.kind != JointKind::kFree) continue;
    double* at = q.row(e) + link.q;
    const Mat3<double>& R = link.placement.R;
    const Mat3<double> now = rotation_of(Quaternion<double>{{at[3], at[4], at[5], at[6]}});
    for (int c = 0; c < 3; ++c) at[c] += R(2, c) * p.height;
    if (p.angles == Vec3<double>{}) continue;  // a quaternion that comes back from a matrix is rounded
    std::copy_n(quaternion_of(transposed(R) * (turned * (R * now))).a, 4, at + 3);
  }
}

void Inputs::take(const SweepParameter& p, int e, double value) {
  const Effect& effect = p.effect;
  const auto one_or_all = [&](Rows& rows, int stride, int offset, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      if (effect.index < 0 || effect.index == static_cast<int>(k))
        rows.row(e)[stride * static_cast<int>(k) + offset] = value;
    }
  };
  const std::size_t bodies = setup.model.description().bodies.size(), motors = setup.actuators.size();
  SweepPush& push = pushes[static_cast<std::size_t>(e)];
  switch (effect.kind) {
    case K::kFriction:
      *friction.row(e) = value;
      return;
    case K::kMassScale:
      return one_or_all(mass_scale, 1, 0, bodies);
    case K::kInertiaScale:
      return one_or_all(inertia_scale, 1, 0, bodies);
    case K::kComOffset:
      return one_or_all(com_offset, 3, effect.axis, bodies);
    case K::kKp:
      return one_or_all(kp, 1, 0, motors);
    case K::kKd:
      return one_or_all(kd, 1, 0, motors);
    case K::kEffortLimit:
      return one_or_all(effort_limit, 1, 0, motors);
    case K::kLatency:
      *latency.row(e) = value;
      return;
    case K::kGravity:
      gravity.row(e)[effect.axis] = value;
      return;
    case K::kHeight:
      places[static_cast<std::size_t>(e)].height = value;
      return;
    case K::kTurn:
      places[static_cast<std::size_t>(e)].angles[effect.axis] = value;
      return;
    case K::kCoordinate:
      q.row(e)[effect.index] = value;
      return;
    case K::kVelocity:
      v.row(e)[effect.index] = value;
      return;
    case K::kTarget:
      targets.push_back({e, effect.index, value});
      return;
    case K::kPush:
      push.force[effect.axis] = value;
      return;
    case K::kPushStart:
      push.start = value;
      return;
    case K::kPushSeconds:
      push.seconds = value;
      return;
    default:  // of the simulator: the batch has it
      return;
  }
}

BatchParameters Inputs::parameters() const {
  const std::pair<K, const Rows*> known[] = {{K::kFriction, &friction},
                                             {K::kMassScale, &mass_scale},
                                             {K::kInertiaScale, &inertia_scale},
                                             {K::kComOffset, &com_offset},
                                             {K::kKp, &kp},
                                             {K::kKd, &kd},
                                             {K::kEffortLimit, &effort_limit},
                                             {K::kLatency, &latency},
                                             {K::kGravity, &gravity}};
  BatchParameters out;
  const std::array<BatchParameters::Rows*, 9> to{&out.friction,     &out.mass_scale, &out.inertia_scale,
                                                 &out.com_offset,   &out.kp,         &out.kd,
                                                 &out.effort_limit, &out.latency,    &out.gravity};
  for (std::size_t k = 0; k < to.size(); ++k) {
    const auto has = [&](const SweepParameter& p) { return p.effect.kind == known[k].first; };
    if (std::ranges::any_of(sweep.parameters, has)) *to[k] = known[k].second->view();
  }
  return out;
}

/// A chunk of cases in one batch.
class Chunk {
 public:
  Chunk(const Parts& sweep, BatchSimulator& batch, std::span<const std::int64_t> cases, SweepRows& rows)
      : sweep_(sweep),
        batch_(batch),
        cases_(cases),
        rows_(rows),
        inputs_(sweep, batch.size()),
        reader_(sweep.setup->model),
        kin_(sweep.setup->model),
        alive_(cases.size(), true),
        starts_(cases.size() * 3 * all_quantities().size()) {}

  void run(const std::function<bool()>& stop);
  /// Instead of it: rows of cases that cannot begin.
  void refuse(const std::string& reason);

 private:
  int size() const { return static_cast<int>(cases_.size()); }
  const SimulationOptions& options() const { return batch_.options(); }
  std::int64_t steps_in(double seconds) const {
    constexpr double kNeverEnds = 0x1p53;  // longer than any case; the sum of two is a number as well
    return std::llround(std::min(seconds / options().dt, kNeverEnds));
  }
  double* cell(std::size_t column, int e) {
    const std::int64_t row = cases_[static_cast<std::size_t>(e)] - rows_.range.first;
    return rows_.columns[column].data() + row * sweep_.columns[column].width();
  }
  /// All that are read, in the order of their columns.
  std::vector<const Quantity*> all_quantities() const;
  double* start_of(int e, std::size_t quantity) {
    return starts_.data() + 3 * (static_cast<std::size_t>(e) * quantities_.size() + quantity);
  }

  void begin();
  void give(int e);
  void set_up();
  void fail(int e, double status, const std::string& message);
  void fail_start(int e, const std::string& message) {
    fail(e, static_cast<double>(sweep_.status_words.size() - 1), message);
  }
  void begin_rows();

  bool pushes_now(std::int64_t step, int e) const;
  std::int64_t next_push(std::int64_t step) const;
  bool push(std::int64_t step);
  void advance(std::int64_t from, std::int64_t to);
  void note_failures();

  void look(int e, double time, bool at_start);
  void sample(int e, std::int64_t which);
  void finish(int e);

  const Parts& sweep_;
  BatchSimulator& batch_;
  const std::span<const std::int64_t> cases_;
  SweepRows& rows_;
  Inputs inputs_;
  QuantityReader reader_;
  Kinematics<double> kin_;
  std::vector<double> jacobian_;
  std::vector<bool> alive_;
  const std::vector<const Quantity*> quantities_ = all_quantities();
  std::vector<double> starts_;
  // Where the columns of each kind begin.
  const std::size_t final_ = sweep_columns::kResidual + 1 + sweep_.parameters.size();
  const std::size_t least_ = final_ + sweep_.final.size();
  const std::size_t most_ = least_ + sweep_.least.size();
  const std::size_t events_ = most_ + sweep_.most.size();
  const std::size_t trajectory_ = events_ + sweep_.events.size();
};

std::vector<const Quantity*> Chunk::all_quantities() const {
  std::vector<const Quantity*> out;
  for (const std::vector<Quantity>* part : {&sweep_.final, &sweep_.least, &sweep_.most}) {
    for (const Quantity& q : *part) out.push_back(&q);
  }
  for (const SweepEvent& e : sweep_.events) out.push_back(&e.quantity);
  for (const Quantity& q : sweep_.trajectory) out.push_back(&q);
  return out;
}

void Chunk::fail(int e, double status, const std::string& message) {
  alive_[static_cast<std::size_t>(e)] = false;
  *cell(sweep_columns::kStatus, e) = status;
  rows_.failures.push_back({cases_[static_cast<std::size_t>(e)], message});
}

/// Parameters into the inputs and into their columns. A value that makes no sense (a friction below zero, drawn from a normal law) is told of the case that drew it.
void Chunk::give(int e) {
  for (std::size_t k = 0; k < sweep_.parameters.size(); ++k) {
    const SweepParameter& p = sweep_.parameters[k];
    const double value = sweep_.value(p, cases_[static_cast<std::size_t>(e)]);
    *cell(sweep_columns::kResidual + 1 + k, e) = value;
    const std::string complaint = complaint_of(p.effect, value, sweep_.setup->seconds);
    if (complaint.empty()) {
      inputs_.take(p, e, value);
    } else if (alive_[static_cast<std::size_t>(e)]) {
      fail_start(e, fmt::format("parameter '{}' is {:.6g} and {}", p.name, value, complaint));
    }
  }
  inputs_.place(e);
}

/// What the batch says of an environment, without the number that it has there: another batch would give it another one.
std::string without_number(std::string text, int e) {
  const std::string number = "environment " + std::to_string(e);
  if (text.starts_with(number + ": ")) return text.substr(number.size() + 2);
  const std::size_t at = text.find(" of " + number);
  if (at != std::string::npos) text.erase(at, number.size() + 4);
  return text;
}

/// All at once; where something is wrong one by one, so that who is at fault fails alone.
void Chunk::set_up() {
  const BatchParameters parameters = inputs_.parameters();
  const auto begin_with = [&](std::span<const std::uint8_t> flags) {
    batch_.set_parameters(flags, parameters);
    batch_.reset(flags, inputs_.q.view(), inputs_.v.view());
  };
  try {
    return begin_with({});
  } catch (const Error&) {
  }
  for (int e = 0; e < size(); ++e) {
    std::vector<std::uint8_t> one(static_cast<std::size_t>(batch_.size()), 0);
    one[static_cast<std::size_t>(e)] = 1;
    try {
      begin_with(one);
    } catch (const Error& error) {
      if (alive_[static_cast<std::size_t>(e)]) fail_start(e, without_number(error.what(), e));
      batch_.reset(one);  // somewhere, for company
    }
  }
}

void Chunk::begin_rows() {
  for (int e = 0; e < size(); ++e) {
    *cell(sweep_columns::kCase, e) = static_cast<double>(cases_[static_cast<std::size_t>(e)]);
    for (std::size_t column = final_; column < sweep_.columns.size(); ++column)
      std::fill_n(cell(column, e), sweep_.columns[column].width(), kNever);
  }
}

void Chunk::begin() {
  begin_rows();
  for (int e = 0; e < size(); ++e) give(e);
  set_up();
  for (const Inputs::Target& t : inputs_.targets) batch_.control()(t.environment, t.motor) = t.value;
  for (int e = 0; e < size(); ++e) {
    reader_.look_at(batch_, e);
    for (std::size_t k = 0; k < quantities_.size(); ++k) reader_.remember(*quantities_[k], start_of(e, k));
  }
}

bool Chunk::pushes_now(std::int64_t step, int e) const {
  const SweepPush& p = inputs_.pushes[static_cast<std::size_t>(e)];
  const std::int64_t from = steps_in(p.start);
  return alive_[static_cast<std::size_t>(e)] && step >= from && step < from + steps_in(p.seconds);
}

/// The first step after this one in which a push begins.
std::int64_t Chunk::next_push(std::int64_t step) const {
  std::int64_t out = std::numeric_limits<std::int64_t>::max();
  for (const SweepPush& p : inputs_.pushes) {
    const std::int64_t from = steps_in(p.start);
    if (p.body >= 0 && from > step) out = std::min(out, from);
  }
  return out;
}

/// Forces along joints for one step; whether anybody is pushed. The force keeps its direction in the world while the body turns.
bool Chunk::push(std::int64_t step) {
  const SimulationSetup& setup = *sweep_.setup;
  if (sweep_.push.body < 0) return false;
  bool any = false;
  for (int e = 0; e < size(); ++e) {
    const std::span<double> forces(batch_.forces().at(e, 0), setup.forces.size());
    std::ranges::copy(setup.forces, forces.begin());
    if (!pushes_now(step, e)) continue;
    any = true;
    update_kinematics<double>(setup.model, VectorView<const double>(batch_.q().at(e, 0), setup.model.nq()), kin_);
    add_push(setup.model, kin_, {sweep_.push.body, {{}, inputs_.pushes[static_cast<std::size_t>(e)].force}}, forces,
             jacobian_);
  }
  return any;
}

void Chunk::advance(std::int64_t from, std::int64_t to) {
  while (from < to) {
    const std::int64_t next = push(from) ? from + 1 : std::min(to, next_push(from));
    batch_.step(static_cast<int>(next - from));
    note_failures();
    from = next;
  }
}

/// What failed is where it was after its last good step. It is put back to the start, where it troubles nobody, and no longer looked at.
void Chunk::note_failures() {
  for (int e = 0; e < size(); ++e) {
    const StepStatus& status = batch_.summaries()[static_cast<std::size_t>(e)].status;
    if (status.ok() || !alive_[static_cast<std::size_t>(e)]) continue;
    finish(e);
    fail(e, static_cast<double>(status.code), batch_.message(e));
    std::vector<std::uint8_t> one(static_cast<std::size_t>(batch_.size()), 0);
    one[static_cast<std::size_t>(e)] = 1;
    batch_.reset(one);
  }
}

/// Extremes and events.
void Chunk::look(int e, double time, bool at_start) {
  reader_.look_at(batch_, e);
  std::size_t at = sweep_.final.size();
  const auto read = [&](const Quantity& q) {
    double x = kNever;
    if (!(at_start && q.is_of_step())) reader_.read(q, start_of(e, at), &x);
    ++at;
    return x;
  };
  for (std::size_t k = 0; k < sweep_.least.size(); ++k) {
    double& to = *cell(least_ + k, e);
    to = std::fmin(to, read(sweep_.least[k]));
  }
  for (std::size_t k = 0; k < sweep_.most.size(); ++k) {
    double& to = *cell(most_ + k, e);
    to = std::fmax(to, read(sweep_.most[k]));
  }
  for (std::size_t k = 0; k < sweep_.events.size(); ++k) {
    const SweepEvent& event = sweep_.events[k];
    const double x = read(event.quantity);
    double& to = *cell(events_ + k, e);
    if (std::isnan(to) && (event.above ? x > event.threshold : x < event.threshold)) to = time;
  }
  double& residual = *cell(sweep_columns::kResidual, e);
  if (!at_start) residual = std::fmax(residual, batch_.summaries()[static_cast<std::size_t>(e)].residual);
}

void Chunk::sample(int e, std::int64_t which) {
  reader_.look_at(batch_, e);
  const std::size_t first = quantities_.size() - sweep_.trajectory.size();
  for (std::size_t k = 0; k < sweep_.trajectory.size(); ++k) {
    const Quantity& q = sweep_.trajectory[k];
    reader_.read(q, start_of(e, first + k), cell(trajectory_ + k, e) + which * q.column.width());
  }
}

void Chunk::finish(int e) {
  reader_.look_at(batch_, e);
  for (std::size_t k = 0; k < sweep_.final.size(); ++k)
    reader_.read(sweep_.final[k], start_of(e, k), cell(final_ + k, e));
  const double time = batch_.times()[static_cast<std::size_t>(e)];
  *cell(sweep_columns::kTime, e) = time;
  *cell(sweep_columns::kSteps, e) = std::round(time / options().dt);
  *cell(sweep_columns::kInexact, e) = static_cast<double>(batch_.inexact_steps(e));
}

void Chunk::run(const std::function<bool()>& stop) {
  begin();
  const auto for_alive = [&](auto&& act) {
    for (int e = 0; e < size(); ++e) {
      if (alive_[static_cast<std::size_t>(e)]) act(e);
    }
  };
  const std::int64_t end = std::max<std::int64_t>(steps_in(sweep_.setup->seconds), 1);
  const std::int64_t every = std::clamp<std::int64_t>(steps_in(sweep_.sample), 1, end);
  const std::int64_t samples = sweep_.trajectory.empty() ? 0 : sweep_.samples();
  const auto step_of = [&](std::int64_t k) { return std::min(steps_in(static_cast<double>(k) / sweep_.rate), end); };
  std::int64_t next_sample = 0;
  for (std::int64_t step = 0;;) {
    if (step % every == 0 || step == end) {
      for_alive([&](int e) { look(e, static_cast<double>(step) * options().dt, step == 0); });
    }
    for (; next_sample < samples && step_of(next_sample) == step; ++next_sample)
      for_alive([&](int e) { sample(e, next_sample); });
    if (step == end) break;
    if (stop && stop()) throw SweepStopped();
    std::int64_t next = std::min(step - step % every + every, end);
    if (next_sample < samples) next = std::min(next, step_of(next_sample));
    advance(step, next);
    step = next;
  }
  for_alive([&](int e) { finish(e); });
}

void Chunk::refuse(const std::string& reason) {
  begin_rows();
  for (int e = 0; e < size(); ++e) {
    give(e);
    if (alive_[static_cast<std::size_t>(e)]) fail_start(e, reason);
  }
}

/// Batches that are kept from chunk to chunk: a new one takes as long as some hundred steps.
class Batches {
 public:
  explicit Batches(const Parts& sweep) : sweep_(sweep) {}

  /// Options that do not go together, such as restitution with soft contacts: a reason, and a batch of the setup as it stands.
  BatchSimulator& get(const Key& key, int size, std::string& reason) {
    try {
      return get(key, size);
    } catch (const Error& error) {
      reason = error.what();
      return get(key_of(sweep_.setup->options), size);
    }
  }

 private:
  BatchSimulator& get(const Key& key, int size) {
    if (!batch_ || key_ != key || batch_->size() != size) {
      SimulationSetup setup = *sweep_.setup;
      set_options(key, setup.options);
      batch_ =
          std::make_unique<BatchSimulator>(setup, size, BatchSimulatorOptions{.threads = 1, .motors = sweep_.motors});
      key_ = key;
    }
    return *batch_;
  }

  const Parts& sweep_;
  std::unique_ptr<BatchSimulator> batch_;
  Key key_{};
};

/// What options do to a case that has others: those of the setup, with its own parameters. Values that make no sense are left as they are in the setup; Chunk::give fails the case.
Key key_of(const Parts& sweep, std::int64_t index) {
  Key out = key_of(sweep.setup->options);
  for (const SweepParameter& p : sweep.parameters) {
    if (!p.effect.is_of_simulator()) continue;
    const double value = sweep.value(p, index);
    const auto at = static_cast<std::size_t>(std::ranges::find(kOfSimulator, p.effect.kind) - kOfSimulator.begin());
    if (complaint_of(p.effect, value, sweep.setup->seconds).empty()) out[at] = value;
  }
  return out;
}

}  // namespace

SweepRows run_cases(const Parts& sweep, SweepRange range, const std::function<bool()>& stop) {
  SweepRows out{range, {}, {}};
  for (const SweepColumn& c : sweep.columns)
    out.columns.emplace_back(static_cast<std::size_t>(range.size() * c.width()), 0.0);
  std::map<Key, std::vector<std::int64_t>> groups;
  for (std::int64_t i = range.first; i < range.end; ++i) groups[key_of(sweep, i)].push_back(i);
  Batches batches(sweep);
  for (const auto& [key, cases] : groups) {
    for (std::size_t first = 0; first < cases.size(); first += kTogether) {
      const std::span<const std::int64_t> chunk =
          std::span(cases).subspan(first, std::min(kTogether, cases.size() - first));
      std::string reason;
      BatchSimulator& batch = batches.get(key, static_cast<int>(chunk.size()), reason);
      Chunk together(sweep, batch, chunk, out);
      if (reason.empty()) {
        together.run(stop);
      } else {
        together.refuse(reason);
      }
    }
  }
  std::ranges::sort(out.failures, {}, &SweepFailure::index);
  return out;
}

}  // namespace delassus
