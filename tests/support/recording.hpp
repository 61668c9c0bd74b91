// Recordings for the viewer, as a program reads them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace delassus::testing {

/// The recording in a page that the command wrote; throws if there is none.
nlohmann::json read_recording(const std::string& page);

/// Numbers that stand in it as base64 of floats.
std::vector<float> floats_of(const nlohmann::json& text);

/// Whether the command was built with the viewer; tests of its pages skip where it was not.
bool has_viewer();

}  // namespace delassus::testing
