// `delassus bench planner`: whether the planner chooses well, and its table of costs made anew.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/commands/scene_series.hpp"
#include "bench/measure/number.hpp"
#include "bench/planner/planner_fit.hpp"
#include "bench/planner/planner_measure.hpp"
#include "bench/table1/table1.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/build_info.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/progress.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/io/load.hpp"
#include "delassus/operators/planner.hpp"
#include "scenes/generated.hpp"
#include "scenes/recipes.hpp"

namespace delassus::cli {
namespace {

struct NamedWorkload {
  std::string_view name;
  Workload workload;
};
constexpr std::array kWorkloads{
    NamedWorkload{"1 product", {.products = 1}},       NamedWorkload{"10 products", {.products = 10}},
    NamedWorkload{"100 products", {.products = 100}},  NamedWorkload{"1000 products", {.products = 1000}},
    NamedWorkload{"30 iterations", kThirtyIterations}, NamedWorkload{"the matrix", kMatrixAlone},
};

/// The table is fitted to these and to the scenes of Table I, and not to the others, which show what it is worth elsewhere.
constexpr std::array<const char*, 24> kFitted{
    "stem:20x3",  "humanoid:60", "swimmer:10",  "swimmer:35",    "box-stack:20", "chain:7",
    "chain:10",   "chain:30",    "stem:3x2",    "stem:10x4",     "k2chain:5",    "k2loops:5",
    "hand",       "handed",      "asimo-hf",    "asimo-limbs",   "humanoid:24",  "swimmer:3",
    "swimmer:20", "box-stack:2", "box-stack:5", "box-pyramid:2", "allwelded:12", "expander:8x7"};
constexpr std::array<const char*, 14> kHeldOut{
    "atlas-feet",  "atlas-feet-points", "atlas-feet-hands", "atlas-hand",  "atlas-hands-feet",
    "shadow-tips", "shadow-ball",       "asimo-ftf",        "handed-feet", "stem:5x3",
    "humanoid:40", "swimmer:50",        "box-stack:12",     "chain:20"};

/// Short samples and many of them: some are undisturbed even on a machine that is busy.
constexpr Effort kQuick{21, 200, 5e4, 5e4}, kFull{81, 200, 1e5, 1e5};

struct PlannerOptions : BenchOptions {
  std::string table;  // to be written
  const Effort& effort() const { return quick ? kQuick : kFull; }
};

BenchScene make_planner_scene(const std::string& name) {
  return {name, is_generated_scene(name) ? make_scene(name) : load_embedded_scene(name)};
}

std::vector<std::string> table1_sources() {
  std::vector<std::string> out;
  for (const Table1Scene& scene : table1_scenes()) out.emplace_back(scene.source);
  return out;
}

using Times = std::map<Algorithm, OperatorTime>;

/// Of all calls that were measured, those that the workload has.
double total(OperatorTime time, const Workload& workload) {
  for (int call = 0; call < kCalls; ++call) {
    if (!calls_of(workload)[call]) time.*OperatorTime::all()[call] = 0;
  }
  return time.total(workload);
}

Times::const_iterator fastest(const Times& times, const Workload& w) {
  return std::ranges::min_element(times, {}, [&](const auto& entry) { return total(entry.second, w); });
}

// --------------------------------------------------------------------------------------------------- choices

/// The worst choice of some scenes.
struct Worst {
  double ratio = 0;
  std::string where;

