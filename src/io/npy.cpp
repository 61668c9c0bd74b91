#include "io/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "delassus/math/error.hpp"
#include "io/little_endian.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kMostDimensions = 8;

enum class Element : std::uint8_t { kBool, kInt32, kInt64, kFloat32, kFloat64 };

struct ElementType {
  std::string_view dtype;
  Element element;
  std::size_t bytes;
};
constexpr std::array kElementTypes{
    ElementType{"|b1", Element::kBool, 1},    ElementType{"<i4", Element::kInt32, 4},
    ElementType{"<i8", Element::kInt64, 8},   ElementType{"<f4", Element::kFloat32, 4},
    ElementType{"<f8", Element::kFloat64, 8},
};

/// The dictionary that a .npy file begins with, of which Python would take any literal: {'descr': '<f8', 'fortran_order': False, 'shape': (3,), }
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  /// Whether it is one with the three entries, each once, and nothing else.
  bool parse() {
    if (!take('{')) return false;
    while (!take('}')) {
      const std::optional<std::string_view> key = quoted();
      if (!key || !take(':') || !parse_value(*key)) return false;
      if (!take(',')) {
        if (!take('}')) return false;
        break;
      }
    }
    skip_space();
    return text_.empty() && descr && fortran && shape;
  }

  std::optional<std::string_view> descr{};
  std::optional<bool> fortran{};
  std::optional<std::vector<std::int64_t>> shape{};

 private:
  bool parse_value(std::string_view key) {
    if (key == "descr" && !descr) return (descr = quoted()).has_value();
    if (key == "fortran_order" && !fortran) return (fortran = truth()).has_value();
    if (key == "shape" && !shape) return (shape = tuple()).has_value();
    return false;
  }

  void skip_space() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front())) != 0) text_.remove_prefix(1);
  }
  bool take(char c) {
    skip_space();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::optional<std::string_view> quoted() {
    const char quote = take('\'') ? '\'' : take('"') ? '"' : '\0';
    const std::size_t end = quote == '\0' ? std::string_view::npos : text_.find(quote);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view out = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return out;
  }
  std::optional<bool> truth() {
    skip_space();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    return std::nullopt;
  }
  std::optional<std::vector<std::int64_t>> tuple() {
    std::vector<std::int64_t> out;
    if (!take('(')) return std::nullopt;
    while (!take(')')) {
      skip_space();
      std::int64_t size = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (error != std::errc{} || size < 0 || out.size() == kMostDimensions) return std::nullopt;
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      out.push_back(size);
      if (!take(',')) {
        if (!take(')')) return std::nullopt;
        break;
      }
    }
    return out;
  }

  std::string_view text_;
};

/// The header, and what follows it; nothing if there is none.
struct Parts {
  std::string_view header, data;
};
std::optional<Parts> split(std::string_view bytes) {
  const std::size_t version_at = kMagic.size(), length_at = version_at + 2;
  if (!bytes.starts_with(kMagic) || bytes.size() < length_at + 4) return std::nullopt;
  const bool is_long =
      bytes[version_at] != 1;  // versions 2 and 3 differ in the length, and in letters that no number has
  if (bytes[version_at] < 1 || bytes[version_at] > 3) return std::nullopt;
  const std::size_t start = length_at + (is_long ? 4 : 2);
  const std::size_t length =
      is_long ? little_endian<std::uint32_t>(bytes, length_at) : little_endian<std::uint16_t>(bytes, length_at);
  if (length > bytes.size() - start) return std::nullopt;
  return Parts{bytes.substr(start, length), bytes.substr(start + length)};
}

/// How many numbers there are, if they are as many as the data has.
std::optional<std::size_t> count(const std::vector<std::int64_t>& shape, std::size_t bytes_each, std::size_t data) {
  std::size_t out = std::ranges::find(shape, 0) == shape.end() ? 1 : 0;
  for (const std::int64_t size : shape) {
    if (out > 0 && static_cast<std::size_t>(size) > data / out) return std::nullopt;
    out *= static_cast<std::size_t>(size);
  }
  return out * bytes_each == data ? std::optional(out) : std::nullopt;
}

