// What `delassus sweep` says.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sweep/sweep_folder.hpp"

namespace delassus::cli {

/// Of a specification, before anything is computed.
std::string check_text(const ParameterSweep& sweep);
nlohmann::json check_json(const ParameterSweep& sweep);

/// How far a folder is.
struct SweepState {
  std::int64_t cases = 0, done = 0, failed = 0;
  std::vector<SweepRange> missing;
  std::vector<SweepPart> parts;
};
SweepState state_of(const SweepFolder& folder);
std::string status_text(const SweepFolder& folder, const SweepState& state);
nlohmann::json status_json(const SweepFolder& folder, const SweepState& state);
std::string status_text(const FinishedSweep& finished);
nlohmann::json status_json(const FinishedSweep& finished);

/// "1 h 20 min", "35 s"
std::string duration(double seconds);
/// "0 to 127, 256 to 511 and 3 further ranges"
std::string in_words(const std::vector<SweepRange>& ranges);

}  // namespace delassus::cli
