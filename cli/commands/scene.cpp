// `delassus scene`: runs the recipe of a scene.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/known_names.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/output_options.hpp"
#include "delassus/math/error.hpp"
#include "scenes/recipes.hpp"

namespace delassus::cli {
namespace {

struct SceneOptions {
  std::string name;
  std::string folder;
  OutputOptions output;
};

/// What came of it goes to standard error: a run takes seconds.
std::string follow(std::string_view name) {
  SettledRun run;
  std::string text = write_run_recipe(name, &run);
  if (run.steps > 0) {
    fmt::print(stderr, "{}: at rest after {:.2f} s and {} steps, {} of them inexact; {:.1e} J, penetration {:.1e} m\n",
               name, run.time, run.steps, run.inexact_steps, run.kinetic_energy, run.penetration);
  }
  return text;
}

void write_all(const SceneOptions& options) {
  std::vector<std::string> paths;
  for (const SceneRecipe& recipe : scene_recipes()) {
    const std::filesystem::path path = std::filesystem::path(options.folder) / (std::string(recipe.name) + ".json");
    require_writable("--all", path.string());
    write_output(path.string(), follow(recipe.name));
    paths.push_back(path.string());
  }
  if (options.output.wants_json()) return options.output.write(nlohmann::json{{"files", paths}});
  options.output.write(fmt::format("{}\n", fmt::join(paths, "\n")));
}

void run(const SceneOptions& options) {
  if (options.name.empty() == options.folder.empty()) {
    throw Error("give the SCENE to make, or --all FOLDER; `delassus list` shows the scenes");
  }
  options.output.require_writable();
  if (!options.folder.empty()) return write_all(options);
  options.output.write(follow(options.name));
}

}  // namespace

void add_scene(Command& app) {
  auto options = std::make_shared<SceneOptions>();
  Command* sub =
      app.add_subcommand("scene", "Makes a scene by its recipe and writes it as a scene file, which is JSON");
  sub->add_option("SCENE", options->name, "a scene of `delassus list`, such as go2-fallen or swimmer:30")
      ->check(such_as(scene_names()));
  sub->add_option("--all", options->folder, "write every scene that has a recipe into this folder, and list the files")
      ->type_name("FOLDER");
  options->output.add_to(*sub);
  set_examples(*sub, {{"delassus scene go2-fallen -o fallen.json", "a robot on the ground, as a file to change"},
                      {"delassus scene swimmer:30 -o swimmer.json", "a mechanism of the papers, with 30 links"},
                      {"delassus scene --all .", "all scenes that have a recipe: a minute"}});
  sub->callback([options] { run(*options); });
}

}  // namespace delassus::cli
