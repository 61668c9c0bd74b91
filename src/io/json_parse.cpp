// From text to a JSON value, with the limits that hostile files call for.
#include "delassus/math/error.hpp"
#include "io/json_reader.hpp"
#include "io/text_file.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

using nlohmann::json;

/// A scene is about eight levels deep.
constexpr std::size_t kMaxDepth = 64;
/// Bounds the memory: a value takes about a hundred bytes.
constexpr int kMaxValues = 4'000'000;

/// Builds the value from the parser's events. The parser keeps no stack of calls, and neither does this.
class ValueBuilder final : public nlohmann::json_sax<json> {
 public:
  bool null() override { return put(nullptr) != nullptr; }
  bool boolean(bool x) override { return put(x) != nullptr; }
  bool number_integer(number_integer_t x) override { return put(x) != nullptr; }
  bool number_unsigned(number_unsigned_t x) override { return put(x) != nullptr; }
  bool number_float(number_float_t x, const string_t& /*text*/) override { return put(x) != nullptr; }
  bool string(string_t& x) override { return put(std::move(x)) != nullptr; }
  bool binary(binary_t& /*x*/) override { return false; }  // not in JSON text
  bool start_object(std::size_t /*size*/) override { return open(json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& x) override {
    if (open_.back()->contains(x)) {
      message_ = "the key " + in_quotes(x) + " stands twice in one object; remove one";
      return false;
    }
    key_ = std::move(x);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/, const json::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 5: what": the line is told in our own
    // way.
    const std::string_view text = error.what();
    const std::size_t column = text.find(", column ");
    const std::size_t cut = column == std::string_view::npos ? text.find("] ") : text.find(": ", column);
    message_ =
        "is not valid JSON: " + std::string(cut == std::string_view::npos ? text : text.substr(cut + 2)).substr(0, 300);
    position_ = position;
    return false;
  }

  json take() { return std::move(root_); }
  const std::string& message() const { return message_; }
  std::optional<std::size_t> position() const { return position_; }

 private:
  json* put(json value) {
    if (++values_ > kMaxValues) {
      message_ = "holds more than " + std::to_string(kMaxValues) + " values; is it a scene?";
      return nullptr;
    }
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[std::move(key_)] = std::move(value));
  }

  bool open(json container) {
    if (open_.size() >= kMaxDepth) {
      message_ = "is nested more than " + std::to_string(kMaxDepth) + " deep; is it a scene?";
      return false;
    }
    json* const placed = put(std::move(container));
    // A pointer to an open container stays valid: its parent grows only after it is closed.
    if (placed != nullptr) open_.push_back(placed);
    return placed != nullptr;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  json root_;
  std::vector<json*> open_;
  std::string key_;
  std::string message_;
  std::optional<std::size_t> position_;
  int values_ = 0;
};

}  // namespace

json parse_json(std::string_view text, const std::string& file_name) {
  require_text_size(text.size(), file_name);
  ValueBuilder builder;
  if (json::sax_parse(text, &builder)) return builder.take();
  std::string place = file_name;
  if (builder.position()) place += ":" + std::to_string(LineTable(text).line(*builder.position() - 1));
  throw Error(place + ": " + builder.message());
}

}  // namespace delassus::io
