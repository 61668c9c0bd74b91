// load_named(): whatever a user may name as a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "delassus/io/load.hpp"

namespace delassus {

struct NamedOptions {
  /// How the root of a URDF is held. Nothing: floating for robots that the library carries, fixed for files. MJCF models
  /// and scenes say that themselves: asking for it is an Error.
  std::optional<UrdfOptions::Base> base = std::nullopt;
  /// Whether what would be a warning in the report is an Error.
  bool strict = false;
  /// As those of UrdfOptions.
  std::vector<std::string> package_paths = {};
  // For messages: what the user leaves out to choose no base, and what shows the known names.
  std::string_view base_choice = "NamedOptions::base";
  std::string_view list = "`delassus list`";
};

enum class ModelSource : std::uint8_t { kFile, kRobot, kScene, kGenerated };

/// What a name stands for, in the order of load_named. Throws an Error with the closest name if it is none of them.
ModelSource find_source(const std::string& name, std::string_view list = NamedOptions().list);
/// Whether it is a scene, which says itself how its base is held.
bool is_scene(const std::string& name, ModelSource source);

/// Reads a file if there is one of that name, else an embedded robot, else an embedded scene, else makes a generated scene
/// such as "stem:5x2". Throws an Error with the closest name if it is none of them.
Scene load_named(const std::string& name, const NamedOptions& options = {});

}  // namespace delassus
