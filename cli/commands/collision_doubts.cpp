#include "cli/commands/collision_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/wording.hpp"

namespace delassus::cli {

bool can_collide(const Model& model) {
  const std::vector<ShapeDescription>& shapes = model.description().shapes;
  return std::any_of(shapes.begin(), shapes.end(), [&](const ShapeDescription& shape) {
    return shape.body != kWorld && model.frame(model.body_frame(shape.body)).link != kWorld;
  });
}

std::vector<std::string> collision_doubts(const Scene& scene, bool ground) {
  std::vector<std::string> out;
  if (const std::string missing = describe_missing(scene.report); !missing.empty()) {
    const bool package = scene.report.missing.front().name.starts_with("package://");
    out.push_back(fmt::format("{}: {}{}", printable(scene.report.file), missing,
                              package ? "; name the folder that holds the package with --package-path" : ""));
  }
  if (ground && !can_collide(scene.model)) {
    out.push_back(fmt::format("{} has no collision shapes, so nothing touches the ground or anything else",
                              in_quotes(scene.model.name())));
  }
  return out;
}

}  // namespace delassus::cli
