// A program of commands, from main() on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/shell/options.hpp"

namespace delassus::cli {

/// Reads the words of a line, runs the command that they name, and says on stderr what went wrong. Returns the exit code, which
/// a command may set.
int run_program(const std::vector<std::string>& words, const std::string& description,
                const std::function<void(Command& app, int& exit_code)>& add_commands);

}  // namespace delassus::cli
