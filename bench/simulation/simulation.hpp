// What `delassus bench simulation` measures: time steps of robots and piles, how long each takes and how exact it is, and MuJoCo beside them, judged by the
// same certificate.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/simulation/bench_engine.hpp"
#include "bench/simulation/step_scenes.hpp"

namespace delassus::cli {

struct SimulationBenchOptions {
  std::vector<double> tolerances{1e-4, 1e-6, 1e-8};  // m/s, of our own steps
  bool quick = false;
};

/// The reason of a step that failed, which ends its run.
inline constexpr std::string_view kFailedStep = "failed";

/// A step that ended above its tolerance.
struct InexactStep {
  int run = 0, step = 0;
  std::string reason;   // why its solver stopped
  double velocity = 0;  // m/s
};

/// A line of "Must show": what was measured beside the most that it may be.
struct Requirement {
  std::string name;
  double measured = 0, most = 0;
  bool met() const { return measured <= most; }
};

/// Steps of one engine.
struct SimulationBenchRow {
  std::string engine;
  std::optional<double> tolerance{};  // m/s, of our own
  std::vector<double> times_us{};     // processor time of each step
  double mean_us = 0, median_us = 0, p999_us = 0, most_us = 0;
  double real_time = 0;          // seconds simulated per second, by the mean
  int most_contacts = 0;         // in a step
  ContactResiduals residuals{};  // worst of the steps that were judged
  double median_velocity = 0;    // m/s: of those, the residual in the middle
  double penetration = 0;        // metres, the deepest
  double drift = 0;              // metres: farthest that the base of a tree moved while it was measured
  double energy_rise = 0;        // joules: highest above the lowest before, where no motor gives any
  std::vector<InexactStep> inexact{};
  std::string failure{};  // why it ended early; empty if it did not
  std::vector<Requirement> required{};
};

struct SimulationBenchResult {
  std::string scene;
  double dt = 0;
  bool has_motors = false;
  int runs = 0;
  std::vector<SimulationBenchRow> engines;
};

/// The engines take turns, some steps each, so that a disturbance meets all. Each goes its own way from the same start.
SimulationBenchResult measure_simulation(const StepScene& scene, double dt, const SimulationBenchOptions& options);

/// Compares our own engines with MuJoCo's Newton, if it is there.
void find_requirements(StepSceneKind kind, SimulationBenchResult& result);

/// What the columns are; before the first scene.
std::string simulation_head();
std::string as_text(const SimulationBenchResult& result);
nlohmann::json as_json(const SimulationBenchResult& result);
/// Histograms of step times, from what the command writes as JSON.
void plot_simulation(const nlohmann::json& scenes, const std::string& path);

}  // namespace delassus::cli
