// `delassus bench`: how long every operator takes, on the scenes of the paper and against their size.
#include <fmt/core.h>

#include <memory>

#include "bench_once.hpp"
#include "command.hpp"
#include "find_by_name.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "python_plot.hpp"
#include "scaling_report.hpp"
#include "table1_report.hpp"

namespace delassus::cli {
namespace {

struct BenchOptions {
  std::vector<std::string> scenes;
  std::string json, plot, cache_lines;
  bool quick = false;

  const Effort& effort() const { return quick ? kQuickEffort : kFullEffort; }
};

void run_table1(const BenchOptions& o) {
  std::vector<const Table1Scene*> scenes;
  for (const std::string& name : o.scenes) scenes.push_back(&find_table1_scene(name));
  if (scenes.empty()) {
    for (const Table1Scene& scene : table1_scenes()) scenes.push_back(&scene);
  }
  const CallgrindCounts counts = o.cache_lines.empty() ? CallgrindCounts() : CallgrindCounts(o.cache_lines);
  const Progress progress(Progress::Elsewhere::kLines);
  nlohmann::json json{{"scenes", nlohmann::json::array()}};
  for (std::size_t k = 0; k < scenes.size(); ++k) {
    progress.show(k, scenes.size(), scenes[k]->name);
    const Table1Result result = measure_table1(*scenes[k], o.effort());
    progress.clear();
    fmt::print("{}\n{}", k == 0 ? table1_head() : "", as_text(result, counts));
    std::fflush(stdout);  // a line on stderr comes next
    json["scenes"].push_back(as_json(result, counts));
  }
  if (!o.json.empty()) write_output(o.json, json.dump() + "\n");
}

void run_scaling(const BenchOptions& o, const ScalingCase& about) {
  if (!o.plot.empty()) require_plot_name(o.plot);
  const Progress progress(Progress::Elsewhere::kLines);
  const ScalingStudy study = measure_scaling(about, o.effort(), [&](std::size_t at, std::size_t of) {
    progress.show(at, of, fmt::format("{} {}", about.sizes[at], about.size));
  });
  progress.clear();
  fmt::print("{}", as_text(study));
  const nlohmann::json json = as_json(study);
  if (!o.json.empty()) write_output(o.json, json.dump() + "\n");
  if (!o.plot.empty()) plot_scaling(json, o.plot);
}

void add_effort(CLI::App& app, const std::shared_ptr<BenchOptions>& options) {
  app.add_option("--json", options->json, "also write the numbers into this file");
  app.add_flag("--quick", options->quick, "fewer and shorter runs: less than a minute, and more noise");
}

void add_table1(CLI::App& bench) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* sub = bench.add_subcommand("table1", "Every operator on the scenes of the paper's Table I");
  sub->add_option("--scene", options->scenes, "only this scene, such as go2-standing; may be repeated");
  sub->add_option("--cache-lines", options->cache_lines, "what scripts/count-instructions wrote, to be shown as well");
  add_effort(*sub, options);
  sub->callback([options] { run_table1(*options); });
}

void add_scaling(CLI::App& bench, const ScalingCase& about, const std::string& description) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* sub = bench.add_subcommand(std::string(about.name), description);
  sub->add_option("--plot", options->plot, "also draw it into a file .svg, .png or .pdf (needs python3-matplotlib)");
  add_effort(*sub, options);
  sub->callback([options, &about] { run_scaling(*options, about); });
}

struct OnceOptions {
  std::string scene, op, verb;
};

void run_once(const OnceOptions& o) {
  const Verb verb = find_by_name(kVerbs, o.verb, "verb", [](Verb v) { return name_of(v); });
  call_once(find_bench_operator(o.op), make_bench_scene(find_table1_scene(o.scene)), verb);
}

void add_once(CLI::App& bench) {
  auto options = std::make_shared<OnceOptions>();
  CLI::App* sub = bench.add_subcommand("once", "One call in a cold cache, for scripts/count-instructions");
  sub->add_option("SCENE", options->scene, "a scene of Table I")->required();
  sub->add_option("OPERATOR", options->op, "such as lcaba or ltl")->required();
  sub->add_option("VERB", options->verb, "product_from_q, product, solve_from_q, solve, redamp_solve or matrix_from_q")
      ->required();
  sub->callback([options] { run_once(*options); });
}

}  // namespace

void add_bench(CLI::App& app) {
  CLI::App* bench = app.add_subcommand("bench", "Measures every operator: times, memory, operations");
  bench->require_subcommand(1);
  add_table1(*bench);
  add_scaling(*bench, swimmer_case(), "Time and memory against the links of a swimmer (the paper's Fig. 2)");
  add_scaling(*bench, boxes_case(), "Time and memory against the number of boxes in a stack");
  add_once(*bench);
}

}  // namespace delassus::cli
