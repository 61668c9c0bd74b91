#include <fmt/core.h>

#include <memory>

#include "command.hpp"
#include "summary.hpp"

namespace delassus::cli {
namespace {

void run(const ModelOptions& options) {
  const Scene scene = options.load();
  const Model& m = scene.model;
  int rows = 0, loops = 0;
  for (const Constraint& c : scene.constraints) {
    rows += row_count(c);
    loops += std::holds_alternative<LoopClosure>(c);
  }
  fmt::print("{}\n", one_line_summary(scene));
  fmt::print("loops {}, constraints {} with {} rows, shapes {}\n\n", loops, scene.constraints.size(), rows,
             m.description().shapes.size());
  fmt::print("{}", tree_text(m));
  if (!scene.constraints.empty()) fmt::print("\nconstraints\n{}", constraints_text(scene));
  fmt::print("\n{}", to_text(scene.report));
}

}  // namespace

void add_info(CLI::App& app) {
  auto options = std::make_shared<ModelOptions>();
  CLI::App* sub = app.add_subcommand("info", "Shows a model: tree, sizes, depth, loops, masses, load report");
  options->add_to(*sub);
  sub->callback([options] { run(*options); });
}

}  // namespace delassus::cli
