// What `delassus bench environments` measures: steps per second of many environments on all cores, MuJoCo beside in turns.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/simulation/step_scenes.hpp"

namespace delassus::cli {

struct EnvironmentsOptions {
  int environments = 4096;
  std::vector<double> tolerances{1e-4, 1e-6};  // m/s, of our own steps
  int threads = 0;                             // 0: one per core
  bool quick = false;
};

struct EnvironmentsRow {
  std::string engine;
  double steps_per_second = 0;  // in the middle of all turns
  double construction_s = 0;
  double kilobytes = 0;       // of an environment; unknown: zero
  double residual = 0;        // m/s, the worst: ours by its certificate, MuJoCo's by the judge of `bench simulation`
  double share_in_lanes = 0;  // of the steps
  double iterations = 0;      // in the mean
  int failed = 0;             // environments
};

struct EnvironmentsResult {
  std::string scene;
  double dt = 0;
  int environments = 0, threads = 0;
  std::vector<EnvironmentsRow> engines;
};

/// Environments of the scene differ in the push that they begin with.
EnvironmentsResult measure_environments(const StepScene& scene, double dt, const EnvironmentsOptions& options);

std::string environments_head();
std::string as_text(const EnvironmentsResult& result);
nlohmann::json as_json(const EnvironmentsResult& result);

}  // namespace delassus::cli
