// Kernels of the test robots, compiled for this machine: the same text as for a device, with lanes that take turns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/kernel/arguments.hpp"

namespace delassus::gpu {

/// What lanes said to each other. On a device an exchange waits for all threads of a warp, so environments that share one have to make the
/// same exchanges in the same order, whatever they hold; else they wait for ever.
struct Exchanges {
  /// As if there were an environment in the warp that never ends.
  inline static bool neighbours_go_on = false;
  /// Of each environment of the last run: a number made of all its exchanges.
  inline static std::vector<std::uint64_t> made;

  static void note(int kind) { made.back() = made.back() * 31 + static_cast<std::uint64_t>(kind); }
  static bool in_step() {
    bool out = true;
    for (const std::uint64_t one : made) out = out && one == made.front();
    return out;
  }
};

/// All environments of the arguments.
template <class T>
using EmulatedRun = void (*)(Verb verb, const Arguments<T>& arguments);

/// Throws an Error if the robot is none of gpu_robot_names().
template <class T>
EmulatedRun<T> emulated_run(const std::string& robot);

}  // namespace delassus::gpu
