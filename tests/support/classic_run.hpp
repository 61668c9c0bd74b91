// Classic scenes, begun and run.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "delassus/scenes/classic.hpp"

namespace delassus::testing {

/// With steps of their own length, or of another.
inline Simulator start(const std::string& name, double dt = 0) {
  SimulationSetup setup = make_classic_scene(name);
  if (dt > 0) setup.options.dt = dt;
  return setup.make_simulator();
}

/// Every step has to go well, and to be solved: none of these scenes is a reason not to.
inline void run(Simulator& simulation, double seconds) {
  const auto steps = static_cast<int>(std::lround(seconds / simulation.options().dt));
  for (int k = 0; k < steps; ++k) {
    const StepStatus status = simulation.step();
    ASSERT_TRUE(status.ok()) << simulation.describe(status);
    ASSERT_FALSE(simulation.report().inexact) << "step " << k;
  }
}

}  // namespace delassus::testing