void append(Element element, std::string_view data, std::size_t at, NpzArray& out) {
  switch (element) {
    case Element::kBool:
      return out.whole.push_back(data[at] != 0 ? 1 : 0);
    case Element::kInt32:
      return out.whole.push_back(static_cast<std::int32_t>(little_endian<std::uint32_t>(data, at)));
    case Element::kInt64:
      return out.whole.push_back(static_cast<std::int64_t>(little_endian<std::uint64_t>(data, at)));
    case Element::kFloat32:
      return out.real.push_back(static_cast<double>(std::bit_cast<float>(little_endian<std::uint32_t>(data, at))));
    case Element::kFloat64:
      return out.real.push_back(std::bit_cast<double>(little_endian<std::uint64_t>(data, at)));
  }
}

/// The bytes of each of such byte strings: 5 of "|S5"; 0 if it is another kind, or longer than any file.
std::size_t text_length(std::string_view dtype) {
  constexpr std::string_view kText = "|S";
  std::uint32_t out = 0;
  if (!dtype.starts_with(kText)) return 0;
  const auto [end, error] = std::from_chars(dtype.data() + kText.size(), dtype.data() + dtype.size(), out);
  return error == std::errc{} && end == dtype.data() + dtype.size() ? out : 0;
}

/// Columns first and rows first are the same where there is but one.
bool is_by_columns(const HeaderParser& header) {
  int wide = 0;
  for (const std::int64_t size : *header.shape) wide += size > 1;
  return *header.fortran && wide > 1;
}

Parts require_parts(std::string_view bytes, const std::string& where) {
  const std::optional<Parts> parts = split(bytes);
  if (!parts) throw Error(where + ": is no array as numpy writes it, or cut short");
  return *parts;
}

HeaderParser require_header(std::string_view text, const std::string& where) {
  HeaderParser header(text);
  if (!header.parse())
    throw Error(where + ": its header says nothing of 'descr', 'fortran_order' and 'shape', or more");
  return header;
}

}  // namespace

NpzArray parse_npy(std::string_view bytes, const std::string& where) {
  const Parts parts = require_parts(bytes, where);
  HeaderParser header = require_header(parts.header, where);
  const ElementType* type = nullptr;
  for (const ElementType& known : kElementTypes) {
    if (known.dtype == *header.descr) type = &known;
  }
  if (type == nullptr) {
    throw Error(
        fmt::format("{}: has numbers of the kind {}; bool, int32, int64, float32 and float64 are read, little endian",
                    where, in_quotes(*header.descr)));
  }
  if (is_by_columns(header)) throw Error(where + ": is stored by columns; store it by rows (order 'C')");
  NpzArray out;
  const std::optional<std::size_t> size = count(*header.shape, type->bytes, parts.data.size());
  if (!size) throw Error(where + ": has another number of bytes than its shape asks for");
  out.shape = std::move(*header.shape);
  out.is_real = type->element == Element::kFloat32 || type->element == Element::kFloat64;
  (out.is_real ? out.real.reserve(*size) : out.whole.reserve(*size));
  for (std::size_t k = 0; k < *size; ++k) append(type->element, parts.data, k * type->bytes, out);
  return out;
}

std::vector<std::string> parse_npy_texts(std::string_view bytes, const std::string& where) {
  const Parts parts = require_parts(bytes, where);
  const HeaderParser header = require_header(parts.header, where);
  const std::size_t length = text_length(*header.descr);
  if (length == 0)
    throw Error(
        fmt::format("{}: is of the kind {}; byte strings are read here, '|S'", where, in_quotes(*header.descr)));
  if (header.shape->size() > 1) throw Error(where + ": has more than one dimension; a list of texts is read here");
  const std::optional<std::size_t> size = count(*header.shape, length, parts.data.size());
  if (!size) throw Error(where + ": has another number of bytes than its shape asks for");
  std::vector<std::string> out;
  out.reserve(*size);
  for (std::size_t k = 0; k < *size; ++k) {
    const std::string_view text = parts.data.substr(k * length, length);
    out.emplace_back(text.substr(0, text.find_last_not_of('\0') + 1));
  }
  return out;
}

std::string npy_header(std::string_view dtype, std::string_view shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", dtype, shape);
  const std::size_t before = kMagic.size() + 4;
  text.append(kAlignment - 1 - (before + text.size()) % kAlignment, ' ');
  text += '\n';
  std::string out(kMagic);
  out += '\1';
  out += '\0';
  append_little_endian(out, static_cast<std::uint16_t>(text.size()));
  return out + text;
}

}  // namespace delassus::io
