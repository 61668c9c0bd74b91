// `delassus bench`: how long every operator takes, on the scenes of the paper and against their size.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "argument_values.hpp"
#include "bench_once.hpp"
#include "build_info.hpp"
#include "command.hpp"
#include "find_by_name.hpp"
#include "help.hpp"
#include "output_file.hpp"
#include "output_options.hpp"
#include "progress.hpp"
#include "python_plot.hpp"
#include "scaling_report.hpp"
#include "table1_plot.hpp"
#include "table1_report.hpp"

namespace delassus::cli {
namespace {

struct BenchOptions {
  std::vector<std::string> scenes;
  std::string plot, cache_lines;
  bool quick = false;
  OutputOptions output;

  const Effort& effort() const { return quick ? kQuickEffort : kFullEffort; }
  /// On stdout as it comes: the next scene may take a minute.
  bool prints_on_the_way() const { return output.path.empty() && !output.wants_json(); }
};

std::vector<const Table1Scene*> scenes_of(const BenchOptions& o) {
  std::vector<const Table1Scene*> scenes;
  for (const std::string& name : o.scenes) scenes.push_back(&find_table1_scene(name));
  if (!scenes.empty()) return scenes;
  for (const Table1Scene& scene : table1_scenes()) scenes.push_back(&scene);
  return scenes;
}

void run_table1(const BenchOptions& o) {
  o.output.require_writable();
  require_plot(o.plot);
  const std::vector<const Table1Scene*> scenes = scenes_of(o);
  const CallgrindCounts counts = o.cache_lines.empty() ? CallgrindCounts() : CallgrindCounts(o.cache_lines);
  const Progress progress(Progress::Elsewhere::kLines);
  nlohmann::json json{{"conditions", as_json(build_info())}, {"scenes", nlohmann::json::array()}};
  std::string text;
  for (std::size_t k = 0; k < scenes.size(); ++k) {
    progress.show(k, scenes.size(), scenes[k]->name);
    const Table1Result result = measure_table1(*scenes[k], o.effort());
    progress.clear();
    const std::string lines = fmt::format("{}\n{}", k == 0 ? table1_head() : "", as_text(result, counts));
    if (o.prints_on_the_way()) write_output("", lines);
    text += lines;
    json["scenes"].push_back(as_json(result, counts));
  }
  if (o.output.wants_json()) {
    o.output.write(json);
  } else if (!o.prints_on_the_way()) {
    o.output.write(text);
  }
  if (!o.plot.empty()) plot_table1(json["scenes"], o.plot);
}

void run_scaling(const BenchOptions& o, const ScalingCase& about) {
  o.output.require_writable();
  require_plot(o.plot);
  const Progress progress(Progress::Elsewhere::kLines);
  const ScalingStudy study = measure_scaling(about, o.effort(), [&](std::size_t at, std::size_t of) {
    progress.show(at, of, fmt::format("{} {}", about.sizes[at], about.size));
  });
  progress.clear();
  nlohmann::json json = as_json(study);
  json["conditions"] = as_json(build_info());
  // The numbers took minutes and the drawing may fail, so they come first.
  if (o.output.wants_json()) {
    o.output.write(json);
  } else {
    o.output.write(as_text(study));
  }
  if (!o.plot.empty()) plot_scaling(json, o.plot);
}

void add_effort(Command& app, BenchOptions& options) {
  app.add_flag("--quick", options.quick, "fewer and shorter runs: less than a minute, and more noise");
  options.output.add_to(app);
}

std::vector<std::string> table1_names() {
  std::vector<std::string> names;
  for (const Table1Scene& scene : table1_scenes()) names.emplace_back(scene.name);
  return names;
}

void add_table1(Command& bench) {
  auto options = std::make_shared<BenchOptions>();
  Command* sub = bench.add_subcommand("table1", "Every operator on the scenes of the paper's Table I");
  sub->add_option("SCENE", options->scenes, "only these scenes, such as go2-standing; all if none is given")
      ->check(such_as(table1_names()));
  sub->add_option("--cache-lines", options->cache_lines, "what scripts/count-instructions wrote, to be shown as well")
      ->type_name("FILE")
      ->check(file_name());
  add_plot(*sub, options->plot);
  add_effort(*sub, *options);
  set_examples(*sub,
               {{"delassus bench table1 go2-standing --quick", "one scene, in a second"},
                {"delassus bench table1 go2-standing cassie --quick --json", "two scenes, for programs"},
                {"delassus bench table1 -o table1.json --plot table1.svg", "all scenes, and a drawing: a minute"}});
  sub->callback([options] { run_table1(*options); });
}

void add_scaling(Command& bench, const ScalingCase& about, const std::string& description) {
  auto options = std::make_shared<BenchOptions>();
  const std::string name(about.name);
  Command* sub = bench.add_subcommand(name, description);
  add_plot(*sub, options->plot);
  add_effort(*sub, *options);
  const std::string call = "delassus bench " + name;
  set_examples(*sub,
               {{call + " --quick", "tables with slopes: half a minute"},
                {fmt::format("{} -o {}.json --plot {}.svg", call, name, name), "numbers and a drawing: minutes"}});
  sub->callback([options, &about] { run_scaling(*options, about); });
}

struct OnceOptions {
  std::string scene, op, verb;
  OutputOptions output;
};

void run_once(const OnceOptions& o) {
  o.output.require_writable();
  const Verb verb = find_by_name(kVerbs, o.verb, "verb", [](Verb v) { return name_of(v); });
  call_once(find_bench_operator(o.op), make_bench_scene(find_table1_scene(o.scene)), verb);
  if (o.output.wants_json()) {
    return o.output.write(nlohmann::json{{"scene", o.scene}, {"operator", o.op}, {"verb", o.verb}});
  }
  o.output.write(fmt::format("called {} of {} on {}\n", o.verb, o.op, o.scene));
}

void add_once(Command& bench) {
  auto options = std::make_shared<OnceOptions>();
  std::vector<std::string> operators, verbs;
  for (const BenchOperator& op : bench_operators()) operators.emplace_back(op.name);
  for (const Verb verb : kVerbs) verbs.emplace_back(name_of(verb));
  Command* sub = bench.add_subcommand("once", "One call in a cold cache, for scripts/count-instructions");
  sub->add_option("SCENE", options->scene, "a scene of Table I")->required()->check(such_as(table1_names()));
  sub->add_option("OPERATOR", options->op, "such as lcaba or ltl")->required()->check(such_as(operators));
  sub->add_option("VERB", options->verb, "product_from_q, product, solve_from_q, solve, redamp_solve or matrix_from_q")
      ->required()
      ->check(such_as(verbs));
  options->output.add_to(*sub);
  set_examples(*sub, {{"delassus bench once go2-standing ltl solve", "a damped solve"},
                      {"delassus bench once cassie condensed product_from_q", "a product, with all that it needs"}});
  sub->callback([options] { run_once(*options); });
}

}  // namespace

void add_bench(Command& app) {
  Command* bench = app.add_subcommand("bench", "Measures every operator: times, memory, operations");
  add_table1(*bench);
  add_scaling(*bench, swimmer_case(), "Time and memory against the links of a swimmer (the paper's Fig. 2)");
  add_scaling(*bench, boxes_case(), "Time and memory against the number of boxes in a stack");
  add_once(*bench);
  set_examples(*bench, {{"delassus bench table1 go2-standing --quick", "times beside the paper's"},
                        {"delassus bench swimmer --quick", "how they grow: half a minute"}});
}

}  // namespace delassus::cli
