#include "batch/batch_motors.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace delassus {
namespace {

constexpr int kLongest = 1000;  // steps that a command may be on its way

int steps_of(double seconds, double dt) { return static_cast<int>(std::lround(seconds / dt)); }

void require_delay(const std::string& what, double seconds, double dt) {
  if (seconds >= 0 && seconds <= kLongest * dt) return;
  throw Error(what + " is " + std::to_string(seconds) + " s; give zero or more, and at most " +
              std::to_string(kLongest) + " steps (" + std::to_string(kLongest * dt) + " s)");
}

void require_valid(std::size_t k, const Actuator& a, const MotorModel& m, double dt) {
  const std::string who = "motor model " + std::to_string(k) + " (joint '" + a.joint + "'): ";
  require_delay(who + "delay", m.delay, dt);
  if (!(m.lag >= 0) || !std::isfinite(m.lag)) throw Error(who + "lag is negative or not finite");
  if (!(m.knee_speed >= 0)) throw Error(who + "knee_speed is negative or not a number");
  if (!(m.no_load_speed > 0)) throw Error(who + "no_load_speed is not positive");
  if (std::isinf(m.no_load_speed)) return;
  if (!(m.knee_speed < m.no_load_speed)) throw Error(who + "knee_speed has to be below no_load_speed");
  if (std::isinf(a.effort_limit))
    throw Error(who + "a torque-speed curve needs an actuator with a finite effort_limit");
}

}  // namespace

BatchMotors::BatchMotors(std::span<const Actuator> actuators, std::vector<MotorModel> models, double dt, int size)
    : commands(size, static_cast<int>(actuators.size())),
      dt_(dt),
      models_(std::move(models)),
      newest_(static_cast<std::size_t>(size), 0),
      known_(static_cast<std::size_t>(size), 1),
      latency_(static_cast<std::size_t>(size), -1) {
  if (!models_.empty() && models_.size() != actuators.size())
    throw Error("option 'motors' has " + std::to_string(models_.size()) + " entries, and there are " +
                std::to_string(actuators.size()) + " actuators; give one for each, or none");
  for (std::size_t k = 0; k < models_.size(); ++k) {
    require_valid(k, actuators[k], models_[k], dt);
    longest_ = std::max(longest_, steps_of(models_[k].delay, dt));
    has_curves_ = has_curves_ || std::isfinite(models_[k].no_load_speed);
    has_lags_ = has_lags_ || models_[k].lag > 0;
  }
  depth_ = longest_ + 1;
  past_ = RowsOf<double>(size, depth_ * width());
  if (has_lags_) lagged_ = RowsOf<double>(size, width());
  if (!has_curves_) return;
  limits_ = RowsOf<double>(size, width());
  for (int e = 0; e < size; ++e) {
    for (std::size_t k = 0; k < actuators.size(); ++k) limits_.row(e)[k] = actuators[k].effort_limit;
  }
}

void BatchMotors::require_latency(int environment, double seconds, double dt) {
  require_delay("argument 'latency' of environment " + std::to_string(environment), seconds, dt);
}

void BatchMotors::set_latency(int environment, double seconds) {
  latency_[static_cast<std::size_t>(environment)] = steps_of(seconds, dt_);
  remember(environment, longest_delay(environment) + 1);
}

/// Commands that are on their way keep their ages.
void BatchMotors::make_room(int depth) {
  if (depth <= depth_) return;
  const int size = static_cast<int>(newest_.size());
  RowsOf<double> larger(size, depth * width());
  for (int e = 0; e < size; ++e) {
    for (int age = 0; age < depth_; ++age)
      std::copy_n(past(e, age), width(), larger.row(e) + (depth - 1 - age) * width());
  }
  std::ranges::fill(newest_, depth - 1);
  past_ = std::move(larger);
  depth_ = depth;
}

int BatchMotors::place(int environment, int age) const {
  return (newest_[static_cast<std::size_t>(environment)] - age + depth_) % depth_ * width();
}

double* BatchMotors::past(int environment, int age) { return past_.row(environment) + place(environment, age); }

const double* BatchMotors::past(int environment, int age) const {
  return past_.row(environment) + place(environment, age);
}

/// So many commands from now on. Before the oldest that it knows there was always that one.
void BatchMotors::remember(int environment, int count) {
  int& known = known_[static_cast<std::size_t>(environment)];
  make_room(count);
  for (; known < count; ++known) std::copy_n(past(environment, known - 1), width(), past(environment, known));
}

