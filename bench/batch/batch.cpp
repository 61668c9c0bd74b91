// `delassus bench batch`: how many states of a robot are computed in a second.
#include "bench/batch/batch.hpp"

#include <fmt/format.h>

#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/commands/scene_series.hpp"
#include "bench/lanes/lanes_peak.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/python_plot.hpp"
#include "delassus/scenes/load_named.hpp"

namespace delassus::cli {
namespace {

constexpr int kMostEnvironments = 1'000'000, kMostThreads = 1024;

struct BatchOptionsGiven : BenchOptions {
  std::string sizes = "1,8,64,512,4096", threads = "1,2";
  bool with_float = false;
};

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> out(1);
  for (const char c : list) {
    if (c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

/// "1,8,64".
Values whole_numbers(int least, int most) {
  return {{}, [one = whole_number(least, most).complaint](const std::string& given) -> std::string {
            for (const std::string& part : parts_of(given)) {
              if (std::string why = one(part); !why.empty()) return why + "; several stand with commas between: 1,8,64";
            }
            return "";
          }};
}

std::vector<int> numbers_of(const std::string& list) {
  std::vector<int> out;
  for (const std::string& part : parts_of(list)) out.push_back(std::stoi(part));
  return out;
}

void run_batch(const BatchOptionsGiven& o) {
  o.output.require_writable();
  require_plot(o.plot);
  SceneSeries series;
  series.names = o.scenes.empty() ? std::vector<std::string>{"go2-standing", "g1-standing", "g1-fallen"} : o.scenes;
  std::vector<Scene> scenes;  // a name that is none is an error before the first is measured
  for (const std::string& name : series.names) {
    scenes.push_back(load_named(name, {.list = "`delassus list`"}));
    require_unread(scenes.back().report);
  }
  const BatchBenchOptions options{numbers_of(o.sizes), numbers_of(o.threads), o.with_float};
  const int lanes = batch_lanes(scenes[0].model);
  const double peak = core_peak_gflops(lanes);
  series.head = batch_head(lanes, peak);
  series.measure = [&](std::size_t at) -> SceneReport {
    const BatchResult result = measure_batch(series.names[at], scenes[at], options, o.effort(), peak);
    return {as_text(result), as_json(result)};
  };
  series.about = {{"peak_gflops", peak}, {"lanes", lanes}, {"calls", titles_of(kBatchVerbs)}};
  series.draw = [&](const nlohmann::json& report) { plot_batch(report, o.plot); };
  report_scenes(o, series);
}

}  // namespace

void add_bench_batch(Command& bench) {
  auto options = std::make_shared<BatchOptionsGiven>();
  Command* sub =
      bench.add_subcommand("batch", "Many states of one robot at once, against loops over them, MuJoCo and Pinocchio");
  sub->add_option("SCENE", options->scenes, "scenes or models, such as g1-fallen; three of them if none is given")
      ->check(such_as({"go2-standing", "g1-standing", "g1-fallen"}));
  sub->add_option("--sizes", options->sizes, "numbers of environments, with commas between")
      ->type_name("LIST")
      ->check(whole_numbers(1, kMostEnvironments));
  sub->add_option("--threads", options->threads, "numbers of threads, with commas between")
      ->type_name("LIST")
      ->check(whole_numbers(1, kMostThreads));
  sub->add_flag("--float", options->with_float, "batches in single precision as well");
  add_plot(*sub, options->plot);
  add_effort(*sub, *options);
  set_examples(*sub,
               {{"delassus bench batch go2-standing --sizes 8,64 --threads 1 --quick", "one robot, in seconds"},
                {"delassus bench batch --float -o batch.json --plot batch.svg", "three, and a drawing: minutes"}});
  sub->callback([options] { run_batch(*options); });
}

}  // namespace delassus::cli
