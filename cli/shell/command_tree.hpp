// Commands and their options as help, errors, completion and the manual page show them. All of these read the tree that the
// parser reads, so that none can say what the command does not do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/shell/options.hpp"

namespace delassus::cli {

/// "delassus bench table1"
std::string full_name(const Command& command);

/// Those that are shown, in the order of their definition; what has no group is hidden.
std::vector<const Command*> commands_of(const Command& command);
/// The heads under which commands are shown.
std::vector<std::string> command_groups(const Command& command);

std::vector<const Option*> arguments_of(const Command& command);
/// With --help at the end.
std::vector<const Option*> options_of(const Command& command);

/// Null if it has none of this spelling.
const Option* find_option(const Command& command, const std::string& spelling);
/// "-o, --output FILE"
std::string heading_of(const Option& option);

/// "delassus compute MODEL [OPTIONS]"
std::string usage_of(const Command& command);

/// The command that the words on the line have reached, and how many of them named commands.
struct Reached {
  const Command* command;
  std::size_t words;
};
Reached reached_by(const Command& root, const std::vector<std::string>& words);

}  // namespace delassus::cli
