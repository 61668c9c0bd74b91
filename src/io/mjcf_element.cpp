#include "io/mjcf_element.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "io/number.hpp"
#include "model/wording.hpp"

namespace delassus::io {

MjcfElement::MjcfElement(const MjcfNode& node, std::string_view owner, const MjcfDefaults& defaults, int inherited,
                         std::string_view tag)
    : MjcfElement(node, owner) {
  int c = own().has("class") ? defaults.find(own(), own().text("class")) : inherited;
  for (; c >= 0; c = defaults.classes_[static_cast<std::size_t>(c)].parent) {
    const std::vector<MjcfNode>& elements = defaults.classes_[static_cast<std::size_t>(c)].elements;
    for (std::size_t i = elements.size(); i-- > 0;) {  // a later one overrides an earlier one
      if (elements[i].tag() == tag) levels_.emplace_back(*elements[i].file, elements[i].node, owner);
    }
  }
}

const XmlElement* MjcfElement::nearest(const char* attribute) const {
  for (const XmlElement& level : levels_) {
    if (level.has(attribute)) return &level;
  }
  return nullptr;
}

std::string MjcfElement::text_or(const char* attribute, std::string_view fallback) const {
  const XmlElement* level = nearest(attribute);
  return std::string(level != nullptr ? level->text(attribute) : fallback);
}

double MjcfElement::number_or(const char* attribute, double fallback) const {
  const XmlElement* level = nearest(attribute);
  return level != nullptr ? level->number(attribute) : fallback;
}

int MjcfElement::integer_or(const char* attribute, int fallback) const {
  constexpr double kLargest = 2147483647;
  const double x = number_or(attribute, fallback);
  if (!(std::abs(x) <= kLargest) || x != std::floor(x)) {
    fail(fmt::format("attribute {} must be a whole number", attribute));
  }
  return static_cast<int>(x);
}

int MjcfElement::word_or(const char* attribute, std::initializer_list<std::string_view> words, int fallback) const {
  const XmlElement* level = nearest(attribute);
  if (level == nullptr) return fallback;
  const std::string_view text = level->text(attribute);
  const auto* found = std::find(words.begin(), words.end(), text);
  if (found == words.end()) {
    level->fail(fmt::format("attribute {} is {}, but must be one of {}", attribute, in_quotes(text),
                            comma_separated(std::vector<std::string_view>(words))));
  }
  return static_cast<int>(found - words.begin());
}

int MjcfElement::fill(const char* attribute, double* out, int most) const {
  int count = 0;
  for (std::size_t i = levels_.size(); i-- > 0;) {
    if (levels_[i].has(attribute)) count = std::max(count, levels_[i].numbers_up_to(attribute, out, most));
  }
  return count;
}

}  // namespace delassus::io
