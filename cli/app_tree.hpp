// Commands and their options as help, errors, completion and the manual page show them. All of these read the tree of
// CLI11, so that none can say what the command does not do.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace delassus::cli {

/// "delassus bench table1"
std::string full_name(const CLI::App& app);

/// Those that are shown, in the order of their definition; what has no group is hidden.
std::vector<const CLI::App*> commands_of(const CLI::App& app);
/// The heads under which commands are shown.
std::vector<std::string> command_groups(const CLI::App& app);

std::vector<const CLI::Option*> arguments_of(const CLI::App& app);
/// With --help at the end.
std::vector<const CLI::Option*> options_of(const CLI::App& app);

bool is_flag(const CLI::Option& option);
bool is_repeatable(const CLI::Option& option);

/// "-o", "--output"
std::vector<std::string> spellings_of(const CLI::Option& option);
/// Null if it has none of this spelling.
const CLI::Option* find_option(const CLI::App& app, const std::string& spelling);
/// "-o, --output FILE"
std::string heading_of(const CLI::Option& option);

/// "delassus compute MODEL [OPTIONS]"
std::string usage_of(const CLI::App& app);

/// The command that the words on the line have reached, and how many of them named commands.
struct Reached {
  const CLI::App* app;
  std::size_t words;
};
Reached reached_by(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace delassus::cli
