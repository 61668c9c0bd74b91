// `delassus bench`: how long every operator takes, on the scenes of the paper and against their size, and what is solved with
// them.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/commands/commands.hpp"
#include "bench/commands/scene_series.hpp"
#include "bench/constrained/constrained_report.hpp"
#include "bench/scaling/scaling_report.hpp"
#include "bench/simulation/environments.hpp"
#include "bench/simulation/simulation.hpp"
#include "bench/table1/once.hpp"
#include "bench/table1/scenes_plot.hpp"
#include "bench/table1/table1_report.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/bench_commands.hpp"
#include "cli/shell/build_info.hpp"
#include "cli/shell/find_by_name.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/python_plot.hpp"
#include "delassus/math/compiled_scalars.hpp"

namespace delassus::cli {
namespace {

struct Table1Options : BenchOptions {
  std::string cache_lines;
};

std::vector<const Table1Scene*> scenes_of(const BenchOptions& o) {
  std::vector<const Table1Scene*> scenes;
  for (const std::string& name : o.scenes) scenes.push_back(&find_table1_scene(name));
  if (!scenes.empty()) return scenes;
  for (const Table1Scene& scene : table1_scenes()) scenes.push_back(&scene);
  return scenes;
}

/// The drawing of these times.
std::function<void(const nlohmann::json&)> scenes_drawing(const BenchOptions& o, const nlohmann::json& calls) {
  return [path = o.plot, calls](const nlohmann::json& report) { plot_scenes(report["scenes"], calls, path); };
}

void run_table1(const Table1Options& o) {
  o.output.require_writable();
  require_plot(o.plot);
  const std::vector<const Table1Scene*> scenes = scenes_of(o);
  const CallgrindCounts counts = o.cache_lines.empty() ? CallgrindCounts() : CallgrindCounts(o.cache_lines);
  std::vector<std::string> names;
  names.reserve(scenes.size());
  for (const Table1Scene* scene : scenes) names.emplace_back(scene->name);
  const auto measure = [&](std::size_t at) -> SceneReport {
    const Table1Result result = measure_table1(*scenes[at], o.effort());
    return {as_text(result, counts), as_json(result, counts)};
  };
  report_scenes(o, {names, table1_head(), measure, {}, scenes_drawing(o, titles_of(kTable1Verbs))});
}

std::vector<std::string> constrained_robots() {
  std::vector<std::string> names;
  for (const HeldSet& set : held_sets()) {
    if (names.empty() || names.back() != set.robot) names.emplace_back(set.robot);
  }
  return names;
}

void run_constrained(const BenchOptions& o) {
  o.output.require_writable();
  require_plot(o.plot);
  std::vector<const HeldSet*> sets;
  std::vector<std::string> names;
  for (const HeldSet& set : held_sets()) {
    if (!o.scenes.empty() && std::ranges::find(o.scenes, set.robot) == o.scenes.end()) continue;
    sets.push_back(&set);
    names.push_back(fmt::format("{}, {}", set.robot, set.name));
  }
  const auto measure = [&](std::size_t at) -> SceneReport {
    const ConstrainedResult result = measure_constrained(*sets[at], o.effort());
    return {as_text(result), as_json(result)};
  };
  report_scenes(o, {names, constrained_head(), measure, {}, scenes_drawing(o, titles_of(kConstrainedCalls))});
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

std::vector<std::string> table1_names() {
  std::vector<std::string> names;
  for (const Table1Scene& scene : table1_scenes()) names.emplace_back(scene.name);
  return names;
}

void add_table1(Command& bench) {
  auto options = std::make_shared<Table1Options>();
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

void add_constrained(Command& bench) {
  auto options = std::make_shared<BenchOptions>();
  Command* sub =
      bench.add_subcommand("constrained", "Constrained dynamics and its KKT matrix, against Eigen and MuJoCo");
  sub->add_option("ROBOT", options->scenes, "only these robots, such as solo_like; all if none is given")
      ->check(one_of("robot", constrained_robots()));
  add_plot(*sub, options->plot);
  add_effort(*sub, *options);
  set_examples(*sub, {{"delassus bench constrained solo_like --quick", "one robot, in a second"},
                      {"delassus bench constrained -o constrained.json --plot constrained.svg",
                       "all, and a drawing: a quarter of a minute"}});
  sub->callback([options] { run_constrained(*options); });
}

struct SimulationOptionsGiven : BenchOptions {
  std::vector<std::string> tolerances, time_steps;
};

std::vector<double> numbers_of(const std::vector<std::string>& given, std::vector<double> otherwise) {
  if (given.empty()) return otherwise;
  std::vector<double> out;
  for (const std::string& text : given) out.push_back(number_of(text));
  return out;
}

void run_simulation(const SimulationOptionsGiven& o) {
  o.output.require_writable();
  require_plot(o.plot);
  SimulationBenchOptions options;
  options.tolerances = numbers_of(o.tolerances, options.tolerances);
  options.quick = o.quick;
  std::vector<StepScene> scenes;
  for (const std::string& name : o.scenes.empty() ? step_scenes_here() : o.scenes)
    scenes.push_back(make_step_scene(name));
  const std::vector<double> time_steps = numbers_of(o.time_steps, {1e-3, 2e-3});
  std::vector<std::string> names;
  for (const StepScene& scene : scenes) {
    for (const double dt : time_steps) names.push_back(fmt::format("{}, {:g} ms", scene.name, 1e3 * dt));
  }
  const auto measure = [&](std::size_t at) {
    const std::size_t of = time_steps.size();
    const SimulationBenchResult result = measure_simulation(scenes[at / of], time_steps[at % of], options);
    return SceneReport{as_text(result), as_json(result)};
  };
  const auto drawing = [path = o.plot](const nlohmann::json& report) { plot_simulation(report["scenes"], path); };
  report_scenes(o, {names, simulation_head(), measure, nlohmann::json::object(), drawing});
}

void add_simulation(Command& bench) {
  auto options = std::make_shared<SimulationOptionsGiven>();
  Command* sub = bench.add_subcommand("simulation", "Time steps of robots and piles, against MuJoCo");
  sub->add_option("SCENE", options->scenes,
                  "only these scenes, such as g1-falls, or files of robots, which fall; all scenes if none is given")
      ->check(such_as(step_scenes()));
  sub->add_option("--dt", options->time_steps,
                  "length of a step in seconds, once for each; 1e-3 and 2e-3 if none is given")
      ->type_name("SECONDS")
      ->check(positive_number());
  sub->add_option("--tolerance", options->tolerances,
                  "what our steps are asked for, in m/s, once for each; 1e-4, 1e-6 and 1e-8 if none is given")
      ->check(positive_number());
  add_plot(*sub, options->plot);
  add_effort(*sub, *options);
  set_examples(
      *sub, {{"delassus bench simulation boxes --dt 1e-3 --quick", "30 boxes on top of each other, in seconds"},
             {"delassus bench simulation g1-falls --dt 1e-3 --tolerance 1e-6 --quick", "a humanoid that falls"},
             {"delassus bench simulation -o simulation.json --plot simulation.svg", "all, and histograms: minutes"}});
  sub->callback([options] { run_simulation(*options); });
}

struct EnvironmentsOptionsGiven : SimulationOptionsGiven {
  EnvironmentsOptions own;
};

void run_environments(const EnvironmentsOptionsGiven& o) {
  o.output.require_writable();
  EnvironmentsOptions options = o.own;
  options.tolerances = numbers_of(o.tolerances, options.tolerances);
  options.quick = o.quick;
  const std::vector<std::string> names =
      o.scenes.empty() ? std::vector<std::string>{"go2-stands", "g1-stands"} : o.scenes;
  const double dt = numbers_of(o.time_steps, {2e-3})[0];
  const auto measure = [&](std::size_t at) {
    const EnvironmentsResult result = measure_environments(make_step_scene(names[at]), dt, options);
    return SceneReport{as_text(result), as_json(result)};
  };
  report_scenes(o, {names, environments_head(), measure});
}

void add_environments(Command& bench) {
  auto options = std::make_shared<EnvironmentsOptionsGiven>();
  Command* sub = bench.add_subcommand("environments", "Steps per second of thousands of environments, against MuJoCo");
  sub->add_option("SCENE", options->scenes,
                  "only these scenes, such as go2-stands; go2-stands and g1-stands if none is given")
      ->check(such_as(step_scenes()));
  sub->add_option("--environments", options->own.environments, "how many; 4096 if not given")
      ->check(whole_number(1, 1000000));
  sub->add_option("--threads", options->own.threads, "that steps run on; 0: one per core")
      ->check(whole_number(0, 1024));
  sub->add_option("--dt", options->time_steps, "length of a step in seconds; 2e-3 if not given")
      ->type_name("SECONDS")
      ->check(positive_number());
  sub->add_option("--tolerance", options->tolerances,
                  "what our steps are asked for, in m/s, once for each; 1e-4 and 1e-6 if none is given")
      ->check(positive_number());
  add_effort(*sub, *options);
  set_examples(*sub, {{"delassus bench environments go2-stands --environments 256 --quick", "one robot, in seconds"},
                      {"delassus bench environments", "Go2 and G1, 4096 of each: half a minute"}});
  sub->callback([options] { run_environments(*options); });
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
  const Verb verb = find_by_name(kAllVerbs, o.verb, "verb", [](Verb v) { return name_of(v); });
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
  for (const Verb verb : kAllVerbs) verbs.emplace_back(name_of(verb));
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

void add_bench(Command& app, int& exit_code) {
  Command* bench = app.add_subcommand(kBench.name, kBench.description);
  add_table1(*bench);
  add_constrained(*bench);
  add_bench_contact(*bench, exit_code);
  add_simulation(*bench);
  add_environments(*bench);
  add_bench_planner(*bench);
  add_bench_lanes(*bench);
#if DELASSUS_HAS_ALL_SCALARS
  add_bench_batch(*bench);
#endif
#if defined(DELASSUS_HAS_CUDA)
  add_bench_gpu(*bench);
#endif
  add_scaling(*bench, swimmer_case(), "Time and memory against the links of a swimmer (the paper's Fig. 2)");
  add_scaling(*bench, boxes_case(), "Time and memory against the number of boxes in a stack");
  add_once(*bench);
  set_examples(*bench, {{"delassus bench table1 go2-standing --quick", "times beside the paper's"},
                        {"delassus bench swimmer --quick", "how they grow: half a minute"}});
}

}  // namespace delassus::cli
