#include "cli/shell/command_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace delassus::cli {

std::string full_name(const Command& command) {
  return command.parent() ? full_name(*command.parent()) + " " + command.name() : command.name();
}

std::vector<const Command*> commands_of(const Command& command) {
  std::vector<const Command*> commands;
  for (const auto& sub : command.subcommands()) {
    if (!sub->group().empty()) commands.push_back(sub.get());
  }
  return commands;
}

std::vector<std::string> command_groups(const Command& command) {
  std::vector<std::string> groups;
  for (const Command* sub : commands_of(command)) {
    if (std::ranges::find(groups, sub->group()) == groups.end()) groups.push_back(sub->group());
  }
  return groups;
}

std::vector<const Option*> arguments_of(const Command& command) {
  std::vector<const Option*> arguments;
  for (const auto& option : command.options()) {
    if (option->is_argument()) arguments.push_back(option.get());
  }
  return arguments;
}

std::vector<const Option*> options_of(const Command& command) {
  std::vector<const Option*> options;
  for (const auto& option : command.options()) {
    if (!option->is_argument()) options.push_back(option.get());
  }
  options.push_back(&command.help());
  return options;
}

const Option* find_option(const Command& command, const std::string& spelling) {
  for (const Option* option : options_of(command)) {
    if (std::ranges::count(option->spellings(), spelling) > 0) return option;
  }
  return nullptr;
}

std::string heading_of(const Option& option) {
  if (option.is_argument()) return option.name() + (option.is_repeatable() ? "..." : "");
  const std::string names = fmt::format("{}", fmt::join(option.spellings(), ", "));
  return option.is_flag() ? names : names + " " + option.placeholder();
}

std::string usage_of(const Command& command) {
  std::string text = full_name(command);
  if (!commands_of(command).empty()) text += command.needs_subcommand() ? " COMMAND" : " [COMMAND]";
  for (const Option* argument : arguments_of(command)) {
    const std::string name = heading_of(*argument);
    text += " " + (argument->is_required() ? name : "[" + name + "]");
  }
  return text + " [OPTIONS]";
}

Reached reached_by(const Command& root, const std::vector<std::string>& words) {
  Reached at{&root, 0};
  while (at.words < words.size()) {
    const auto commands = commands_of(*at.command);
    const auto found = std::ranges::find(commands, words[at.words], &Command::name);
    if (found == commands.end()) break;
    at = {*found, at.words + 1};
  }
  return at;
}

}  // namespace delassus::cli
