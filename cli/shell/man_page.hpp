// The manual page.
#pragma once

#include <string>
#include <string_view>

#include "cli/shell/options.hpp"

namespace delassus::cli {

/// As roff with the macros of man(7), in ASCII. Made from the tree of commands: it has all of them and no others. `program` is
/// what is installed under the name of the page.
std::string man_page(const Command& app, std::string_view program);

/// `delassus man`, which prints it.
Command* add_man(Command& app, std::string_view program);

}  // namespace delassus::cli
