#include <fmt/core.h>

#include <memory>

#include "command.hpp"
#include "delassus/math/error.hpp"
#include "model/wording.hpp"
#include "output_file.hpp"
#include "summary.hpp"
#include "tree_svg.hpp"

namespace delassus::cli {
namespace {

struct InfoOptions {
  ModelOptions model;
  std::string svg;
};

void run(const InfoOptions& options) {
  if (is_same_file(options.svg, options.model.model)) throw Error("--svg names the model's own file; choose another");
  const Scene scene = options.model.load();
  const Model& m = scene.model;
  int rows = 0, loops = 0;
  for (const Constraint& c : scene.constraints) {
    rows += row_count(c);
    loops += std::holds_alternative<LoopClosure>(c);
  }
  fmt::print("{}\n", one_line_summary(scene));
  fmt::print("{}, {} with {}, {}\n\n", counted(loops, "loop"),
             counted(static_cast<int>(scene.constraints.size()), "constraint"), counted(rows, "row"),
             counted(static_cast<int>(m.description().shapes.size()), "shape"));
  if (!scene.recipe.empty()) fmt::print("made by {}\n\n", printable(scene.recipe));
  fmt::print("{}", tree_text(m));
  if (!scene.constraints.empty()) fmt::print("\nconstraints\n{}", constraints_text(scene));
  fmt::print("\n{}", for_terminal(to_text(scene.report)));
  if (!options.svg.empty()) write_output(options.svg, tree_svg(scene));
}

}  // namespace

void add_info(CLI::App& app) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* sub = app.add_subcommand("info", "Shows a model: tree, sizes, depth, loops, masses, load report");
  options->model.add_to(*sub);
  sub->add_option("--svg", options->svg, "also draw the tree and its constraints, as a file that a browser shows");
  sub->callback([options] { run(*options); });
}

}  // namespace delassus::cli
