// C code that is the same for all robots but for names and numbers.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "generate/stage_text.hpp"

namespace delassus::generation {

using Words = std::map<std::string, std::string>;

/// Puts words in the place of $name or $(name), and numbers of the dialect in that of $(0.5).
std::string fill_in(std::string_view text, const Words& words, const Dialect& dialect);

}  // namespace delassus::generation
