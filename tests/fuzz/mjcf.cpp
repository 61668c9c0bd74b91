// Any bytes as MJCF: only an Error may come out, and what loads can be written and read back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "delassus/io/mjcf.hpp"

namespace {

std::optional<delassus::Scene> parsed(std::string_view text) {
  try {
    return delassus::parse_mjcf(text, "fuzz.xml", "no such folder");
  } catch (const delassus::Error&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const std::optional<delassus::Scene> scene = parsed(text);
  if (!scene) return 0;
  // From here on, an Error is a fault as well.
  if (delassus::to_text(scene->report).empty()) std::abort();
  const std::string written = delassus::write_scene(*scene);
  if (delassus::write_scene(delassus::parse_scene(written, "fuzz.json", "")) != written) std::abort();
  return 0;
}
