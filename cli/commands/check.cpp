// `delassus check`: recomputes what a reference file says and compares.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/check_file.hpp"
#include "cli/commands/commands.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/delassus_matrix.hpp"
#include "cli/shell/exit_code.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/output_options.hpp"
#include "cli/shell/progress.hpp"

namespace delassus::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::string models = ".";
  std::string algorithm = "all";
  OutputOptions output;
};

std::string as_line(const FileCheck& check) {
  std::string line = fmt::format("{:5} {}", check.ok ? "ok" : "FAIL", check.name);
  for (const auto& [quantity, error] : check.errors) line += fmt::format("  {} {:.1e}", quantity, error);
  for (const auto& [quantity, algorithms] : check.algorithm_errors) {
    for (const auto& [algorithm, error] : algorithms)
      line += fmt::format("  {}[{}] {:.1e}", quantity, algorithm, error);
  }
  if (!check.message.empty()) line += "  " + check.message;
  return for_terminal(line) + "\n";
}

nlohmann::json as_json(const FileCheck& check) {
  nlohmann::json errors = nlohmann::json::object();
  for (const auto& [quantity, error] : check.errors) errors[quantity] = error;
  for (const auto& [quantity, algorithms] : check.algorithm_errors) errors[quantity] = algorithms;
  nlohmann::json out{{"name", check.name}, {"ok", check.ok}, {"errors", errors}};
  if (!check.message.empty()) out["message"] = check.message;
  return out;
}

int run(const CheckOptions& options) {
  options.output.require_writable();
  for (const std::string& file : options.files) require_unread(file);
  const std::vector<std::string> algorithms =
      options.algorithm == "all" ? algorithm_names() : std::vector<std::string>{options.algorithm};
  const Progress progress(Progress::Elsewhere::kSilent);
  nlohmann::json list = nlohmann::json::array();
  std::string text;
  std::size_t passed = 0;
  for (std::size_t k = 0; k < options.files.size(); ++k) {
    progress.show(k, options.files.size(), for_terminal(options.files[k]));
    const FileCheck check = check_file(options.files[k], options.models, algorithms);
    passed += check.ok;
    list.push_back(as_json(check));
    text += as_line(check);
  }
  progress.clear();
  const bool ok = passed == options.files.size();
  if (options.output.wants_json()) {
    options.output.write(nlohmann::json{{"ok", ok}, {"files", list}});
  } else {
    options.output.write(text + fmt::format("{} of {} files ok\n", passed, options.files.size()));
  }
  return ok ? kExitOk : kExitCheckFailed;
}

}  // namespace

void add_check(Command& app, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  std::vector<std::string> algorithms = algorithm_names_with_code();
  algorithms.emplace_back("all");
  Command* sub = app.add_subcommand("check", "Recomputes reference files and compares; exit code 1 if one fails");
  sub->add_option("FILE", options->files, "reference files: what another engine computed")->required();
  sub->add_option("--models", options->models, "folder that the files' model paths start from (default: this one)")
      ->type_name("FOLDER");
  sub->add_option("--algorithm", options->algorithm,
                  fmt::format("for the Delassus matrices: {}; or all (default), but for generated",
                              fmt::join(algorithm_names_with_code(), ", ")))
      ->type_name("ALGORITHM")
      ->check(one_of("algorithm", algorithms));
  options->output.add_to(*sub);
  set_examples(*sub, {{"delassus check reference/*.json --models reference", "all files of a folder, all algorithms"},
                      {"delassus check reference/pendulum.json --models reference --algorithm ltl", "one, by LTL"},
                      {"delassus check reference/*.json --models reference -o report.json", "for programs"}});
  sub->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace delassus::cli
