// Numbers of all environments of a batch of simulations, one row each: state, what acts, what came out, and where solves begin. Workspaces belong to threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "delassus/batch/batch_simulator.hpp"

namespace delassus {

/// (environments, width), one row after the other.
template <class T>
class RowsOf {
 public:
  RowsOf() = default;
  RowsOf(int size, int width, T value = T())
      : width_(width), values_(static_cast<std::size_t>(size) * static_cast<std::size_t>(width), value) {}

  int width() const { return width_; }
  bool empty() const { return values_.empty(); }
  T* row(int e) { return values_.data() + static_cast<std::ptrdiff_t>(e) * width_; }
  const T* row(int e) const { return values_.data() + static_cast<std::ptrdiff_t>(e) * width_; }
  std::span<T> of(int e) { return {row(e), static_cast<std::size_t>(width_)}; }
  std::span<const T> of(int e) const { return {row(e), static_cast<std::size_t>(width_)}; }
  std::vector<T>& values() { return values_; }
  const std::vector<T>& values() const { return values_; }

 private:
  int width_ = 0;
  std::vector<T> values_;
};

/// Where the next step of the full simulator begins, if it made the last one.
struct FullStart {
  std::vector<SimulationState::Impulse> contacts;
  std::vector<double> joints, limits;
  double penalty = 0;

  /// Memory is kept.
  void forget() {
    contacts.clear();
    joints.clear();
    limits.clear();
    penalty = 0;
  }
};

/// What environments have of their own. An empty array: all are as the model and the actuators say.
struct OwnValues {
  static constexpr int kInertia = 10;  // mass, first moment, rotational inertia (xx, yx, yy, zx, zy, zz)

  RowsOf<double> inertia;               // kInertia for each link, in its axes about its origin
  RowsOf<double> gravity;               // 3
  RowsOf<double> friction;              // 1: the coefficient of all sliding contacts
  RowsOf<double> kp, kd, effort_limit;  // one for each actuator

  bool empty() const {
    return inertia.empty() && gravity.empty() && friction.empty() && kp.empty() && kd.empty() && effort_limit.empty();
  }
};

struct BatchEnvironments {
  /// `slots`: candidate points that may touch, for all planes.
  BatchEnvironments(const Model& model, int size, std::span<const Actuator> actuators, int slots);

  int size;
  RowsOf<double> q, v;
  RowsOf<double> control, target_velocity, forces;
  RowsOf<double> efforts;
  RowsOf<double> contact_force;  // 3 for each body: the sum over its contacts, world axes, newtons
  RowsOf<double> touching;       // for each body: whether a contact carries force, 0 or 1
  std::vector<double> start_time;
  std::vector<std::int64_t> steps, inexact_steps;  // since then
  std::vector<char> checked;                       // that nothing overlapped at the start
  std::vector<StepSummary> last;

  OwnValues own;
  std::vector<int> actuator_v;  // the degree of freedom of each actuator, the same for all

  // Where solves in lanes begin. A slot counts if its tick is that of the environment.
  RowsOf<double> slot_impulse;
  RowsOf<std::uint32_t> slot_tick;
  RowsOf<double> joint_impulse;  // limit, friction, motor of each degree of freedom
  std::vector<std::uint32_t> tick;
  std::vector<FullStart> full;

  /// Solves begin with nothing, as in a new simulation.
  void forget_impulses(int e);
};

}  // namespace delassus
