// What a simulation was like, as a table and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/commands/simulate_run.hpp"

namespace delassus::cli {

/// `scene` is the name by which it was asked for: if it is that of a classic scene, theory is told too.
std::string as_text(const std::string& scene, const SimulationSetup& setup, const RunRecord& run);
nlohmann::json as_json(const std::string& scene, const SimulationSetup& setup, const RunRecord& run);

}  // namespace delassus::cli
