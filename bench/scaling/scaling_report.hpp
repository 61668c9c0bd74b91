// Time and memory against size, in print and as a drawing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bench/scaling/scaling.hpp"

namespace delassus::cli {

/// One table for each quantity, with sizes down, operators across and slopes below.
std::string as_text(const ScalingStudy& study);

nlohmann::json as_json(const ScalingStudy& study);

/// `study` is what as_json gives. Throws an Error that names the package if python3 or matplotlib is missing.
void plot_scaling(const nlohmann::json& study, const std::string& path);

}  // namespace delassus::cli
