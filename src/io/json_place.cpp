// The parser keeps no places, and a message is rare: the text is searched again for the one value that it is about.
#include "io/json_place.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include <nlohmann/json.hpp>

namespace delassus::io {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The part of a pointer up to the next slash, as a key.
std::string key_of_part(std::string_view part) {
  std::string out;
  for (std::size_t k = 0; k < part.size(); ++k) {
    const bool escaped = part[k] == '~' && k + 1 < part.size();
    out += escaped ? (part[++k] == '1' ? '/' : '~') : part[k];
  }
  return out;
}

/// A string of the text, quotes included, as a key.
std::string key_of_string(std::string_view quoted) {
  if (quoted.find('\\') == std::string_view::npos) return std::string(quoted.substr(1, quoted.size() - 2));
  const nlohmann::json key = nlohmann::json::parse(quoted, nullptr, false);
  return key.is_string() ? key.get<std::string>() : std::string(quoted);
}

/// Goes through a text without a stack of calls. Where the text ends too early, it stays at the end.
class PlaceScanner {
 public:
  explicit PlaceScanner(std::string_view text) : text_(text) {
    if (text.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
    skip_space();
  }

  std::size_t place() const { return at_; }
  bool at_end() const { return at_ >= text_.size(); }

  /// From an object or array to the value in it that has this name.
  bool enter(const std::string& key) {
    if (take('{')) return enter_object(key);
    return take('[') && enter_array(key);
  }

 private:
  bool enter_object(const std::string& key) {
    while (!at_end() && text_[at_] == '"') {
      const std::size_t start = at_;
      skip_string();
      const std::string_view name = text_.substr(start, at_ - start);
      skip_space();
      if (!take(':')) return false;
      if (key_of_string(name) == key) return true;
      skip_value();
      if (!take(',')) return false;
    }
    return false;
  }

  bool enter_array(const std::string& key) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (error != std::errc{} || end != key.data() + key.size()) return false;
    for (; index > 0; --index) {
      if (!at_end() && text_[at_] == ']') return false;
      skip_value();
      if (!take(',')) return false;
    }
    return !at_end() && text_[at_] != ']';
  }

  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    skip_space();
    return true;
  }

  /// Behind the quote that ends it.
  void skip_string() {
    for (++at_; !at_end() && text_[at_] != '"'; ++at_) at_ += text_[at_] == '\\' ? 1 : 0;
    at_ = std::min(at_ + 1, text_.size());
  }

  /// Behind a value of any depth, and the space after it.
  void skip_value() {
    for (int depth = 0; !at_end(); skip_space()) {
      const char c = text_[at_];
      if (c == '"') {
        skip_string();
      } else if (std::string_view("{}[],:").find(c) != std::string_view::npos) {
        ++at_;
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      } else {
        at_ = std::min(text_.find_first_of(" \t\r\n,]}", at_), text_.size());
      }
      if (depth <= 0) break;
    }
    skip_space();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

int line_of(std::string_view text, std::string_view pointer) {
  PlaceScanner scanner(text);
  while (!pointer.empty()) {
    if (pointer.front() != '/') return 0;
    pointer.remove_prefix(1);
    const std::string_view part = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(part.size());
    if (!scanner.enter(key_of_part(part))) return 0;
  }
  if (scanner.at_end()) return 0;
  const auto place = text.begin() + static_cast<std::ptrdiff_t>(scanner.place());
  return 1 + static_cast<int>(std::count(text.begin(), place, '\n'));
}

}  // namespace delassus::io
