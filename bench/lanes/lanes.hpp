// Latencies of one robot: the condensed tree in scalars, and with limbs in lanes.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure/measure.hpp"
#include "bench/table1/table1.hpp"

namespace delassus::cli {

struct LanesResult {
  std::string name;
  int nv, rows, links;
  std::optional<int> fold_links;  // of the robot with its limbs side by side; nothing if lanes do not pay
  bool in_lanes;                  // whether these rows are computed in lanes
  OperatorTimes scalar, lanes;
  VerbOperations operations;  // of the scalar one: lanes that only fill up count nothing
  double peak_gflops;         // of a core
};

/// Both take turns. `peak_gflops` is that of core_peak_gflops.
LanesResult measure_lanes(const Table1Scene& about, const Effort& effort, double peak_gflops);

/// Part of the core's peak that the counted operations of a call are; nothing for calls that were not measured.
std::optional<double> share_of_peak(const LanesResult& result, const OperatorTimes& times, Verb verb);

std::string lanes_head(double peak_gflops);
std::string as_text(const LanesResult& result);
nlohmann::json as_json(const LanesResult& result);

/// Bars for each scene, one drawing for each call.
void plot_lanes(const nlohmann::json& report, const std::string& path);

}  // namespace delassus::cli
