// Lines of a JSON text, for messages about values that were read from it.
#pragma once

#include <string_view>

namespace delassus::io {

/// The line, from 1, on which the value that a JSON pointer (RFC 6901) names begins, in a text that is valid JSON; 0 where there is none such.
int line_of(std::string_view text, std::string_view pointer);

}  // namespace delassus::io
