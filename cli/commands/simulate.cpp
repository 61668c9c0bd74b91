// `delassus simulate`: a scene in motion.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/simulate_options.hpp"
#include "cli/commands/simulate_recording.hpp"
#include "cli/commands/simulate_report.hpp"
#include "cli/shell/exit_code.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/interruption.hpp"
#include "cli/shell/message.hpp"
#include "cli/shell/output_file.hpp"
#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

/// Before work that would be lost.
void require_outputs(const SimulateOptions& o) {
  o.output.require_writable();
  const std::array<std::pair<const char*, const std::string*>, 2> files{{{"--csv", &o.csv}, {"--html", &o.page.path}}};
  for (const auto& [option, path] : files) {
    require_writable(option, *path);
    if (is_same_file(*path, o.output.path))
      throw Error(fmt::format("{} and --output name the same file; choose two", option));
  }
  if (is_same_file(o.csv, o.page.path)) throw Error("--csv and --html name the same file; choose two");
}

int run(const SimulateOptions& o) {
  require_outputs(o);
  const std::string& name = o.setup.scene.model;
  std::vector<std::string> warnings;
  const SimulationSetup setup = make_setup(o.setup, warnings);
  for (const std::string& text : warnings) say_warning(text);
  o.page.require_possible(setup.model, setup.seconds);
  const std::string title = title_of(name);
  RunRecord record =
      run_simulation(setup, {o.csv, o.every, o.setup.quiet, o.page.wanted() ? title : "", o.page.fps, o.capture, name});
  record.warnings = std::move(warnings);
  o.page.write(title, record.recording);
  if (o.output.wants_json()) {
    o.output.write(as_json(name, setup, record));
  } else {
    o.output.write(as_text(name, setup, record));
  }
  if (record.is_in_doubt(setup.model.mass())) {
    say_warning(
        fmt::format("{:.3g} J more than at the start and by motors and forces, at t = {:g} s: energy that came out of "
                    "nothing; take "
                    "shorter steps with --dt",
                    record.most_gained, record.most_gained_at));
  }
  if (record.interrupted) Interruption::obey();
  if (record.failure.empty()) return kExitOk;
  say_error(record.failure);
  return kExitCheckFailed;
}

}  // namespace

void add_simulate(Command& app, int& exit_code) {
  auto options = std::make_shared<SimulateOptions>();
  Command* sub = app.add_subcommand("simulate", "Lets a scene move, with contacts, limits, friction and motors");
  options->add_to(*sub);
  set_examples(
      *sub,
      {{"delassus simulate incline:35", "a box on a slope, beside what theory says"},
       {"delassus simulate go2-standing --hold 200,10 --csv go2.csv", "a robot that stands"},
       {"delassus simulate box-stack:4 --seconds 1 --html stack.html", "a page that plays it in a browser"},
       {"delassus simulate arch:0.2 --seconds 0.1 --capture hard --capture-above 5", "problems for bench contact"},
       {"delassus simulate arch:0.2 --seconds 0.5 --json", "stones that slide apart, for programs"},
       {"delassus simulate scene.json --seconds 0.1 --solver pgs --algorithm ltl", "others than usual"}});
  sub->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace delassus::cli
