// The doctor's report as JSON, for `delassus doctor --json` and the report of a tour; docs/command.md has the fields.
#pragma once

#include <nlohmann/json.hpp>

#include "delassus/solvers/doctor.hpp"

namespace delassus::cli {

nlohmann::json as_json(const ConstraintReport& report);

}  // namespace delassus::cli
