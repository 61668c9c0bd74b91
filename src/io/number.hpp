// Numbers in text: strict, and the same in every locale.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace delassus::io {

/// The finite number that the whole text is, but for spaces around it and a leading plus; else nothing.
std::optional<double> parse_number(std::string_view text);

/// The first `limit` words of a text, split at white space.
std::vector<std::string_view> split_words(std::string_view text, std::size_t limit);

}  // namespace delassus::io
