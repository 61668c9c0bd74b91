// Options that name a model.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/options.hpp"
#include "delassus/io/scene.hpp"

namespace delassus::cli {

/// The options with which a subcommand takes a model.
struct ModelOptions {
  std::string model;  // path, or name of a robot or scene that `delassus list` shows
  bool floating = false;
  bool fixed = false;
  bool strict = false;
  std::vector<std::string> package_paths;  // folders of packages
  std::vector<std::string> contacts;       // FRAME or FRAME:x,y,z

  /// With the argument MODEL, which is required unless there is one already.
  void add_to(Command& app);
  /// The same without contacts, for commands that find them themselves; completion offers these names.
  void add_model(Command& app, std::vector<std::string> names);
  /// Whether the model is a scene, which says itself what holds it. Throws an Error if there is no such model.
  bool is_scene() const;
  /// Whether it is a robot that the library carries, and no file of that name.
  bool is_embedded_robot() const;
  /// Loads the model and adds the contacts. Throws an Error.
  Scene load() const;
};

}  // namespace delassus::cli
