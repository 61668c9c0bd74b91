// The drawing of `delassus bench table1`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace delassus::cli {

/// Draws the scenes that the command writes as JSON: for every call the times of all operators, one line for each scene.
void plot_table1(const nlohmann::json& scenes, const std::string& path);

}  // namespace delassus::cli
