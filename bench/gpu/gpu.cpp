// `delassus bench gpu`: how many states of a robot a GPU computes in a second.
#include <fmt/format.h>

#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/commands/scene_series.hpp"
#include "bench/gpu/gpu_rates.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/output_file.hpp"
#include "delassus/scenes/load_named.hpp"

namespace delassus::cli {
namespace {

const std::vector<int>& gpu_sizes(const BenchOptions& o) {
  static const std::vector<int> kQuick{4096}, kAll{256, 1024, 4096, 16384, 65536};
  return o.quick ? kQuick : kAll;
}

struct GpuSeries {
  std::string scalar;
  GpuResult result;
};

std::string as_text(const std::string& name, const GpuSeries& s) {
  std::string text = fmt::format(
      "{}, {}: {} rows, {} threads for an environment, made in {:.2f} s ({} kernels compiled), products off by "
      "{:.1e}\n",
      name, s.scalar, s.result.rows, s.result.lanes, s.result.construct_s, s.result.compiled, s.result.worst_error);
  for (const GpuRate& rate : s.result.rates) {
    text += fmt::format("  {:<18}{:>8} environments{:>10.1f} million per second{:>8.2f} TB/s\n", rate.verb,
                        rate.environments, 1e-6 * rate.per_second, 1e-12 * rate.bytes * rate.per_second);
  }
  return text;
}

nlohmann::json as_json(const GpuSeries& s) {
  nlohmann::json out{{"scalar", s.scalar},
                     {"rows", s.result.rows},
                     {"threads", s.result.lanes},
                     {"construct_seconds", s.result.construct_s},
                     {"kernels_compiled", s.result.compiled},
                     {"product_error", s.result.worst_error},
                     {"points", nlohmann::json::array()}};
  for (const GpuRate& rate : s.result.rates) {
    out["points"].push_back({{"verb", rate.verb},
                             {"environments", rate.environments},
                             {"per_second", rate.per_second},
                             {"bytes_per_second", rate.bytes * rate.per_second}});
  }
  return out;
}

void run_gpu(const BenchOptions& o) {
  o.output.require_writable();
  const gpu::Device device(0);
  SceneSeries series;
  series.names =
      o.scenes.empty() ? std::vector<std::string>{"go2-standing", "g1-standing", "cassie-standing"} : o.scenes;
  std::vector<GpuCase> cases;  // a name that is none is an error before the first is measured
  for (const std::string& name : series.names) {
    const Scene scene = load_named(name, {.list = "`delassus list`"});
    require_unread(scene.report);
    cases.push_back({scene.model, scene.q, scene.constraints});
  }
  series.head = fmt::format("{}, {}\n\n", device.name(), device.architecture());
  series.measure = [&](std::size_t at) -> SceneReport {
    const int repetitions = o.quick ? 3 : 5;
    const GpuSeries all[] = {{"float", measure_gpu<float>(device, cases[at], gpu_sizes(o), repetitions)},
                             {"double", measure_gpu<double>(device, cases[at], gpu_sizes(o), repetitions)}};
    SceneReport report{"", {{"name", series.names[at]}, {"scalars", nlohmann::json::array()}}};
    for (const GpuSeries& s : all) {
      report.text += as_text(series.names[at], s);
      report.json["scalars"].push_back(as_json(s));
    }
    return report;
  };
  series.about = {{"device", device.name()}, {"architecture", device.architecture()}};
  report_scenes(o, series);
}

}  // namespace

void add_bench_gpu(Command& bench) {
  auto options = std::make_shared<BenchOptions>();
  Command* sub = bench.add_subcommand("gpu", "Many states of one robot at once, on a GPU of NVIDIA");
  sub->add_option("SCENE", options->scenes, "scenes or models, such as g1-standing; three of them if none is given")
      ->check(such_as({"go2-standing", "g1-standing", "cassie-standing"}));
  add_effort(*sub, *options);
  set_examples(*sub, {{"delassus bench gpu go2-standing --quick", "one robot, in seconds"},
                      {"delassus bench gpu -o gpu.json --json", "three, at five sizes: a minute"}});
  sub->callback([options] { run_gpu(*options); });
}

}  // namespace delassus::cli
