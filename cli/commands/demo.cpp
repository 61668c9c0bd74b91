// `delassus demo box`: the experiment with which Chang and Khatib showed the operational space of branching mechanisms.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands/commands.hpp"
#include "cli/demo/box_document.hpp"
#include "cli/demo/box_plot.hpp"
#include "cli/demo/box_recording.hpp"
#include "cli/demo/box_text.hpp"
#include "cli/demo/box_times.hpp"
#include "cli/pages/web_page.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/exit_code.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/python_plot.hpp"
#include "cli/viewer/page_options.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

struct BoxOptions {
  std::string seconds = "2", mass_error = "0.2", delay = "0.001";
  std::string output, plot;
  PageOptions viewer;
  bool quick = false, json = false;

  /// Many short samples: most of them fit between the turns that other programs get.
  Effort effort() const { return quick ? Effort{51, 50, 2e4, 1e5} : Effort{1001, 100, 2e5, 1e5}; }
  BoxTrouble trouble() const { return {number_of(mass_error), kServoStep * std::round(number_of(delay) / kServoStep)}; }
};

std::string name_of(const BoxTrouble& trouble) {
  return fmt::format("masses {:g} % off, {:g} ms late", 100 * trouble.mass_error, 1e3 * trouble.delay);
}

/// A run whose box does not come to rest has failed, however small its error is by then.
void note_unrest(const BoxNumbers& numbers, BoxRun& run) {
  constexpr double kRest = 0.01;  // metres per second
  if (!run.failure.empty() || numbers.end_speed < kRest) return;
  run.failure =
      fmt::format("at the end the box still moves with {:.0f} mm/s: it did not settle", 1e3 * numbers.end_speed);
}

/// The recorder, if there is one, sees the first run.
BoxResult run_both(const BoxOptions& o, const BoxSetup& setup, BoxRecorder* recorder) {
  const Progress progress(Progress::Elsewhere::kLines);
  BoxResult out;
  out.setup = setup;
  const std::vector<std::pair<std::string, BoxTrouble>> runs{{"nominal", {}}, {name_of(o.trouble()), o.trouble()}};
  for (const auto& [name, trouble] : runs) {
    progress.show(out.runs.size(), runs.size() + 1, name);
    const bool watched = recorder && out.runs.empty();
    const auto watch = [recorder](double t, const BoxPlant& plant) { recorder->note(t, plant); };
    out.runs.push_back(run_box(out.setup, name, trouble, watched ? BoxWatcher(watch) : nullptr));
    out.numbers.push_back(numbers_of(out.setup, out.runs.back()));
    note_unrest(out.numbers.back(), out.runs.back());
  }
  progress.show(runs.size(), runs.size() + 1, "times");
  out.times = {measure_inertia_us(out.setup, out.runs.front().samples.back().q, o.effort()), out.runs.front().step_us};
  return out;
}

void write_page(const std::string& path, const BoxResult& result, nlohmann::json document) {
  if (!path.ends_with(".json")) document["drawing"] = drawing_of(result);
  write_output(path, path.ends_with(".json") ? document.dump() + "\n"
                                             : make_page("box", "A box on the floor - delassus demo", document.dump()));
}

/// `given` is what the user said of --output, perhaps nothing.
void require_beside_page(std::string_view option, const std::string& path, const std::string& given,
                         const std::string& output) {
  if (!is_same_file(path, output)) return;
  if (!given.empty()) throw Error(fmt::format("{} and --output name the same file; choose two", option));
  throw Error(fmt::format("{} names {}, where the page goes without --output; choose another name, or give --output",
                          option, in_quotes(path)));
}

int run(const BoxOptions& o) {
  const std::string output = o.output.empty() && !o.json ? "box.html" : o.output;
  require_writable("--output", output);
  require_plot(o.plot);
  require_beside_page("--plot", o.plot, o.output, output);
  require_writable("--html", o.viewer.path);
  require_beside_page("--html", o.viewer.path, o.output, output);
  if (is_same_file(o.viewer.path, o.plot)) throw Error("--html and --plot name the same file; choose two");
  const BoxSetup setup = make_box_setup(number_of(o.seconds));
  std::optional<BoxRecorder> recorder;
  if (o.viewer.wanted()) {
    recorder.emplace(setup, o.viewer.fps);
    o.viewer.require_possible(recorder->model(), setup.duration());
  }
  const BoxResult result = run_both(o, setup, recorder ? &*recorder : nullptr);
  if (recorder) o.viewer.write("A box on the floor", recorder->finish(result));
  const nlohmann::json document = document_of(result);
  if (!output.empty()) write_page(output, result, document);
  write_output("", o.json ? document.dump() + "\n"
                          : fmt::format("{}\npage: {}\n", as_text(result), std::filesystem::absolute(output).string()));
  if (!o.plot.empty()) plot(result, o.plot);
  return result.complete() ? kExitOk : kExitCheckFailed;
}

void add_box(Command& demo, int& exit_code) {
  auto options = std::make_shared<BoxOptions>();
  Command* sub = demo.add_subcommand("box", "A humanoid puts a box on the floor, and box.html shows it");
  sub->add_option("--seconds", options->seconds, "how long the box takes to the floor (default 2)")
      ->type_name("S")
      ->check(number_between(0.5, 20));
  sub->add_option("--mass-error", options->mass_error,
                  "of the second run: how wrong the controller's masses are (default 0.2)")
      ->type_name("SHARE")
      ->check(number_between(0, 0.9));
  sub->add_option("--delay", options->delay,
                  "of the second run: how late its torques are, in seconds, to the millisecond (default 0.001)")
      ->type_name("S")
      ->check(number_between(0, 0.1));
  sub->add_option("-o,--output", options->output,
                  "the page (default box.html; with --json none unless named); a name that ends in .json: its numbers")
      ->type_name("FILE")
      ->check(file_name());
  options->viewer.add_to(*sub, "also write a page that plays the first run in 3-D, in one file (docs/viewer.md)");
  add_plot(*sub, options->plot);
  sub->add_flag("--quick", options->quick, "shorter measurements of times: more noise");
  sub->add_flag("--json", options->json, "print the numbers as JSON, not a table");
  set_examples(*sub, {{"delassus demo box", "two runs in seconds, and box.html to watch them"},
                      {"delassus demo box --seconds 1 --mass-error 0.4 --delay 0.002", "harder for the controller"},
                      {"delassus demo box --plot box.svg", "also stills and the path of the box, in one drawing"},
                      {"delassus demo box --quick --json", "for programs"}});
  sub->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace

void add_demo(Command& app, int& exit_code) {
  Command* demo = app.add_subcommand("demo", "Shows what the library is for");
  add_box(*demo, exit_code);
  set_examples(*demo, {{"delassus demo box", "a humanoid puts a box on the floor; box.html shows it"},
                       {"delassus demo box --json", "its numbers, for programs"}});
}

}  // namespace delassus::cli
