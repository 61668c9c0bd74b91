// Operation counts as a drawing.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace delassus::cli {

/// `study` is what as_json gives. Throws an Error that names the package if python3 or matplotlib is missing.
void plot(const nlohmann::json& study, const std::string& path);

}  // namespace delassus::cli
