// The manual page.
#pragma once

#include <string>

#include "options.hpp"

namespace delassus::cli {

/// As roff with the macros of man(7), in ASCII. Made from the tree of commands: it has all of them and no others.
std::string man_page(const Command& app);

}  // namespace delassus::cli
