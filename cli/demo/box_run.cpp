#include "cli/demo/box_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "cli/demo/box_controller.hpp"
#include "delassus/constraints/describe.hpp"

namespace delassus::cli {
namespace {

using Vector = std::vector<double>;

constexpr int kLeakEvery = 10;  // steps between two looks at what the posture's torques do

double median(Vector values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Torques that arrive later than they were sent. Before the first has arrived, it acts all the same: the robot stood still with
/// it.
class DelayLine {
 public:
  explicit DelayLine(int steps) : ring_(static_cast<std::size_t>(steps) + 1) {}

  const Vector& pass(const Vector& tau) {
    if (at_ == 0) std::ranges::fill(ring_, tau);
    ring_[at_++ % ring_.size()] = tau;
    return ring_[at_ % ring_.size()];
  }

 private:
  std::vector<Vector> ring_;
  std::size_t at_ = 0;
};

class Runner {
 public:
  Runner(const BoxSetup& setup, const BoxWatcher& watcher, BoxRun& out)
      : setup_(setup),
        watcher_(watcher),
        out_(out),
        plant_(setup, kServoStep),
        controller_(setup, out.trouble.mass_error),
        delay_(static_cast<int>(std::lround(out.trouble.delay / kServoStep))),
        tau_(plant_.v().size()),
        posture_force_(tau_) {}

  void run() {
    const int steps = static_cast<int>(std::lround(setup_.duration() / kServoStep));
    Vector times;
    times.reserve(static_cast<std::size_t>(steps) + 1);
    out_.samples.reserve(times.capacity());
    for (int k = 0; k <= steps; ++k) {
      const std::string failure = step(k, times);
      if (failure.empty()) continue;
      out_.failure = fmt::format("at t = {:.3f} s, step {} of {}, {}", k * kServoStep, k, steps, failure);
      break;
    }
    out_.step_us = median(times);
  }

 private:
  /// What failed; empty if nothing did.
  std::string step(int k, Vector& times) {
    const double t = k * kServoStep;
    const auto before = std::chrono::steady_clock::now();
    const ControlStatus control = controller_.compute(t, plant_.q(), plant_.v(), tau_);
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before).count());
    if (!control.ok()) return "the controller stopped: " + controller_.describe(control);
    const Vector& applied = delay_.pass(tau_);
    Status status = plant_.apply(applied);
    if (status.ok() && k % kLeakEvery == 0) status = look_at_leak();
    if (status.ok()) {
      record(t, applied);
      if (watcher_) watcher_(t, plant_);
      status = plant_.step();
    }
    return status.ok() ? "" : "the simulation failed: " + describe(status, plant_.model(), plant_.constraints());
  }

  void record(double t, const Vector& tau) {
    const std::vector<Pose<double>> poses = plant_.body_poses();
    out_.samples.push_back({t,
                            controller_.target().pose,
                            poses.back(),
                            {plant_.grip(0), plant_.grip(1)},
                            plant_.floor().force,
                            {plant_.q().begin(), plant_.q().end()},
                            tau});
    if (t >= static_cast<double>(out_.frames.size()) / kFramesPerSecond - kServoStep / 2) out_.frames.push_back(poses);
  }

  Status look_at_leak() {
    std::array<Motion<double>, kHands> palms;
    Status status = controller_.posture_force(posture_force_);
    if (status.ok()) status = plant_.palm_response(posture_force_, palms);
    for (const Motion<double>& palm : palms) out_.posture_leak = std::max(out_.posture_leak, norm(palm.linear));
    return status;
  }

  const BoxSetup& setup_;
  const BoxWatcher& watcher_;
  BoxRun& out_;
  BoxPlant plant_;
  BoxController controller_;
  DelayLine delay_;
  Vector tau_, posture_force_;
};

}  // namespace

BoxRun run_box(const BoxSetup& setup, std::string name, const BoxTrouble& trouble, const BoxWatcher& watcher) {
  BoxRun out;
  out.name = std::move(name);
  out.trouble = trouble;
  Runner(setup, watcher, out).run();
  if (out.samples.empty()) throw Error(out.failure);
  return out;
}

}  // namespace delassus::cli
