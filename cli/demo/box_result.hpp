// All that the demonstration has to show.
#pragma once

#include <vector>

#include "cli/demo/box_numbers.hpp"

namespace delassus::cli {

struct BoxTimes {
  double inertia_us = 0;  // Λ of both palms from q, median
  double step_us = 0;     // a whole control step, median over the first run
  double servo_hz() const { return 1e6 / step_us; }
};

/// What Chang and Khatib report of their robot with as many links, on a PC of 266 MHz.
inline constexpr double kPaperInertiaUs = 1000, kPaperServoHz = 300;

struct BoxResult {
  BoxSetup setup;
  std::vector<BoxRun> runs;
  std::vector<BoxNumbers> numbers;  // of each run
  BoxTimes times;
  /// Whether all runs came to their end.
  bool complete() const;
};

}  // namespace delassus::cli
