// `delassus opcount`: what each explicit algorithm costs on the mechanisms of the papers.
#include <fmt/core.h>

#include <memory>

#include "command.hpp"
#include "delassus/math/error.hpp"
#include "operation_plot.hpp"
#include "operation_report.hpp"
#include "progress.hpp"
#include "python_plot.hpp"

namespace delassus::cli {
namespace {

struct OpcountOptions {
  std::string study;
  std::string frames = "world";
  std::string plot;
  bool json = false, list = false;
};

void print_cases() {
  for (const OperationCase& c : operation_cases()) fmt::print("{:<18}{}\n", c.name, c.description);
}

void run(const OpcountOptions& o) {
  if (o.list) return print_cases();
  if (o.study.empty()) throw Error("give a CASE; `delassus opcount --list` shows them");
  const OperationCase& study = find_operation_case(o.study);
  if (!o.plot.empty()) require_plot_name(o.plot);
  const CountedFrames frames = o.frames == "world"   ? CountedFrames::kWorldAxes
                               : o.frames == "local" ? CountedFrames::kLinkAxes
                                                     : CountedFrames::kLinkAxesFolded;
  const Progress progress(Progress::Elsewhere::kSilent);
  const OperationStudy counted =
      count_case(study, frames, [&](std::size_t at, std::size_t of) { progress.show(at, of, "counting " + o.study); });
  progress.clear();
  const nlohmann::json json = as_json(counted);
  fmt::print("{}", o.json ? json.dump() + "\n" : as_text(counted));
  if (!o.plot.empty()) plot(json, o.plot);
}

}  // namespace

void add_opcount(CLI::App& app) {
  auto options = std::make_shared<OpcountOptions>();
  CLI::App* sub =
      app.add_subcommand("opcount", "Counts the operations of every algorithm on a mechanism of the papers");
  sub->add_option("CASE", options->study, "a name that --list shows, such as k2chain or atlas-hands");
  sub->add_option(
         "--frames", options->frames,
         "world: as the library computes (default); local: in the axes of links, as the papers; folded: local, without "
         "operations on zeros and ones, as code generators count")
      ->check(CLI::IsMember({"world", "local", "folded"}));
  sub->add_flag("--json", options->json, "print one JSON object instead of a table");
  sub->add_option("--plot", options->plot, "also draw it into a file .svg, .png or .pdf (needs python3-matplotlib)");
  sub->add_flag("--list", options->list, "list the cases");
  sub->callback([options] { run(*options); });
}

}  // namespace delassus::cli
