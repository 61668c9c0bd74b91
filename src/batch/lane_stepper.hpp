// Steps of a block of environments, one per lane. What is compiled for an instruction set is behind this.
#pragma once

#include <cstdint>
#include <memory>

#include "batch/environments.hpp"
#include "batch/lane_plan.hpp"
#include "math/lane_masks.hpp"

namespace delassus {

/// Workspace of one thread.
class LaneStepper {
 public:
  virtual ~LaneStepper() = default;
  virtual int width() const = 0;

  /// Takes the states of environments, one for each lane; lanes beyond `count` repeat the last of them.
  virtual void begin(const std::int32_t* environment, int count, const BatchEnvironments& all) = 0;
  /// One step of the lanes of `alive`. Writes state, efforts, contact forces and a summary of those that went well, and leaves the others as they were:
  /// those bits are returned, and the full simulator has the word. Environments that it steps ask for a new begin.
  virtual LaneBits step(LaneBits alive, BatchEnvironments& all) = 0;
};

/// The plan has to live as long as the stepper.
std::unique_ptr<LaneStepper> make_lane_stepper(const LanePlan& plan);

}  // namespace delassus
