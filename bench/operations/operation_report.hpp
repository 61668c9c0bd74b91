// Operation counts in print.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bench/operations/operation_study.hpp"

namespace delassus::cli {

/// A table with the cheapest algorithm of each system marked, stages where there is one system, slopes where there are many.
std::string as_text(const OperationStudy& study);

nlohmann::json as_json(const OperationStudy& study);

}  // namespace delassus::cli
