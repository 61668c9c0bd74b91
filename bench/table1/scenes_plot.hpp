// The drawing of `delassus bench table1` and of `delassus bench constrained`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace delassus::cli {

/// Draws the scenes that the command writes as JSON: for every call (`name`, `title`) the times of all operators, one line for
/// each scene.
void plot_scenes(const nlohmann::json& scenes, const nlohmann::json& calls, const std::string& path);

}  // namespace delassus::cli
