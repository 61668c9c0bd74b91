// What to say of a line that the command does not understand.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace delassus::cli {

/// `words` is the line without the command's own name.
std::string describe(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& words);

}  // namespace delassus::cli
