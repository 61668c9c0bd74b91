// `delassus tour`: a robot in two contact sets, by everything that the library has; and report.html about it.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/commands/summary.hpp"
#include "cli/pages/json_text.hpp"
#include "cli/pages/web_page.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/exit_code.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/model_options.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/progress.hpp"
#include "cli/tour/document.hpp"
#include "cli/tour/text.hpp"

namespace delassus::cli {
namespace {

struct TourOptions {
  ModelOptions model;
  std::string output;
  bool quick = false, json = false;

  /// Many short samples: most of them fit between the turns that other programs get. An operator of which a call takes
  /// a tenth of a second is left out: the tour is to take seconds.
  Effort effort() const { return quick ? Effort{3, 200, 2e4, 1e5} : Effort{101, 400, 2e5, 1e5}; }
  Effort growth_effort() const { return quick ? Effort{3, 100, 1e4, 1e5} : Effort{41, 300, 5e4, 5e4}; }
  int most_growth_rows() const { return quick ? 40 : 200; }
};

/// Says how far the tour is, and prints what there is to print.
TourResult run_tour(const TourOptions& o) {
  const std::vector<ContactSet> sets = make_contact_sets(o.model);
  const std::size_t steps = sets.size() + 1;
  const Progress progress(Progress::Elsewhere::kLines);
  TourResult out{{}, {}, o.effort()};
  if (!o.json) write_output("", for_terminal(one_line_summary(sets[0].scene)) + "\n");
  for (const ContactSet& set : sets) {
    progress.show(out.sets.size(), steps, set.name + ": every operator");
    out.sets.push_back(run_set(set, o.effort()));
    progress.clear();
    if (!o.json) write_output("", for_terminal(as_text(out.sets.back())));
  }
  const auto on_size = [&](std::size_t at, std::size_t of) {
    progress.show(sets.size(), steps, fmt::format("growth with constraints, size {} of {}", at + 1, of));
  };
  out.growth = measure_growth(sets.back().scene, o.growth_effort(), o.most_growth_rows(), on_size);
  return out;
}

/// The page, or its numbers alone if the name says so.
void write_report(const std::string& path, const TourResult& result, const std::string& document) {
  const std::string title = result.model().name() + " - delassus tour";
  write_output(path, path.ends_with(".json") ? document + "\n" : make_page("report", title, document));
}

int run(const TourOptions& o) {
  const std::string output = o.output.empty() && !o.json ? "report.html" : o.output;
  require_writable("--output", output);
  const TourResult result = run_tour(o);
  const std::string document = to_text(document_of(result));
  if (!output.empty()) write_report(output, result, document);
  write_output("", o.json ? document + "\n"
                          : for_terminal(fmt::format("{}report: {}\n", legend_text(),
                                                     std::filesystem::absolute(output).string())));
  return result.agrees() ? kExitOk : kExitCheckFailed;
}

}  // namespace

void add_tour(Command& app, int& exit_code) {
  auto options = std::make_shared<TourOptions>();
  options->model.model = "go2";  // whose legs the condensed operator carries
  Command* sub = app.add_subcommand("tour", "Shows a robot in contact by every algorithm, and writes report.html");
  options->model.add_to(*sub);
  sub->add_option(
         "-o,--output", options->output,
         "the report (default report.html; with --json none unless named); a name that ends in .json: its numbers")
      ->type_name("FILE")
      ->check(file_name());
  sub->add_flag("--quick", options->quick, "fewer and shorter runs: more noise");
  sub->add_flag("--json", options->json, "print the numbers of the report as JSON, not tables");
  set_examples(*sub, {{"delassus tour", "Go2, standing and fallen: a minute at most, and report.html"},
                      {"delassus tour g1 --quick -o g1.html", "another robot, in seconds"},
                      {"delassus tour robot.urdf --floating --quick", "a file of your own"},
                      {"delassus tour panda --quick --json", "for programs"}});
  sub->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace delassus::cli
