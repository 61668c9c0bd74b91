// The demonstration as JSON: what --json prints, and with drawings what the page shows.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/demo/box_result.hpp"

namespace delassus::cli {

/// Numbers and curves (docs/command.md).
nlohmann::json document_of(const BoxResult& result);

/// `shapes` {kind, size, R, p, body}: placed in the frame of their body, an index; `frames_per_second`; `runs`: for each run its
/// frames, each with the poses of all bodies one after the other, position and quaternion (x, y, z, w).
nlohmann::json drawing_of(const BoxResult& result);

}  // namespace delassus::cli
