#include "support/recording.hpp"

#include <bit>
#include <cstdint>
#include <stdexcept>

#include "support/command.hpp"

namespace delassus::testing {

nlohmann::json read_recording(const std::string& page) {
  const std::string text = read_bytes(page), begin = R"(<script type="application/json" id="recording">)";
  const std::size_t first = text.find(begin);
  if (first == std::string::npos) throw std::runtime_error(page + " has no recording");
  const std::size_t from = first + begin.size();
  return nlohmann::json::parse(text.substr(from, text.find("</script", from) - from));
}

std::vector<float> floats_of(const nlohmann::json& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text.get<std::string>()) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<std::uint32_t>(digits.find(c));
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<std::uint8_t>(bits >> static_cast<unsigned>(held)));
  }
  std::vector<float> out;
  for (std::size_t k = 0; k + 3 < bytes.size(); k += 4) {
    std::uint32_t word = 0;
    for (std::size_t b = 0; b < 4; ++b) word |= static_cast<std::uint32_t>(bytes[k + b]) << 8 * b;
    out.push_back(std::bit_cast<float>(word));
  }
  return out;
}

bool has_viewer() {
  static const bool kHas = nlohmann::json::parse(run_command("--version --json").output).at("viewer");
  return kHas;
}

}  // namespace delassus::testing
