#include "delassus/batch/batch_simulator.hpp"

#include <algorithm>
#include <string>

#include "batch/shapes.hpp"
#include "batch/threads.hpp"

namespace delassus {

class BatchSimulator::Parts {
 public:
  Parts(const Model& model, int size, std::span<const Constraint> constraints, const SimulationOptions& options,
        const std::vector<Actuator>& actuators, int count)
      : threads(count), statuses(static_cast<std::size_t>(require_count(size))) {
    simulators.reserve(statuses.size());
    for (int e = 0; e < size; ++e) simulators.emplace_back(model, constraints, options, actuators);
  }

  int size() const { return static_cast<int>(simulators.size()); }
  void require_nv(std::string_view argument, const BatchView<const double>& view) const {
    require_shape(argument, view, size(), simulators[0].model().nv(), "one number per degree of freedom");
  }
  void require_nq(std::string_view argument, const BatchView<const double>& view) const {
    require_shape(argument, view, size(), simulators[0].model().nq(), "nq coordinates each");
  }

  BatchThreads threads;
  std::vector<Simulator> simulators;
  std::vector<StepStatus> statuses;
};

namespace {

void copy_row(const BatchView<const double>& from, int environment, std::span<double> to) {
  for (std::size_t c = 0; c < to.size(); ++c) to[c] = from(environment, static_cast<int>(c));
}
void copy_row(std::span<const double> from, int environment, const BatchView<double>& to) {
  for (std::size_t c = 0; c < from.size(); ++c) to(environment, static_cast<int>(c)) = from[c];
}

}  // namespace

BatchSimulator::BatchSimulator(const Model& model, int size, std::span<const Constraint> constraints,
                               const SimulationOptions& options, const std::vector<Actuator>& actuators, int threads)
    : parts_(std::make_unique<Parts>(model, size, constraints, options, actuators, threads)) {}
BatchSimulator::BatchSimulator(BatchSimulator&&) noexcept = default;
BatchSimulator& BatchSimulator::operator=(BatchSimulator&&) noexcept = default;
BatchSimulator::~BatchSimulator() = default;

int BatchSimulator::size() const { return parts_->size(); }
int BatchSimulator::threads() const { return parts_->threads.count(); }
std::span<const StepStatus> BatchSimulator::statuses() const { return parts_->statuses; }

Simulator& BatchSimulator::environment(int index) {
  require_environment(index, size());
  return parts_->simulators[static_cast<std::size_t>(index)];
}
const Simulator& BatchSimulator::environment(int index) const {
  require_environment(index, size());
  return parts_->simulators[static_cast<std::size_t>(index)];
}

void BatchSimulator::set_state(BatchView<const double> q, BatchView<const double> v, double time) {
  parts_->require_nq("q", q);
  parts_->require_nv("v", v);
  const Model& model = parts_->simulators[0].model();
  std::vector<double> q_one(static_cast<std::size_t>(model.nq())), v_one(static_cast<std::size_t>(model.nv()));
  for (int e = 0; e < size(); ++e) {
    copy_row(q, e, q_one);
    copy_row(v, e, v_one);
    try {
      environment(e).set_state(q_one, v_one, time);
    } catch (const Error& error) {
      throw Error("environment " + std::to_string(e) + ": " + error.what());
    }
  }
}

void BatchSimulator::state(BatchView<double> q, BatchView<double> v) const {
  parts_->require_nq("q", q);
  parts_->require_nv("v", v);
  for (int e = 0; e < size(); ++e) {
    copy_row(environment(e).q(), e, q);
    copy_row(environment(e).v(), e, v);
  }
}

void BatchSimulator::set_control(BatchView<const double> control) {
  const auto actuators = static_cast<int>(parts_->simulators[0].actuators().size());
  require_shape("control", control, size(), actuators, "one number per actuator");
  for (int e = 0; e < size(); ++e) copy_row(control, e, environment(e).control());
}

void BatchSimulator::set_forces(BatchView<const double> forces) {
  parts_->require_nv("forces", forces);
  for (int e = 0; e < size(); ++e) copy_row(forces, e, environment(e).forces());
}

int BatchSimulator::step(int count) {
  parts_->threads.for_each(size(), 1, [&](int, int e) {
    parts_->statuses[static_cast<std::size_t>(e)] = parts_->simulators[static_cast<std::size_t>(e)].advance(count);
  });
  return static_cast<int>(
      std::count_if(parts_->statuses.begin(), parts_->statuses.end(), [](const auto& status) { return !status.ok(); }));
}

}  // namespace delassus
