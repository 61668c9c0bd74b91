// Any bytes as a scene: only an Error may come out, and what loads is written to a text that gives itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "delassus/io/scene.hpp"

namespace {

/// A folder that does not exist: references to files lead nowhere.
constexpr const char* kFolder = "/nonexistent";

std::optional<delassus::Scene> parsed(const std::string& text) {
  try {
    return delassus::parse_scene(text, "fuzz.json", kFolder);
  } catch (const delassus::Error&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::optional<delassus::Scene> scene = parsed(std::string(data, data + size));
  if (!scene) return 0;
  // From here on, an Error is a fault as well.
  const std::string written = delassus::write_scene(*scene);
  if (delassus::write_scene(delassus::parse_scene(written, "fuzz.json", kFolder)) != written) std::abort();
  return 0;
}
