#include "cli/shell/usage_error.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/shell/command_tree.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

std::string see_help(const Command& app) { return fmt::format("; see `{} --help`", full_name(app)); }

std::string unknown_command(const Command& app, const std::string& word) {
  ClosestName closest(word);
  std::vector<std::string> names;
  for (const Command* sub : commands_of(app)) names.push_back(sub->name());
  for (const std::string& name : names) closest.consider(name);
  const std::string there = fmt::format("the commands are {}", fmt::join(names, ", ")) + see_help(app);
  if (word.empty()) return fmt::format("give a command; {}", there);
  return fmt::format("there is no command {}{}; {}", in_quotes(word), closest.hint(), there);
}

std::string unknown_option(const Command& app, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  ClosestName closest(name);
  std::vector<std::string> names;
  for (const Option* option : options_of(app)) {
    for (const std::string& spelling : option->spellings()) names.push_back(spelling);
  }
  const bool one_letter = !name.starts_with("--");  // each is close to all others
  for (const std::string& known : names) {
    if (!one_letter) closest.consider(known);
  }
  const std::string none = fmt::format("`{}` has no option {}", full_name(app), in_quotes(name));
  for (const Command* sub : commands_of(app)) {
    if (find_option(*sub, name)) return fmt::format("{}; it stands after `{}`", none, full_name(*sub));
  }
  return none + closest.hint() + see_help(app);
}

/// The option that a message of the parser begins with, with dashes or without.
const Option* option_in(const std::string& message, const Command& app) {
  std::vector<const Option*> all = arguments_of(app);
  for (const Option* option : options_of(app)) all.push_back(option);
  for (const Option* option : all) {
    const std::string name = option->name(), bare = name.substr(name.find_first_not_of('-'));
    for (const std::string& start : {name + ":", name + " ", bare + " "}) {
      if (message.starts_with(start)) return option;
    }
  }
  return nullptr;
}

/// "--output FILE" or "MODEL", as a sentence needs it.
std::string wanted(const Option& option) {
  return option.is_argument() ? option.name() : option.name() + " " + option.placeholder();
}

std::string about_option(const LineError& error, const Option& option, const Command& app) {
  const std::string &name = option.name(), help = see_help(app);
  if (error.kind == LineError::Kind::kRequired) {
    return fmt::format("`{}` needs {}: {}{}", full_name(app), wanted(option), option.description(), help);
  }
  const std::string other = error.message.substr(error.message.rfind(' ') + 1);
  if (error.kind == LineError::Kind::kExcluded) return fmt::format("give {} or {}, not both", name, other);
  if (error.kind == LineError::Kind::kNeedsOther) return fmt::format("{} goes with {} only{}", name, other, help);
  if (option.is_flag()) return fmt::format("{} takes no value{}", name, help);
  if (error.kind == LineError::Kind::kValueCount) {
    const std::size_t count = error.given.at(&option);
    return count > 1 ? fmt::format("{} is given {} times; give it once", name, count)
                     : fmt::format("{} needs a value: {}{}", name, wanted(option), help);
  }
  return error.message;
}

}  // namespace

std::string describe(const LineError& error, const Command& app, const std::vector<std::string>& words) {
  const Reached at = reached_by(app, words);
  const Command& here = *at.command;
  const std::string next = at.words < words.size() ? words[at.words] : "";
  if (here.needs_subcommand() && !next.starts_with('-')) return unknown_command(here, next);
  // Before anything that is missing because of it.
  std::vector<std::string> extra = error.extra;
  std::erase(extra, "--");
  const auto option = std::ranges::find_if(extra, [](const std::string& word) { return word.starts_with('-'); });
  if (option != extra.end()) return unknown_option(here, *option);
  if (const Option* about = option_in(error.message, here)) {
    return about_option(error, *about, here);
  }
  if (!extra.empty()) {
    return fmt::format("{} is one argument too many; usage: {}{}", in_quotes(extra.front()), usage_of(here),
                       see_help(here));
  }
  return here.needs_subcommand() ? unknown_command(here, "") : error.message + see_help(here);
}

}  // namespace delassus::cli
