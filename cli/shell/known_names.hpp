// Names of models and scenes, for completion and hints. `delassus list` says more of each.
#pragma once

#include <string>
#include <vector>

namespace delassus::cli {

/// Scenes that are carried as files, and generated ones without their numbers.
std::vector<std::string> scene_names();

/// The scenes, and the robots.
std::vector<std::string> model_names();

}  // namespace delassus::cli
