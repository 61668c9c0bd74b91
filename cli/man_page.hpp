// The manual page.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace delassus::cli {

/// As roff with the macros of man(7), in ASCII. Made from the tree of commands: it has all of them and no others.
std::string man_page(const CLI::App& app);

}  // namespace delassus::cli
