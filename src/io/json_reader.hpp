// Reading JSON: bounded size and depth, and a cursor whose errors name the place.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "delassus/math/rotation.hpp"

namespace delassus::io {

/// Throws an Error that names the file, and the line of a syntax error. Keys that stand twice, numbers beyond
/// the range of a double, and nesting that no scene has are errors.
nlohmann::json parse_json(std::string_view text, const std::string& file_name);

/// A value and where it stands, as a JSON pointer. Every way to read it throws an Error
/// `scene.json: /constraints/3: what is wrong` if the value is not of that kind, with the line behind the file name
/// where the text is given that the value was read from. Value, file name and text must outlive it.
class JsonCursor {
 public:
  JsonCursor(const nlohmann::json& value, std::string path, const std::string& file, std::string_view text = {})
      : value_(&value), path_(std::move(path)), file_(&file), text_(text) {}

  const std::string& file() const { return *file_; }
  [[noreturn]] void fail(std::string_view message) const;

  bool is_number() const { return value_->is_number(); }
  bool is_string() const { return value_->is_string(); }
  bool is_array() const { return value_->is_array(); }
  /// Of arrays and objects.
  std::size_t size() const { return value_->size(); }

  /// For objects.
  std::vector<std::string> keys() const;
  void allow_keys(std::initializer_list<std::string_view> keys) const;
  bool has(const char* key) const { return value_->contains(key); }
  JsonCursor at(const char* key) const;
  std::optional<JsonCursor> find(const char* key) const;

  /// For arrays.
  std::vector<JsonCursor> elements() const;

  double number() const;
  /// A number, "inf" or "-inf".
  double number_or_infinity() const;
  int integer(int low, int high) const;
  bool boolean() const;
  const std::string& string() const;
  std::vector<double> numbers() const;
  template <int R, int C>
  Mat<double, R, C> matrix() const {
    Mat<double, R, C> out;
    fill(out.a);
    return out;
  }
  /// The position in `words` of the string.
  std::size_t word(std::span<const std::string_view> words) const;

 private:
  JsonCursor child(const nlohmann::json& value, const std::string& part) const;
  [[noreturn]] void fail_on_line_of(const std::string& path, std::string_view message) const;
  void require_object() const;
  void fill(std::span<double> out) const;

  const nlohmann::json* value_;
  std::string path_;
  const std::string* file_;
  std::string_view text_;
};

}  // namespace delassus::io
