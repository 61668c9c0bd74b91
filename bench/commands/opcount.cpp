// `delassus opcount`: what each explicit algorithm costs on the mechanisms of the papers.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "bench/commands/commands.hpp"
#include "bench/operations/operation_plot.hpp"
#include "bench/operations/operation_report.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/bench_commands.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/output_options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/python_plot.hpp"
#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

struct OpcountOptions {
  std::string study;
  std::string frames = "world";
  std::string plot;
  bool inverse = false;
  bool list = false;
  OutputOptions output;
};

void list_cases(const OutputOptions& output) {
  nlohmann::json cases = nlohmann::json::array();
  std::string text;
  for (const OperationCase& c : operation_cases()) {
    cases.push_back({{"name", c.name}, {"description", c.description}});
    text += fmt::format("{:<18}{}\n", c.name, c.description);
  }
  if (output.wants_json()) return output.write(nlohmann::json{{"cases", cases}});
  output.write(text);
}

void run(const OpcountOptions& o) {
  o.output.require_writable();
  if (o.list) return list_cases(o.output);
  if (o.study.empty()) throw Error("give a CASE; `delassus opcount --list` shows them");
  const OperationCase& study = find_operation_case(o.study);
  require_plot(o.plot);
  const CountedFrames frames = o.frames == "world"   ? CountedFrames::kWorldAxes
                               : o.frames == "local" ? CountedFrames::kLinkAxes
                                                     : CountedFrames::kLinkAxesFolded;
  const CountedResult result = o.inverse ? CountedResult::kMatrixAndInverse : CountedResult::kMatrix;
  const Progress progress(Progress::Elsewhere::kSilent);
  const OperationStudy counted = count_case(
      study, frames, result, [&](std::size_t at, std::size_t of) { progress.show(at, of, "counting " + o.study); });
  progress.clear();
  const nlohmann::json json = as_json(counted);
  if (!o.plot.empty()) plot(json, o.plot);
  if (o.output.wants_json()) return o.output.write(json);
  o.output.write(as_text(counted));
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const OperationCase& c : operation_cases()) names.emplace_back(c.name);
  return names;
}

}  // namespace

void add_opcount(Command& app) {
  auto options = std::make_shared<OpcountOptions>();
  Command* sub = app.add_subcommand(kOpcount.name, kOpcount.description);
  sub->add_option("CASE", options->study, "a name that --list shows, such as k2chain or atlas-hands")
      ->check(such_as(case_names()));
  sub->add_flag("--list", options->list, "list the cases");
  sub->add_option(
         "--frames", options->frames,
         "world: as the library computes (default); local: in the axes of links, as the papers; folded: local, without "
         "operations on zeros and ones, as code generators count")
      ->type_name("FRAMES")
      ->check(one_of("kind of frames", {"world", "local", "folded"}));
  sub->add_flag(
      "--inverse", options->inverse,
      "also the consistent inverse J̄ = M⁻¹ Jᵀ Λ from Λ, whose own making is the same for all and not counted");
  add_plot(*sub, options->plot);
  options->output.add_to(*sub);
  set_examples(*sub, {{"delassus opcount --list", "the mechanisms"},
                      {"delassus opcount atlas-hands", "one of them: totals and stages"},
                      {"delassus opcount stem --plot stem.svg", "growth, as a drawing too"},
                      {"delassus opcount asimo-hf --frames local --inverse", "Λ⁻¹ and J̄ together"},
                      {"delassus opcount asimo-hf --frames folded --json", "as code generators count"}});
  sub->callback([options] { run(*options); });
}

}  // namespace delassus::cli
