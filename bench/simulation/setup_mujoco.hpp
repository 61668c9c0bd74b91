// All that a simulation is made from, as MJCF. Built where MuJoCo is found.
#pragma once

#include <mujoco/mujoco.h>

#include <string>

#include "bench/simulation/bench_engine.hpp"

namespace delassus::cli {

/// Links, joints with their limits, springs, damping and dry friction, shapes, loops that tie points together, and motors that hold. Throws an Error that names
/// what is not written.
std::string as_mjcf(const SimulationSetup& setup, const CollisionWorld& world, MujocoMethod method);

/// Loops hold where ours do, and not where the zero of all joints has them.
void place_loops(const SimulationSetup& setup, mjModel& mujoco);

}  // namespace delassus::cli
