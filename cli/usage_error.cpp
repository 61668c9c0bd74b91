#include "usage_error.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app_tree.hpp"
#include "argument_values.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

std::string see_help(const CLI::App& app) { return fmt::format("; see `{} --help`", full_name(app)); }

std::string unknown_command(const CLI::App& app, const std::string& word) {
  ClosestName closest(word);
  std::vector<std::string> names;
  for (const CLI::App* sub : commands_of(app)) names.push_back(sub->get_name());
  for (const std::string& name : names) closest.consider(name);
  const std::string there = fmt::format("the commands are {}", fmt::join(names, ", ")) + see_help(app);
  if (word.empty()) return fmt::format("give a command; {}", there);
  return fmt::format("there is no command {}{}; {}", in_quotes(word), closest.hint(), there);
}

std::string unknown_option(const CLI::App& app, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  ClosestName closest(name);
  std::vector<std::string> names;
  for (const CLI::Option* option : options_of(app)) {
    for (const std::string& spelling : spellings_of(*option)) names.push_back(spelling);
  }
  const bool one_letter = !name.starts_with("--");  // each is close to all others
  for (const std::string& known : names) {
    if (!one_letter) closest.consider(known);
  }
  const std::string none = fmt::format("`{}` has no option {}", full_name(app), in_quotes(name));
  for (const CLI::App* sub : commands_of(app)) {
    if (find_option(*sub, name)) return fmt::format("{}; it stands after `{}`", none, full_name(*sub));
  }
  return none + closest.hint() + see_help(app);
}

/// The option that a message of CLI11 begins with, with dashes or without.
const CLI::Option* option_in(const std::string& message, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name(), bare = name.substr(name.find_first_not_of('-'));
    for (const std::string& start : {name + ":", name + " ", bare + " "}) {
      if (message.starts_with(start)) return option;
    }
  }
  return nullptr;
}

/// "--output FILE" or "MODEL", as a sentence needs it.
std::string wanted(const CLI::Option& option) {
  return option.get_positional() ? option.get_name() : option.get_name() + " " + placeholder_of(option);
}

std::string about_option(const CLI::ParseError& error, const CLI::Option& option, const CLI::App& app) {
  const std::string name = option.get_name(), message = error.what(), help = see_help(app);
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    return fmt::format("`{}` needs {}: {}{}", full_name(app), wanted(option), option.get_description(), help);
  }
  const std::string other = message.substr(message.rfind(' ') + 1);
  if (dynamic_cast<const CLI::ExcludesError*>(&error)) return fmt::format("give {} or {}, not both", name, other);
  if (dynamic_cast<const CLI::RequiresError*>(&error)) return fmt::format("{} goes with {} only{}", name, other, help);
  if (is_flag(option)) return fmt::format("{} takes no value{}", name, help);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    return option.count() > 1 ? fmt::format("{} is given {} times; give it once", name, option.count())
                              : fmt::format("{} needs a value: {}{}", name, wanted(option), help);
  }
  return error.what();
}

}  // namespace

std::string describe(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& words) {
  const Reached at = reached_by(app, words);
  const CLI::App& here = *at.app;
  const std::string next = at.words < words.size() ? words[at.words] : "";
  if (!commands_of(here).empty() && !next.starts_with('-')) return unknown_command(here, next);
  // Before anything that is missing because of it.
  std::vector<std::string> extra = app.remaining(true);
  std::erase(extra, "--");
  const auto option = std::ranges::find_if(extra, [](const std::string& word) { return word.starts_with('-'); });
  if (option != extra.end()) return unknown_option(here, *option);
  const std::string message = error.what();
  if (const CLI::Option* about = option_in(message, here)) {
    return about_option(error, *about, here);
  }
  if (!extra.empty()) {
    return fmt::format("{} is one argument too many; usage: {}{}", in_quotes(extra.front()), usage_of(here),
                       see_help(here));
  }
  return commands_of(here).empty() ? message + see_help(here) : unknown_command(here, "");
}

}  // namespace delassus::cli
