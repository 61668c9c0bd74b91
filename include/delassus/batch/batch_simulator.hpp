// Many simulations of one setup, stepped together on threads (docs/batch.md). Each environment is a Simulator of its own, with the
// scalar kernels; what it does depends on its own state and controls alone, and is the same bits on any number of threads.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "delassus/batch/batch_view.hpp"
#include "delassus/simulation/simulator.hpp"

namespace delassus {

class BatchSimulator {
 public:
  /// `size` simulators, all made alike. Threads as in BatchOptions. Throws an Error where Simulator does.
  BatchSimulator(const Model& model, int size, std::span<const Constraint> constraints = {},
                 const SimulationOptions& options = {}, const std::vector<Actuator>& actuators = {}, int threads = 0);
  BatchSimulator(BatchSimulator&&) noexcept;
  BatchSimulator& operator=(BatchSimulator&&) noexcept;
  ~BatchSimulator();

  int size() const;
  int threads() const;
  /// One of them, for all that is not said here: motors, saved states, reports, words for a status.
  Simulator& environment(int index);
  const Simulator& environment(int index) const;

  /// Begins anew from here: (B, nq) and (B, nv). Throws an Error that names the environment whose state makes no sense; those
  /// before it have begun anew then.
  void set_state(BatchView<const double> q, BatchView<const double> v, double time = 0);
  void state(BatchView<double> q, BatchView<double> v) const;

  /// What acts during the next steps: (B, actuators), and (B, nv) beside. Until set: as Simulator has it.
  void set_control(BatchView<const double> control);
  void set_forces(BatchView<const double> forces);

  /// `count` steps of every environment, each as far as it goes well. Returns how many did not go all the way; the state of those is
  /// the last good one.
  int step(int count = 1);
  /// Of the last step, one per environment.
  std::span<const StepStatus> statuses() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace delassus
