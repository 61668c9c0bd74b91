// Operation counts as a drawing, made by matplotlib.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace delassus::cli {

/// Throws an Error unless the file's name ends as matplotlib is asked to write: .svg, .png or .pdf. To be called before the
/// counting, which takes longer.
void require_plot_name(const std::string& path);

/// `study` is what as_json gives. Throws an Error that names the package if python3 or matplotlib is missing.
void plot(const nlohmann::json& study, const std::string& path);

}  // namespace delassus::cli
