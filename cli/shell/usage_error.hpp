// What to say of a line that the command does not understand.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/parse_line.hpp"

namespace delassus::cli {

/// `words` is the line without the command's own name.
std::string describe(const LineError& error, const Command& app, const std::vector<std::string>& words);

}  // namespace delassus::cli
