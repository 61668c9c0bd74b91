// `delassus bench contact`: contact forces by every solver, of scenes and of problems in files.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/commands/commands.hpp"
#include "bench/commands/scene_series.hpp"
#include "bench/simulation/contact.hpp"
#include "bench/simulation/contact_problems.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/build_info.hpp"
#include "cli/shell/exit_code.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/message.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/progress.hpp"

namespace delassus::cli {
namespace {

struct ContactOptions : BenchOptions {
  std::string problems;  // a folder; empty: scenes are measured
  // As they were given; empty: the default.
  std::string tolerance, relative_tolerance;
  int iterations = 0;
  std::vector<std::string> solvers;
};

void run_contact_scenes(const ContactOptions& o) {
  o.output.require_writable();
  const std::vector<std::string>& names = o.scenes.empty() ? contact_scenes() : o.scenes;
  const auto measure = [&](std::size_t at) -> SceneReport {
    const ContactResult result = measure_contact(names[at], o.effort());
    return {as_text(result), as_json(result)};
  };
  report_scenes(o, {names, contact_head(), measure});
}

ProblemOptions problem_options(const ContactOptions& o) {
  ProblemOptions out;
  if (!o.tolerance.empty()) out.tolerance = number_of(o.tolerance);
  if (!o.relative_tolerance.empty()) out.relative_tolerance = number_of(o.relative_tolerance);
  out.iterations = o.iterations;
  out.solvers = o.solvers;
  out.quick = o.quick;
  return out;
}

/// By the path inside of the folder, without the end.
std::string problem_name(const std::string& path, const std::string& folder) {
  std::filesystem::path inside = std::filesystem::path(path).lexically_relative(folder);
  if (inside == ".") inside = std::filesystem::path(path).filename();
  return inside.replace_extension().generic_string();
}

/// Whether all files could be read.
bool run_problems(const ContactOptions& o) {
  o.output.require_writable();
  const ProblemOptions options = problem_options(o);
  const std::vector<std::string> paths = find_problems(o.problems);
  for (const std::string& path : paths) require_unread(path);
  const Progress progress(Progress::Elsewhere::kSilent);
  std::vector<ProblemResult> results;
  std::string text = problems_head(options);
  nlohmann::json entries = nlohmann::json::array();
  for (const std::string& path : paths) {
    const std::string name = problem_name(path, o.problems);
    progress.show(results.size(), paths.size(), name);
    results.push_back(measure_problem(path, name, options));
    progress.clear();
    if (!results.back().unreadable.empty()) say_error(results.back().unreadable);
    text += as_text(results.back());
    if (o.prints_on_the_way()) write_output("", std::exchange(text, ""));
    for (nlohmann::json& entry : as_json(results.back())) entries.push_back(std::move(entry));
  }
  if (o.output.wants_json()) {
    o.output.write(nlohmann::json{{"conditions", as_json(build_info())},
                                  {"tolerance_m_s", options.tolerance},
                                  {"relative_tolerance", options.relative_tolerance},
                                  {"entries", std::move(entries)},
                                  {"summary", summary_json(results)}});
  } else {
    o.output.write(text + "\n" + summary_text(results));
  }
  return std::ranges::all_of(results, [](const ProblemResult& result) { return result.unreadable.empty(); });
}

}  // namespace

void add_bench_contact(Command& bench, int& exit_code) {
  auto options = std::make_shared<ContactOptions>();
  Command* sub = bench.add_subcommand("contact", "Contact forces over one time step, by every solver");
  Option* scenes =
      sub->add_option("SCENE", options->scenes, "only these scenes, such as g1-standing; all if none is given")
          ->check(one_of("scene", contact_scenes()));
  Option* problems =
      sub->add_option("--problems", options->problems,
                      "solve the problems of this folder instead: .npz files, as simulate --capture writes")
          ->type_name("FOLDER")
          ->check(file_name())
          ->excludes(scenes);
  sub->add_option("--solver", options->solvers,
                  fmt::format("only this one: {}; may be repeated", fmt::join(problem_solvers(), ", ")))
      ->type_name("SOLVER")
      ->check(one_of("solver", problem_solvers()))
      ->needs(problems);
  sub->add_option("--tolerance", options->tolerance, "largest residual of a solved problem, in m/s (default 1e-7)")
      ->type_name("SPEED")
      ->check(positive_number())
      ->needs(problems);
  sub->add_option("--relative-tolerance", options->relative_tolerance,
                  "the same of problems without units, as a share of the largest free velocity (default 1e-8)")
      ->type_name("SHARE")
      ->check(positive_number())
      ->needs(problems);
  sub->add_option("--iterations", options->iterations, "the most (default: each solver's own)")
      ->type_name("COUNT")
      ->check(whole_number(1, 100'000'000))
      ->needs(problems);
  add_effort(*sub, *options);
  set_examples(*sub, {{"delassus bench contact g1-standing --quick", "one scene, in a second"},
                      {"delassus bench contact --problems hard --quick", "problems that were captured"},
                      {"delassus bench contact --json", "all scenes, for programs: half a minute"}});
  sub->callback([options, &exit_code] {
    if (options->problems.empty()) {
      run_contact_scenes(*options);
    } else if (!run_problems(*options)) {
      exit_code = kExitCheckFailed;
    }
  });
}

}  // namespace delassus::cli
