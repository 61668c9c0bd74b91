// Any bytes as a URDF: only an Error may come out, and what loads can be written and read back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "delassus/io/urdf.hpp"

namespace {

std::optional<delassus::Scene> parsed(std::string_view text, delassus::UrdfOptions::Base base) {
  delassus::UrdfOptions options;
  options.base = base;
  try {
    return delassus::parse_urdf(text, "fuzz.urdf", options);
  } catch (const delassus::Error&) {
    return std::nullopt;
  }
}

void check(std::string_view text, delassus::UrdfOptions::Base base) {
  const std::optional<delassus::Scene> scene = parsed(text, base);
  if (!scene) return;
  // From here on, an Error is a fault as well.
  if (delassus::to_text(scene->report).empty()) std::abort();
  const std::string written = delassus::write_scene(*scene);
  if (delassus::write_scene(delassus::parse_scene(written, "fuzz.json", "")) != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  check(text, delassus::UrdfOptions::Base::kFixed);
  check(text, delassus::UrdfOptions::Base::kFloating);
  return 0;
}
