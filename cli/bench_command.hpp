// What the commands under `delassus bench` have in common: options, and reports scene by scene.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "output_options.hpp"
#include "timed_call.hpp"

namespace delassus::cli {

struct BenchOptions {
  std::vector<std::string> scenes;
  std::string plot;
  bool quick = false;
  OutputOptions output;

  const Effort& effort() const { return quick ? kQuickEffort : kFullEffort; }
  /// On stdout as it comes: the next scene may take a minute.
  bool prints_on_the_way() const { return output.path.empty() && !output.wants_json(); }
};

/// --quick, -o and --json.
void add_effort(Command& app, BenchOptions& options);

/// Of one scene, for people and for programs.
struct SceneReport {
  std::string text;
  nlohmann::json json;
};

/// What is measured of every scene, under one head.
struct SceneSeries {
  std::vector<std::string> names;
  std::string head;
  std::function<SceneReport(std::size_t at)> measure;
  nlohmann::json about = nlohmann::json::object();              // of all scenes; `conditions` and `scenes` join it
  std::function<void(const nlohmann::json& report)> draw = {};  // into the file of --plot
};

/// The drawing may fail, so it comes last.
void report_scenes(const BenchOptions& options, const SceneSeries& series);

/// What drawings call a call.
template <class Calls>
nlohmann::json titles_of(const Calls& calls) {
  nlohmann::json out = nlohmann::json::array();
  for (const auto call : calls) out.push_back({{"name", name_of(call)}, {"title", title_of(call)}});
  return out;
}

/// Each adds its subcommand.
void add_bench_planner(Command& bench);
void add_bench_lanes(Command& bench);
void add_bench_batch(Command& bench);

}  // namespace delassus::cli
