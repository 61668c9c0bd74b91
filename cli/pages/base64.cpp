#include "cli/pages/base64.hpp"

#include <algorithm>
#include <bit>
#include <string_view>
#include <vector>

namespace delassus::cli {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string encode(const std::vector<std::uint8_t>& bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) word = word << 8U | (k < count ? bytes[at + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= count ? kAlphabet[word >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

template <class Number>
std::string encode_words(std::span<const Number> numbers) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(4 * numbers.size());
  for (const Number number : numbers) {
    const auto word = std::bit_cast<std::uint32_t>(number);
    for (unsigned k = 0; k < 32; k += 8) bytes.push_back(static_cast<std::uint8_t>(word >> k));
  }
  return encode(bytes);
}

}  // namespace

std::string base64_of(std::span<const float> numbers) { return encode_words(numbers); }
std::string base64_of(std::span<const std::int32_t> numbers) { return encode_words(numbers); }

}  // namespace delassus::cli
