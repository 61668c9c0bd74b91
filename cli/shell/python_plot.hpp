// Drawings made by matplotlib, in an interpreter of its own.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/shell/options.hpp"

namespace delassus::cli {

/// The option --plot.
void add_plot(Command& app, std::string& path);

/// Throws an Error unless the file can be written and its name ends as matplotlib is asked to write: .svg, .png or .pdf.
/// To be called before the work of which the result is drawn, which takes longer. An empty path is no drawing.
void require_plot(const std::string& path);

/// Runs a script in Python that finds `study` and `plt` and leaves its drawing in `figure`. Throws an Error that names the
/// package if python3 or matplotlib is missing.
void draw(const std::string& script, const nlohmann::json& study, const std::string& path);

}  // namespace delassus::cli