  void take(double other, const std::string& there) {
    if (other > ratio) *this = {other, there};
  }
  std::string text() const { return fmt::format("{:.2f} ({})", ratio, where); }
};

SceneReport report_choices(const std::string& name, const Effort& effort, Worst& worst) {
  const BenchScene scene = make_planner_scene(name);
  const Times times = measure_calls(scene, effort);
  SceneReport out{
      fmt::format("{}: nv {}, {} rows\n", name, scene.model.nv(), scene.rows),
      {{"name", name}, {"nv", scene.model.nv()}, {"rows", scene.rows}, {"workloads", nlohmann::json::array()}}};
  for (const NamedWorkload& w : kWorkloads) {
    const OperatorPlan plan = plan_operator(scene.model, scene.constraints, w.workload);
    const auto best = fastest(times, w.workload);
    const double best_us = total(best->second, w.workload), choice_us = total(times.at(plan.choice), w.workload);
    worst.take(choice_us / best_us, fmt::format("{}, {}", name, w.name));
    out.text += fmt::format("  {:<16}{:<14}{:>8}{:>11}  {:<14}{:>8}{:>7.2f}\n", w.name, name_of(plan.choice),
                            three_digits(choice_us), three_digits(plan.candidates.front().time_us),
                            name_of(best->first), three_digits(best_us), choice_us / best_us);
    out.json["workloads"].push_back({{"name", w.name},
                                     {"choice", name_of(plan.choice)},
                                     {"choice_us", choice_us},
                                     {"predicted_us", plan.candidates.front().time_us},
                                     {"best", name_of(best->first)},
                                     {"best_us", best_us}});
  }
  return out;
}

void check_choices(const PlannerOptions& o) {
  std::vector<std::string> names = o.scenes;
  if (names.empty()) {
    names = table1_sources();
    names.insert(names.end(), kHeldOut.begin(), kHeldOut.end());
  }
  Worst fitted, held_out;
  const auto measure = [&](std::size_t at) {
    const bool held = std::ranges::find(kHeldOut, names[at]) != kHeldOut.end();
    SceneReport out = report_choices(names[at], o.effort(), held ? held_out : fitted);
    if (at + 1 < names.size()) return out;
    if (fitted.ratio > 0) out.text += "\nworst ratio: " + fitted.text() + "\n";
    if (held_out.ratio > 0) out.text += "worst ratio of scenes that no cost was fitted to: " + held_out.text() + "\n";
    return out;
  };
  report_scenes(
      o, {names,
          "What the planner chooses and what is fastest, in us from q on: least times of calls that take turns\n\n" +
              fmt::format("  {:<16}{:<14}{:>8}{:>11}  {:<14}{:>8}{:>7}\n", "", "choice", "takes", "predicted",
                          "fastest", "takes", "ratio"),
          measure});
}

// --------------------------------------------------------------------------------------------------- costs

/// What is never near the best is left out: counting it would take longer than measuring it.
constexpr double kLeastWeight = 0.03;

/// One if it is the fastest for some workload.
double weight_of(const OperatorTime& time, const Times& times) {
  double out = 0;
  for (const NamedWorkload& w : kWorkloads) {
    out = std::max(out, total(fastest(times, w.workload)->second, w.workload) / total(time, w.workload));
  }
  return out;
}

/// One by one: some calls are cheaper after others.
OperatorCount count_calls(const BenchScene& scene, Algorithm algorithm) {
  OperatorCount out;
  for (const Workload& part : {kMatrixAlone, kOneProduct, Workload{.dampings = 2, .solves = 1}}) {
    const OperatorCount calls =
        plan_operator(scene.model, scene.constraints, part, {&algorithm, 1}).candidates[0].calls;
    for (const auto call : OperatorCount::all()) out.*call = std::max(out.*call, calls.*call);
  }
  return out;
}

void calibrate(const PlannerOptions& o) {
  require_writable("--calibrate", o.table);
  std::vector<std::string> names = table1_sources();
  names.insert(names.end(), kFitted.begin(), kFitted.end());
  std::vector<CostSample> samples;
  const Progress progress(Progress::Elsewhere::kLines);
  for (std::size_t k = 0; k < names.size(); ++k) {
    progress.show(k, names.size(), names[k]);
    const BenchScene scene = make_planner_scene(names[k]);
    const Times times = measure_calls(scene, o.effort());
    ConstraintRows<double> rows;
    lower_structure<double>(scene.model, scene.constraints, rows);
    const Amounts system = amounts_of(scene.model, rows, make_condensation(scene.model, rows));
    for (const auto& [algorithm, time] : times) {
      const double weight = weight_of(time, times);
      if (weight < kLeastWeight) continue;
      const bool lanes = algorithm == Algorithm::kLimbs;
      samples.push_back({algorithm, lanes ? in_lanes(system, LimbDelassus<double>(scene.model, rows)) : system,
                         count_calls(scene, algorithm), time, weight});
    }
  }
  progress.clear();
  const BuildInfo& info = build_info();
  write_output(o.table, cost_table(samples, fmt::format("{}, {}, {}", info.cpu, info.compiler, info.isa)));
}

}  // namespace

void add_bench_planner(Command& bench) {
  auto options = std::make_shared<PlannerOptions>();
  Command* sub = bench.add_subcommand("planner", "Whether the planner chooses the fastest operator");
  sub->add_option("SCENE", options->scenes,
                  "only these scenes, such as go2-standing; if none is given, those of Table I and some robots");
  sub->add_option("--calibrate", options->table, "measure the table of costs anew, and write it into this file")
      ->type_name("FILE")
      ->check(file_name());
  add_effort(*sub, *options);
  set_examples(*sub, {{"delassus bench planner go2-standing --quick", "one scene, in a second"},
                      {"delassus bench planner", "all scenes: some minutes"},
                      {"delassus bench planner --calibrate src/operators/cost_table.hpp",
                       "for another kind of machine: minutes"}});
  sub->callback([options] {
    options->output.require_writable();
    options->table.empty() ? check_choices(*options) : calibrate(*options);
  });
}

}  // namespace delassus::cli
