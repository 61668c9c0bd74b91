// What the command says on stderr: "delassus: ...", in colour on a terminal.
#pragma once

#include <string_view>

namespace delassus::cli {

/// None of them throws, not even if stderr cannot be written.
void say_error(std::string_view text);
void say_warning(std::string_view text);
void say_note(std::string_view text);

}  // namespace delassus::cli
