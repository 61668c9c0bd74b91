#include "io/number.hpp"

#include <charconv>
#include <cmath>

namespace delassus::io {
namespace {

constexpr std::string_view kSpace = " \t\n\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  // from_chars knows no plus; behind one, another sign would be read.
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::vector<std::string_view> split_words(std::string_view text, std::size_t limit) {
  std::vector<std::string_view> words;
  while (words.size() < limit) {
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) break;
    text.remove_prefix(first);
    const std::size_t length = std::min(text.find_first_of(kSpace), text.size());
    words.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return words;
}

}  // namespace delassus::io
