#include "io/json_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "delassus/math/error.hpp"
#include "io/json_place.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

using nlohmann::json;

/// A key as a part of a JSON pointer.
std::string pointer_part(std::string_view key) {
  std::string out = "/";
  for (const char c : printable(key)) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string kind_of(const json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  if (value.is_string()) return "the string " + in_quotes(value.get_ref<const std::string&>());
  return value.dump();
}

}  // namespace

JsonCursor JsonCursor::child(const json& value, const std::string& part) const {
  return JsonCursor(value, path_ + part, *file_, text_);
}

void JsonCursor::fail(std::string_view message) const { fail_on_line_of(path_, message); }

void JsonCursor::fail_on_line_of(const std::string& path, std::string_view message) const {
  const int line = text_.empty() ? 0 : line_of(text_, path);  // a name that was made fit to print may be found nowhere
  throw Error(*file_ + (line > 0 ? ":" + std::to_string(line) : "") + ": " + (path_.empty() ? "/" : path_) + ": " +
              std::string(message));
}

void JsonCursor::require_object() const {
  if (!value_->is_object()) fail("must be an object, and is " + kind_of(*value_));
}

void JsonCursor::allow_keys(std::initializer_list<std::string_view> keys) const {
  require_object();
  for (const auto& [key, value] : value_->items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    ClosestName closest(key);
    for (const std::string_view known : keys) closest.consider(known);
    fail_on_line_of(path_ + pointer_part(key),
                    "unknown key " + in_quotes(key) + closest.hint() + "; known keys: " + comma_separated(keys));
  }
}

std::vector<std::string> JsonCursor::keys() const {
  require_object();
  std::vector<std::string> out;
  for (const auto& [key, value] : value_->items()) out.push_back(key);
  return out;
}

std::optional<JsonCursor> JsonCursor::find(const char* key) const {
  require_object();
  const auto found = value_->find(key);
  if (found == value_->end()) return std::nullopt;
  return child(*found, pointer_part(key));
}

JsonCursor JsonCursor::at(const char* key) const {
  std::optional<JsonCursor> found = find(key);
  if (!found) fail("the key '" + std::string(key) + "' is missing; add it");
  return *std::move(found);
}

std::vector<JsonCursor> JsonCursor::elements() const {
  if (!value_->is_array()) fail("must be an array, and is " + kind_of(*value_));
  std::vector<JsonCursor> out;
  out.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) {
    out.push_back(child((*value_)[i], "/" + std::to_string(i)));
  }
  return out;
}

double JsonCursor::number() const {
  if (!value_->is_number()) fail("must be a number, and is " + kind_of(*value_));
  return value_->get<double>();
}

double JsonCursor::number_or_infinity() const {
  if (!value_->is_string()) return number();
  const std::string& text = string();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  fail(R"(must be a number, "inf" or "-inf", and is )" + in_quotes(text));
}

int JsonCursor::integer(int low, int high) const {
  const double value = number();
  if (!(value >= low && value <= high) || value != std::floor(value)) {
    fail("must be a whole number from " + std::to_string(low) + " to " + std::to_string(high) + ", and is " +
         value_->dump());
  }
  return static_cast<int>(value);
}

bool JsonCursor::boolean() const {
  if (!value_->is_boolean()) fail("must be true or false, and is " + kind_of(*value_));
  return value_->get<bool>();
}

const std::string& JsonCursor::string() const {
  if (!value_->is_string()) fail("must be a string, and is " + kind_of(*value_));
  return value_->get_ref<const std::string&>();
}

std::vector<double> JsonCursor::numbers() const {
  if (!value_->is_array()) fail("must be an array of numbers, and is " + kind_of(*value_));
  std::vector<double> out(value_->size());
  fill(out);
  return out;
}

void JsonCursor::fill(std::span<double> out) const {
  if (!value_->is_array()) fail("must be an array of numbers, and is " + kind_of(*value_));
  if (value_->size() != out.size()) {
    fail("must hold " + counted(static_cast<int>(out.size()), "number") + ", and holds " +
         std::to_string(value_->size()));
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const json& value = (*value_)[i];
    // The cursor of an element is made only for its message: there may be millions.
    if (!value.is_number()) child(value, "/" + std::to_string(i)).number();
    out[i] = value.get<double>();
  }
}

std::size_t JsonCursor::word(std::span<const std::string_view> words) const {
  const std::string& text = string();
  const auto found = std::find(words.begin(), words.end(), text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  ClosestName closest(text);
  for (const std::string_view known : words) closest.consider(known);
  fail(in_quotes(text) + " is unknown here" + closest.hint() + "; known words: " + comma_separated(words));
}

}  // namespace delassus::io
