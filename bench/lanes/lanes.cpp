// `delassus bench lanes`: what limbs in lanes bring to one robot.
#include "bench/lanes/lanes.hpp"

#include <array>
#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/commands/scene_series.hpp"
#include "bench/lanes/lanes_peak.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/python_plot.hpp"
#include "math/limbs.hpp"

namespace delassus::cli {
namespace {

/// The robots of Table I, and both piles of boxes, which have no limbs.
constexpr std::array kDefaultScenes{"go2-standing", "go2-standing-friction", "go2-fallen",  "go2-fallen-friction",
                                    "cassie",       "cassie-friction",       "g1-standing", "g1-standing-friction",
                                    "g1-fallen",    "g1-fallen-friction",    "boxes",       "pyramid"};

void run_lanes(const BenchOptions& o) {
  o.output.require_writable();
  require_plot(o.plot);
  std::vector<const Table1Scene*> scenes;
  for (const std::string& name : o.scenes) scenes.push_back(&find_table1_scene(name));
  if (scenes.empty()) {
    for (const char* name : kDefaultScenes) scenes.push_back(&find_table1_scene(name));
  }
  const double peak = core_peak_gflops(kLimbLanes);
  SceneSeries series;
  for (const Table1Scene* scene : scenes) series.names.emplace_back(scene->name);
  series.head = lanes_head(peak);
  series.measure = [&](std::size_t at) -> SceneReport {
    const LanesResult result = measure_lanes(*scenes[at], o.effort(), peak);
    return {as_text(result), as_json(result)};
  };
  series.about = {{"peak_gflops", peak}, {"calls", titles_of(kPaperVerbs)}};
  series.draw = [&](const nlohmann::json& report) { plot_lanes(report, o.plot); };
  report_scenes(o, series);
}

}  // namespace

void add_bench_lanes(Command& bench) {
  auto options = std::make_shared<BenchOptions>();
  Command* sub = bench.add_subcommand("lanes", "The condensed tree with limbs in lanes, against scalars");
  std::vector<std::string> names;
  for (const Table1Scene& scene : table1_scenes()) names.emplace_back(scene.name);
  sub->add_option("SCENE", options->scenes, "only these scenes, such as g1-standing; robots and boxes if none is given")
      ->check(such_as(names));
  add_plot(*sub, options->plot);
  add_effort(*sub, *options);
  set_examples(*sub, {{"delassus bench lanes go2-standing --quick", "one robot, in a second"},
                      {"delassus bench lanes go2-standing --quick -o lanes.json --plot lanes.svg", "and a drawing"}});
  sub->callback([options] { run_lanes(*options); });
}

}  // namespace delassus::cli