int BatchMotors::longest_delay(int environment) const {
  const int own = latency_[static_cast<std::size_t>(environment)];
  return own >= 0 ? own : longest_;
}

int BatchMotors::delay_of(int environment, std::size_t actuator) const {
  const int own = latency_[static_cast<std::size_t>(environment)];
  if (own >= 0) return own;
  return models_.empty() ? 0 : steps_of(models_[actuator].delay, dt_);
}

void BatchMotors::begin(int environment) {
  known_[static_cast<std::size_t>(environment)] = 1;
  std::ranges::copy(commands.of(environment), past(environment, 0));
  remember(environment, longest_delay(environment) + 1);
  if (has_lags_) std::ranges::copy(commands.of(environment), lagged_.row(environment));
}

void BatchMotors::set_limits(int environment, std::span<const double> limits) {
  if (has_curves_) std::ranges::copy(limits, limits_.row(environment));
}

/// A command that is no number is told at once, however long others take.
void BatchMotors::act(int environment, BatchEnvironments& all) const {
  const double* now = commands.row(environment);
  double* control = all.control.row(environment);
  for (int k = 0; k < width(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const int age = delay_of(environment, at);
    control[k] = now[k];
    if (!std::isfinite(now[k])) continue;
    if (age > 0) control[k] = past(environment, age - 1)[k];
    if (!has_lags_ || models_[at].lag == 0) continue;
    const double lagged = lagged_.row(environment)[k];
    control[k] = lagged - std::expm1(-dt_ / models_[at].lag) * (control[k] - lagged);
  }
  if (has_curves_) find_limits(environment, all);
}

void BatchMotors::move_on(int environment, const BatchEnvironments& all) {
  int& newest = newest_[static_cast<std::size_t>(environment)];
  newest = (newest + 1) % depth_;
  std::ranges::copy(commands.of(environment), past_.row(environment) + newest * width());
  if (has_lags_) std::ranges::copy(all.control.of(environment), lagged_.row(environment));
}

/// By the speed before the step.
void BatchMotors::find_limits(int environment, BatchEnvironments& all) const {
  for (int k = 0; k < width(); ++k) {
    const MotorModel& m = models_[static_cast<std::size_t>(k)];
    double share = 1;
    if (std::isfinite(m.no_load_speed)) {
      const double speed = std::abs(all.v.row(environment)[all.actuator_v[static_cast<std::size_t>(k)]]);
      share = std::clamp((m.no_load_speed - speed) / (m.no_load_speed - m.knee_speed), 0.0, 1.0);
    }
    all.own.effort_limit.row(environment)[k] = share * limits_.row(environment)[k];
  }
}

std::size_t BatchMotors::bytes() const {
  std::size_t sum = 3 * newest_.size() * sizeof(int);
  for (const RowsOf<double>* x : {&commands, &past_, &lagged_, &limits_}) sum += x->values().size() * sizeof(double);
  return sum;
}

std::vector<double> BatchMotors::save_commands(int environment) const {
  std::vector<double> out(commands.of(environment).begin(), commands.of(environment).end());
  for (int age = 0; age < known_[static_cast<std::size_t>(environment)]; ++age) {
    const double* from = past(environment, age);
    out.insert(out.end(), from, from + width());
  }
  return out;
}

std::vector<double> BatchMotors::save_lagged(int environment) const {
  if (!has_lags_) return {};
  return {lagged_.of(environment).begin(), lagged_.of(environment).end()};
}

bool BatchMotors::restore(int environment, std::span<const double> saved, std::span<const double> lagged) {
  const auto n = static_cast<std::size_t>(width());
  if (saved.size() < 2 * n || (n > 0 && saved.size() % n != 0)) return n == 0 && saved.empty();
  if (lagged.size() != (has_lags_ ? n : 0)) return false;
  if (n == 0) return true;
  if (saved.size() > n * (kLongest + 2)) return false;
  const int known = static_cast<int>(saved.size() / n) - 1;
  make_room(known);
  std::copy_n(saved.begin(), n, commands.row(environment));
  for (int age = 0; age < known; ++age)
    std::copy_n(saved.begin() + static_cast<std::ptrdiff_t>(n) * (1 + age), n, past(environment, age));
  known_[static_cast<std::size_t>(environment)] = known;
  remember(environment, longest_delay(environment) + 1);
  std::ranges::copy(lagged, has_lags_ ? lagged_.row(environment) : nullptr);
  return true;
}

}  // namespace delassus
