// A sweep as it was read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "delassus/batch/batch_simulator.hpp"
#include "sweep/effect.hpp"
#include "sweep/law.hpp"
#include "sweep/quantity.hpp"
#include "sweep/sweep.hpp"

namespace delassus {

struct SweepParameter {
  std::string name;
  Law law;
  Effect effect;
  std::int64_t stride = 1;  // of a grid: cases in a row that share a number
};

/// The first sample at which a quantity is beyond a number.
struct SweepEvent {
  std::string name;
  Quantity quantity;
  double threshold;
  bool above;  // else below
};

/// A force on a body for a while; parameters change it.
struct SweepPush {
  int body = -1;
  double start = 0, seconds = 0;
  Vec3<double> force{};  // N, world axes, at the centre of mass
};

struct ParameterSweep::Parts {
  std::string name, base_directory, text, hash;
  std::int64_t size = 0;
  std::uint64_t seed = 0;
  std::vector<SweepParameter> parameters;
  std::optional<SimulationSetup> setup;  // none: a function of the user's own makes the rows
  std::vector<MotorModel> motors;
  SweepPush push;
  // What is kept, and how often it is looked at.
  double sample = 0.01;  // s, for extremes and events
  double rate = 0;       // Hz, of trajectories
  std::vector<Quantity> final, least, most, trajectory;
  std::vector<SweepEvent> events;

  std::vector<SweepColumn> columns;
  std::vector<std::string> status_words;

  double value(const SweepParameter& p, std::int64_t index) const;
  /// Samples of a trajectory, the start among them.
  std::int64_t samples() const;
};

/// Columns that every sweep has come first: case, status.
namespace sweep_columns {
inline constexpr std::size_t kCase = 0, kStatus = 1;
// And of simulations:
inline constexpr std::size_t kTime = 2, kSteps = 3, kInexact = 4, kResidual = 5;
}  // namespace sweep_columns

/// What is wrong with the value of a parameter, where a case lasts so many seconds; empty if nothing is.
std::string complaint_of(const Effect& effect, double value, double seconds);

}  // namespace delassus
