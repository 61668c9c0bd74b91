// The tour as one JSON document: what `tour --json` prints, and what report.html draws.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/tour/growth.hpp"
#include "cli/tour/set_result.hpp"

namespace delassus::cli {

struct TourResult {
  std::vector<SetResult> sets;  // on one model
  Growth growth;                // of the last set
  Effort effort;

  const Model& model() const { return sets.front().set.scene.model; }
  bool agrees() const {
    return std::ranges::all_of(sets, [](const SetResult& set) { return set.agrees(); });
  }
};

nlohmann::json document_of(const TourResult& result);

}  // namespace delassus::cli
