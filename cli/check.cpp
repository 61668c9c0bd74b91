// `delassus check`: recomputes what a reference file says and compares.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "check_file.hpp"
#include "command.hpp"
#include "delassus/math/error.hpp"
#include "delassus_matrix.hpp"

namespace delassus::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::string models = ".";
  std::string algorithm = "all";
  bool json = false;
};

void print_line(const FileCheck& check) {
  std::string line = fmt::format("{:5} {}", check.ok ? "ok" : "FAIL", check.name);
  for (const auto& [quantity, error] : check.errors) line += fmt::format("  {} {:.1e}", quantity, error);
  for (const auto& [quantity, algorithms] : check.algorithm_errors) {
    for (const auto& [algorithm, error] : algorithms)
      line += fmt::format("  {}[{}] {:.1e}", quantity, algorithm, error);
  }
  if (!check.message.empty()) line += "  " + check.message;
  fmt::print("{}\n", line);
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
  require_algorithm_or("all", options.algorithm);
  const std::vector<std::string> algorithms =
      options.algorithm == "all" ? algorithm_names() : std::vector<std::string>{options.algorithm};
  nlohmann::json list = nlohmann::json::array();
  int failed = 0;
  for (const std::string& file : options.files) {
    const FileCheck check = check_file(file, options.models, algorithms);
    failed += !check.ok;
    if (options.json) {
      list.push_back(as_json(check));
    } else {
      print_line(check);
    }
  }
  if (options.json) {
    fmt::print("{}\n", nlohmann::json{{"files", list}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("{} of {} files ok\n", options.files.size() - failed, options.files.size());
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* sub = app.add_subcommand("check", "Recomputes reference files and compares; exit code 1 if one fails");
  sub->add_option("FILE", options->files, "reference files")->required();
  sub->add_option("--models", options->models, "folder that the files' model paths start from");
  sub->add_option("--algorithm", options->algorithm,
                  fmt::format("for the Delassus matrices: {}; or all (default)", fmt::join(algorithm_names(), ", ")));
  sub->add_flag("--json", options->json, "print one JSON object instead of lines");
  sub->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace delassus::cli
