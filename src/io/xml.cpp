#include "io/xml.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "delassus/math/error.hpp"
#include "io/number.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

/// Bounds the memory of the document: a node or attribute takes about 64 bytes.
constexpr std::ptrdiff_t kMaxNodes = 8'000'000;
/// A robot needs about six levels. More are a mistake, or malice.
constexpr int kMaxDepth = 256;

bool is_namespace_declaration(std::string_view name) { return name == "xmlns" || name.starts_with("xmlns:"); }

}  // namespace

XmlFile::XmlFile(std::string_view raw, std::string name) : name_(std::move(name)), lines_(""), report_(name_) {
  require_text_size(raw.size(), name_);
  Utf8Text utf8 = to_utf8(raw);
  text_ = std::move(utf8.text);
  lines_ = LineTable(text_);
  if (utf8.foreign != std::string::npos) {
    report_.warn("text", lines_.line(utf8.foreign), "is not UTF-8 and was taken as Latin-1; save the file as UTF-8");
  }
  require_plain_text();
  parse();
  require_shallow();
}

void XmlFile::require_plain_text() const {
  if (const std::size_t zero = text_.find('\0'); zero != std::string::npos) {
    throw Error(fmt::format("{}:{}: holds a zero byte, so it is not a text file", name_, lines_.line(zero)));
  }
  const auto nodes = std::count_if(text_.begin(), text_.end(), [](char c) { return c == '<' || c == '='; });
  if (nodes > kMaxNodes) {
    throw Error(
        fmt::format("{}: holds more than {} elements and attributes; is it a robot description?", name_, kMaxNodes));
  }
}

void XmlFile::parse() {
  const pugi::xml_parse_result result =
      document_.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (result) return;
  if (result.status == pugi::status_no_document_element) throw Error(name_ + ": holds no XML element");
  const std::size_t offset = result.offset > 0 ? static_cast<std::size_t>(result.offset) : 0;
  std::string what = result.description();
  what[0] = static_cast<char>(what[0] | 0x20);  // in the middle of a sentence
  throw Error(fmt::format("{}:{}: is not well-formed XML: {}", name_, lines_.line(offset), what));
}

void XmlFile::require_shallow() const {
  int depth = 0;
  pugi::xml_node node = document_.first_child();
  while (node) {
    if (depth >= kMaxDepth) {
      throw Error(fmt::format("{}:{}: elements are nested more than {} deep; is it a robot description?", name_,
                              line(node), kMaxDepth));
    }
    if (node.first_child()) {
      node = node.first_child();
      ++depth;
      continue;
    }
    while (node && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    if (node) node = node.next_sibling();
  }
}

int XmlFile::line(pugi::xml_node node) const {
  const std::ptrdiff_t offset = node.offset_debug();
  return lines_.line(offset > 0 ? static_cast<std::size_t>(offset) : 0);
}

void XmlFile::fail(int line, std::string_view element, std::string_view message) const {
  throw Error(fmt::format("{}:{}: {}: {}", name_, line, element, message));
}

std::string_view XmlElement::text(const char* attribute) const {
  if (!has(attribute)) fail(fmt::format("<{}> has no attribute {}; add it", printable(tag()), attribute));
  return node_.attribute(attribute).value();
}

double XmlElement::number(const char* attribute) const {
  double value = 0;
  numbers(attribute, &value, 1);
  return value;
}

double XmlElement::number_or(const char* attribute, double fallback) const {
  return has(attribute) ? number(attribute) : fallback;
}

double XmlElement::number_at(std::string_view word, const char* attribute) const {
  const std::optional<double> number = parse_number(word);
  if (!number) {
    fail(fmt::format("attribute {} of <{}>: {} is not a finite number", attribute, printable(tag()), in_quotes(word)));
  }
  return *number;
}

void XmlElement::numbers(const char* attribute, double* out, int count) const {
  const std::string_view value = text(attribute);
  const std::vector<std::string_view> words = split_words(value, static_cast<std::size_t>(count) + 1);
  if (static_cast<int>(words.size()) != count) {
    fail(fmt::format("attribute {} of <{}> needs {}, and is {}", attribute, printable(tag()), counted(count, "number"),
                     in_quotes(value)));
  }
  for (int i = 0; i < count; ++i) out[i] = number_at(words[static_cast<std::size_t>(i)], attribute);
}

int XmlElement::numbers_up_to(const char* attribute, double* out, int most) const {
  const std::string_view value = text(attribute);
  const std::vector<std::string_view> words = split_words(value, static_cast<std::size_t>(most) + 1);
  if (words.empty() || static_cast<int>(words.size()) > most) {
    fail(fmt::format("attribute {} of <{}> needs one to {}, and is {}", attribute, printable(tag()),
                     counted(most, "number"), in_quotes(value)));
  }
  for (std::size_t i = 0; i < words.size(); ++i) out[i] = number_at(words[i], attribute);
  return static_cast<int>(words.size());
}

std::vector<double> XmlElement::all_numbers(const char* attribute) const {
  std::vector<double> out;
  const std::string_view value = text(attribute);
  for (const std::string_view word : split_words(value, value.size())) out.push_back(number_at(word, attribute));
  return out;
}

std::optional<XmlElement> XmlElement::child(const char* name) const {
  const pugi::xml_node node = node_.child(name);
  if (!node) return std::nullopt;
  if (const pugi::xml_node second = node.next_sibling(name)) {
    XmlElement(*file_, second, owner_).warn(fmt::format("has a second <{}>, which is not read; remove one", name));
  }
  return XmlElement(*file_, node, owner_);
}

XmlElement XmlElement::required_child(const char* name) const {
  const std::optional<XmlElement> found = child(name);
  if (!found) fail(fmt::format("<{}> has no <{}>; add it", printable(tag()), name));
  return *found;
}

void XmlElement::ignore_attribute(std::string_view name, std::string_view hint) const {
  file_->report().ignore(path() + "@" + printable(name).append(hint), line());
}

void XmlElement::ignore_attributes_but(std::initializer_list<std::string_view> attributes) const {
  std::uint32_t seen = 0;
  for (const pugi::xml_attribute attribute : node_.attributes()) {
    const std::string_view name = attribute.name();
    const auto known = std::find(attributes.begin(), attributes.end(), name);
    if (known != attributes.end()) {
      const std::uint32_t bit = 1U << static_cast<unsigned>(known - attributes.begin());
      if ((seen & bit) != 0) fail(fmt::format("<{}> has the attribute {} twice; remove one", printable(tag()), name));
      seen |= bit;
    } else if (!is_namespace_declaration(name)) {
      ClosestName closest(name);
      for (const std::string_view candidate : attributes) closest.consider(candidate);
      ignore_attribute(name, closest.hint());
    }
  }
}

void XmlElement::ignore_all_but(std::initializer_list<std::string_view> attributes,
                                std::initializer_list<std::string_view> children) const {
  ignore_attributes_but(attributes);
  for (const pugi::xml_node node : node_.children()) {
    if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) {
      file_->report().ignore(path() + " (text)", line());
    } else if (node.type() == pugi::node_element &&
               std::find(children.begin(), children.end(), std::string_view(node.name())) == children.end()) {
      XmlElement(*file_, node, owner_).ignore();
    }
  }
}

std::string XmlElement::path() const {
  std::string path = printable(tag());
  for (pugi::xml_node up = node_.parent(); up && up.parent() && up.parent().parent(); up = up.parent()) {
    path = printable(up.name()) + "/" + path;
  }
  return path;
}

}  // namespace delassus::io
