// Kernels of the test robots, compiled for this machine: the same text as for a device, with lanes that take turns.
#pragma once

#include <string>

#include "gpu/kernel/arguments.hpp"

namespace delassus::gpu {

/// All environments of the arguments.
template <class T>
using EmulatedRun = void (*)(Verb verb, const Arguments<T>& arguments);

/// Throws an Error if the robot is none of gpu_robot_names().
template <class T>
EmulatedRun<T> emulated_run(const std::string& robot);

}  // namespace delassus::gpu
