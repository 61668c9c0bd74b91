// `delassus scene`: runs the recipe of a scene.
#include <fmt/core.h>

#include <filesystem>
#include <memory>

#include "command.hpp"
#include "delassus/io/scene_recipes.hpp"
#include "delassus/math/error.hpp"
#include "output_file.hpp"

namespace delassus::cli {
namespace {

struct SceneOptions {
  std::string name;
  std::string output;
  std::string folder;
};

void write_all(const std::string& folder) {
  for (const SceneRecipe& recipe : scene_recipes()) {
    const std::filesystem::path path = std::filesystem::path(folder) / (std::string(recipe.name) + ".json");
    write_output(path.string(), write_made_scene(recipe.name));
    fmt::print("{}\n", path.string());
  }
}

void run(const SceneOptions& options) {
  if (options.name.empty() == options.folder.empty()) throw Error("give the NAME of a scene, or --all FOLDER");
  if (!options.folder.empty()) return write_all(options.folder);
  write_output(options.output, write_made_scene(options.name));
}

}  // namespace

void add_scene(CLI::App& app) {
  auto options = std::make_shared<SceneOptions>();
  CLI::App* sub = app.add_subcommand("scene", "Makes a scene by its recipe and writes it as JSON");
  sub->add_option("NAME", options->name, "a scene of `delassus list`, such as go2-fallen or swimmer:30");
  sub->add_option("-o,--output", options->output, "file to write; default stdout");
  sub->add_option("--all", options->folder, "write every scene that has a recipe into this folder");
  sub->callback([options] { run(*options); });
}

}  // namespace delassus::cli
