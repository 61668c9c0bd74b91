// What a parameter of a sweep changes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "delassus/simulation/simulation_setup.hpp"

namespace delassus {

struct Effect {
  enum class Kind : std::uint8_t {
    // Of an environment.
    kFriction,
    kMassScale,
    kInertiaScale,
    kComOffset,
    kKp,
    kKd,
    kEffortLimit,
    kLatency,
    kGravity,
    // Of the simulator: cases that differ in one do not share a batch.
    kDt,
    kTolerance,
    kMaxIterations,
    kRestitution,
    // Of the start.
    kHeight,
    kTurn,
    kCoordinate,
    kVelocity,
    kTarget,
    // Of the push.
    kPush,
    kPushStart,
    kPushSeconds,
    // Of a function of the user's own: anything.
    kOwn,
  };
  Kind kind = Kind::kOwn;
  int axis = 0;        // x, y, z; of kTurn about them
  int index = -1;      // of the body, actuator, coordinate or degree of freedom; -1: all
  std::string unit{};  // "m"

  bool is_of_simulator() const { return kind >= Kind::kDt && kind <= Kind::kRestitution; }
  bool is_of_push() const { return kind >= Kind::kPush && kind <= Kind::kPushSeconds; }
};

/// "mass_scale:trunk". Throws an Error that names close matches.
Effect find_effect(std::string_view name, const SimulationSetup& setup);

/// A table of all of them for docs and messages.
struct EffectName {
  std::string_view name;  // without what stands behind the colon
  Effect::Kind kind;
  int axis;
  enum class Of : std::uint8_t { kNothing, kBody, kActuator, kCoordinate, kVelocity } of;
  bool all;  // may stand without a colon, for all of them
  std::string_view unit;
};
std::span<const EffectName> effect_names();

/// Throws an Error that names close matches.
std::size_t find_name(std::span<const std::string> names, std::string_view name, std::string_view what);
/// The joints of actuators.
std::vector<std::string> actuator_names(const SimulationSetup& setup);

}  // namespace delassus
