#include <fmt/core.h>

#include <filesystem>

#include "command.hpp"
#include "delassus/io/embedded.hpp"
#include "delassus/math/error.hpp"

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

}  // namespace

void ModelOptions::add_to(CLI::App& app) {
  app.add_option("MODEL", model, "a URDF or MJCF file, a scene .json, or an embedded robot: " + embedded_robot_names())
      ->required();
  auto* floats =
      app.add_flag("--floating", floating, "URDF: put a free joint under the root (default for embedded ones)");
  app.add_flag("--fixed", fixed, "URDF: fix the root to the world (default for files)")->excludes(floats);
  app.add_flag("--strict", strict, "reject physically doubtful data instead of warning");
}

Scene ModelOptions::load() const {
  UrdfOptions options;
  options.strict = strict;
  const bool is_file = std::filesystem::exists(model);
  const EmbeddedFile* embedded = is_file ? nullptr : find_embedded("robots", model);
  if (!is_file && !embedded) {
    throw Error(
        fmt::format("'{}' is neither a file nor an embedded robot (embedded: {})", model, embedded_robot_names()));
  }
  const bool says_itself = embedded ? embedded->extension != ".urdf" : model.ends_with(".json");
  if ((floating || fixed) && says_itself) {
    throw Error(fmt::format("'{}' is {}, which says itself how its base is held; leave out --floating and --fixed",
                            model, embedded ? "an MJCF model" : "a scene"));
  }
  const bool floats = floating || (embedded && !fixed);
  options.base = floats ? UrdfOptions::Base::kFloating : UrdfOptions::Base::kFixed;
  Scene scene = embedded ? load_embedded_robot(model, options) : delassus::load(model, options);
  if (strict && !scene.report.warnings.empty())
    throw Error("strict reading refuses warnings:\n" + to_text(scene.report));
  for (const std::string& text : contacts) scene.constraints.emplace_back(parse_contact(scene.model, text));
  return scene;
}

}  // namespace delassus::cli
