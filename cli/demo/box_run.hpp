// One run of the demonstration: the controller against the plant, and all that was to be seen.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "cli/demo/box_plant.hpp"
#include "cli/demo/box_setup.hpp"

namespace delassus::cli {

inline constexpr double kServoStep = 1e-3;  // seconds between two torques
inline constexpr int kFramesPerSecond = 30;

/// What is wrong with the controller.
struct BoxTrouble {
  double mass_error = 0;  // of its masses, as a share of them
  double delay = 0;       // of its torques, seconds; whole servo steps
};

struct BoxSample {
  double t = 0;
  Pose<double> desired, box;
  std::array<Grip, kHands> grips;
  Vec3<double> floor;          // its force on the box, in the axes of the box
  std::vector<double> q, tau;  // of the robot
};

struct BoxRun {
  std::string name;
  BoxTrouble trouble;
  std::vector<BoxSample> samples;                 // one for each torque
  std::vector<std::vector<Pose<double>>> frames;  // poses of all bodies, kFramesPerSecond
  double posture_leak = 0;                        // largest acceleration of a palm by the posture's torques, m/s²
  double step_us = 0;                             // median time of a control step
  std::string failure;                            // empty if it came to its end
};

/// Sees the plant at every torque, after it has been applied.
using BoxWatcher = std::function<void(double t, const BoxPlant& plant)>;

/// Throws an Error if not even the first step was made.
BoxRun run_box(const BoxSetup& setup, std::string name, const BoxTrouble& trouble, const BoxWatcher& watcher = nullptr);

}  // namespace delassus::cli
