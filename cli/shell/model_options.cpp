#include "cli/shell/model_options.hpp"

#include <fmt/core.h>

#include "cli/shell/argument_values.hpp"
#include "cli/shell/known_names.hpp"
#include "cli/shell/output_file.hpp"
#include "delassus/math/error.hpp"
#include "delassus/scenes/load_named.hpp"

namespace delassus::cli {
namespace {

/// What shows the names that are known.
constexpr std::string_view kList = "`delassus list`";

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

}  // namespace

void ModelOptions::add_to(Command& app) {
  add_model(app, model_names());
  app.add_option("--contact", contacts, "add a point contact with the ground; may be repeated")
      ->type_name("FRAME[:x,y,z]");
}

void ModelOptions::add_model(Command& app, std::vector<std::string> names) {
  Option* option =
      app.add_option("MODEL", model, "a URDF or MJCF file, a scene .json, or a name that `delassus list` shows")
          ->check(such_as(std::move(names)));
  if (model.empty()) option->required();
  auto* floats =
      app.add_flag("--floating", floating, "URDF: put a free joint under the root (default for embedded ones)");
  app.add_flag("--fixed", fixed, "URDF: fix the root to the world (default for files)")->excludes(floats);
  app.add_option("--package-path", package_paths,
                 "URDF: a folder in which packages of package:// are, or such a package; may be repeated")
      ->type_name("FOLDER");
  app.add_flag("--strict", strict, "reject physically doubtful data instead of warning");
}

bool ModelOptions::is_scene() const { return delassus::is_scene(model, find_source(model, kList)); }

bool ModelOptions::is_embedded_robot() const { return find_source(model, kList) == ModelSource::kRobot; }

Scene ModelOptions::load() const {
  NamedOptions options{.strict = strict, .base_choice = "--floating and --fixed", .list = kList};
  if (floating) options.base = UrdfOptions::Base::kFloating;
  if (fixed) options.base = UrdfOptions::Base::kFixed;
  options.package_paths = package_paths;
  Scene scene = load_named(model, options);
  require_unread(scene.report);
  for (const std::string& text : contacts) scene.constraints.emplace_back(parse_contact(scene.model, text));
  return scene;
}

}  // namespace delassus::cli
