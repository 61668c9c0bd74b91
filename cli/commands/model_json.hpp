// A model as JSON, for `delassus info --json`; docs/command.md has the fields.
#pragma once

#include <nlohmann/json.hpp>

#include "delassus/io/scene.hpp"

namespace delassus::cli {

nlohmann::json as_json(const Scene& scene);

/// Name, type and rows of each constraint, in the order of their rows.
nlohmann::json constraints_json(const std::vector<Constraint>& constraints);

}  // namespace delassus::cli
