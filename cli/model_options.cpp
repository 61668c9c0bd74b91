#include <fmt/core.h>

#include <filesystem>

#include "argument_values.hpp"
#include "command.hpp"
#include "delassus/constraints/generated_scenes.hpp"
#include "delassus/io/embedded.hpp"
#include "delassus/io/scene_recipes.hpp"
#include "delassus/math/error.hpp"
#include "files_beside.hpp"
#include "known_names.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

/// "foot" or "foot:0.1,0,-0.05".
PointContact parse_contact(const Model& model, const std::string& text) {
  PointContact contact;
  contact.name = text;
  const std::size_t colon = text.rfind(':');
  // A frame's own name may contain a colon.
  if (colon == std::string::npos || model.has_frame(text)) {
    contact.a = attach(model, text);
    return contact;
  }
  Vec3<double> point{};
  int used = 0;
  const std::string numbers = text.substr(colon + 1);
  if (std::sscanf(numbers.c_str(), "%lf,%lf,%lf%n", &point[0], &point[1], &point[2], &used) != 3 ||
      used != static_cast<int>(numbers.size())) {
    throw Error(fmt::format("--contact {}: after the colon three numbers are needed, such as foot:0.1,0,-0.05", text));
  }
  contact.a = attach(model, text.substr(0, colon), point);
  return contact;
}

/// What a MODEL can be.
enum class Source { kFile, kRobot, kScene, kGenerated };

Source source_of(const std::string& model) {
  if (std::filesystem::exists(model)) return Source::kFile;
  if (find_embedded("robots", model)) return Source::kRobot;
  if (find_embedded("scenes", model)) return Source::kScene;
  if (is_generated_scene(model)) return Source::kGenerated;
  ClosestName closest(model);
  const std::vector<std::string> names = model_names(), files = files_beside(model);
  for (const std::string& name : names) closest.consider(name);
  for (const std::string& file : files) closest.consider(file);
  throw Error(
      fmt::format("{} is neither a file nor a robot or scene that is known by name{}; `delassus list` shows them",
                  in_quotes(model), closest.hint()));
}

bool names_scene(const std::string& model, Source source) {
  return source == Source::kScene || source == Source::kGenerated ||
         (source == Source::kFile && format_of(model) == FileFormat::kScene);
}

/// Why --floating and --fixed do not apply to it; empty if they do.
std::string_view says_itself(const std::string& model, Source source) {
  if (names_scene(model, source)) return "a scene";
  const bool urdf = source == Source::kRobot ? find_embedded("robots", model)->extension == ".urdf"
                                             : format_of(model) == FileFormat::kUrdf;
  return urdf ? "" : "an MJCF model";
}

Scene load_from(const std::string& model, Source source, const UrdfOptions& options) {
  switch (source) {
    case Source::kFile:
      return delassus::load(model, options);
    case Source::kRobot:
      return load_embedded_robot(model, options);
    case Source::kScene:
      return load_embedded_scene(model);
    case Source::kGenerated:
      return make_scene(model);
  }
  throw Error("no such source");
}

}  // namespace

void ModelOptions::add_to(CLI::App& app) {
  CLI::Option* option =
      app.add_option("MODEL", model, "a URDF or MJCF file, a scene .json, or a name that `delassus list` shows")
          ->check(such_as(model_names()));
  if (model.empty()) {
    option->required();
  } else {
    option->capture_default_str();
  }
  auto* floats =
      app.add_flag("--floating", floating, "URDF: put a free joint under the root (default for embedded ones)");
  app.add_flag("--fixed", fixed, "URDF: fix the root to the world (default for files)")->excludes(floats);
  app.add_flag("--strict", strict, "reject physically doubtful data instead of warning");
  app.add_option("--contact", contacts, "add a point contact with the ground; may be repeated")
      ->type_name("FRAME[:x,y,z]")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

bool ModelOptions::is_scene() const { return names_scene(model, source_of(model)); }

bool ModelOptions::is_embedded_robot() const { return source_of(model) == Source::kRobot; }

Scene ModelOptions::load() const {
  const Source source = source_of(model);
  if (const std::string_view what = says_itself(model, source); (floating || fixed) && !what.empty()) {
    throw Error(fmt::format("{} is {}, which says itself how its base is held; leave out --floating and --fixed{}",
                            in_quotes(model), what,
                            what == "a scene" ? "" : ", and add or remove the <freejoint/> of its root body"));
  }
  UrdfOptions options;
  options.strict = strict;
  const bool floats = floating || (source == Source::kRobot && !fixed);
  options.base = floats ? UrdfOptions::Base::kFloating : UrdfOptions::Base::kFixed;
  Scene scene = load_from(model, source, options);
  if (strict && !scene.report.warnings.empty())
    throw Error("strict reading refuses warnings:\n" + to_text(scene.report));
  for (const std::string& text : contacts) scene.constraints.emplace_back(parse_contact(scene.model, text));
  return scene;
}

}  // namespace delassus::cli
