// `delassus info`: what is in a model.
#include <fmt/core.h>

#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/commands/model_json.hpp"
#include "cli/commands/summary.hpp"
#include "cli/commands/tree_svg.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/model_options.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/output_options.hpp"
#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

struct InfoOptions {
  ModelOptions model;
  std::string plot;
  OutputOptions output;
};

std::string as_text(const Scene& scene) {
  int rows = 0, loops = 0;
  for (const Constraint& c : scene.constraints) {
    rows += row_count(c);
    loops += std::holds_alternative<LoopClosure>(c);
  }
  std::string text =
      fmt::format("{}\n{}, {} with {}, {}\n\n", one_line_summary(scene), counted(loops, "loop"),
                  counted(static_cast<int>(scene.constraints.size()), "constraint"), counted(rows, "row"),
                  counted(static_cast<int>(scene.model.description().shapes.size()), "shape"));
  if (!scene.recipe.empty()) text += fmt::format("made by {}\n\n", printable(scene.recipe));
  text += tree_text(scene.model);
  if (!scene.constraints.empty()) text += "\nconstraints\n" + constraints_text(scene);
  return text + "\n" + for_terminal(to_text(scene.report));
}

void require_writable_plot(const InfoOptions& options) {
  if (options.plot.empty()) return;
  if (!options.plot.ends_with(".svg")) {
    throw Error(fmt::format("--plot {}: the name has to end in .svg", in_quotes(options.plot)));
  }
  require_writable("--plot", options.plot);
  if (is_same_file(options.plot, options.output.path))
    throw Error("--plot and --output name the same file; choose two");
}

void run(const InfoOptions& options) {
  options.output.require_writable();
  require_writable_plot(options);
  const Scene scene = options.model.load();
  if (!options.plot.empty()) write_output(options.plot, tree_svg(scene));
  if (options.output.wants_json()) return options.output.write(as_json(scene));
  options.output.write(as_text(scene));
}

}  // namespace

void add_info(Command& app) {
  auto options = std::make_shared<InfoOptions>();
  Command* sub = app.add_subcommand("info", "Shows a model: tree, sizes, masses, constraints, and what was not read");
  options->model.add_to(*sub);
  sub->add_option("--plot", options->plot, "also draw the tree and its constraints into a file .svg")
      ->type_name("FILE")
      ->check(file_name());
  options->output.add_to(*sub);
  set_examples(*sub, {{"delassus info go2", "a robot that is known by name"},
                      {"delassus info robot.urdf --floating --strict", "a file; doubtful physics is an error"},
                      {"delassus info cassie-standing --plot cassie.svg", "also a drawing, with loops and contacts"},
                      {"delassus info g1 --json", "for programs"}});
  sub->callback([options] { run(*options); });
}

}  // namespace delassus::cli
