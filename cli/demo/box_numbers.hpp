// What is said of a run in numbers.
#pragma once

#include <optional>

#include "cli/demo/box_run.hpp"

namespace delassus::cli {

struct GripNumbers {
  double largest_normal = 0, least_normal = 0;  // with which the palm presses, newtons
  double largest_moment = 0;                    // about the palm, newton metres
  double friction = 0;    // coefficient that a palm would need to hold the box by pressing alone; infinite if it pulls
  double load_share = 0;  // of the weight at the end
};

struct BoxNumbers {
  double largest_error = 0, largest_angle = 0;         // of the box's middle and orientation, metres and radians
  std::optional<double> settled_error, settled_angle;  // the same after settling; nothing if it did not come so far
  double end_height = 0;                               // of its lowest corner above the floor, metres
  double end_speed = 0;                                // metres per second
  std::array<GripNumbers, kHands> grips;
  double weight = 0, held = 0,
         carried = 0;         // of the box; what the hands lift at the end, and what the floor carries, newtons
  double largest_torque = 0;  // newton metres
  int torque_dof = 0;         // whose that is
  double posture_change = 0;  // largest of a joint at the end, radians
};

inline constexpr double kDegreesPerRadian = 57.29577951308232;

/// Settled: the last half of the time after the motion.
BoxNumbers numbers_of(const BoxSetup& setup, const BoxRun& run);

/// How far the box is from where it should be, and how far it is turned.
double position_error(const BoxSample& sample);
double angle_error(const BoxSample& sample);
/// With which force a palm presses against the box: along y, to the right for the left hand.
double normal_force(const BoxSample& sample, int hand);
/// The part of its force that lifts.
double lifting_force(const BoxSample& sample, int hand);

}  // namespace delassus::cli
