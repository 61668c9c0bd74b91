#include "app_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "argument_values.hpp"

namespace delassus::cli {

std::string full_name(const CLI::App& app) {
  return app.get_parent() ? full_name(*app.get_parent()) + " " + app.get_name() : app.get_name();
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty(); });
}

std::vector<std::string> command_groups(const CLI::App& app) {
  std::vector<std::string> groups;
  for (const CLI::App* sub : commands_of(app)) {
    if (std::ranges::find(groups, sub->get_group()) == groups.end()) groups.push_back(sub->get_group());
  }
  return groups;
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  const CLI::Option* help = app.get_help_ptr();
  std::vector<const CLI::Option*> options =
      app.get_options([help](const CLI::Option* option) { return !option->get_positional() && option != help; });
  if (help) options.push_back(help);
  return options;
}

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

bool is_repeatable(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

std::vector<std::string> spellings_of(const CLI::Option& option) {
  std::vector<std::string> out;
  for (const std::string& name : option.get_snames()) out.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.push_back("--" + name);
  return out;
}

const CLI::Option* find_option(const CLI::App& app, const std::string& spelling) {
  for (const CLI::Option* option : options_of(app)) {
    if (std::ranges::count(spellings_of(*option), spelling) > 0) return option;
  }
  return nullptr;
}

std::string heading_of(const CLI::Option& option) {
  const std::string dots = is_repeatable(option) ? "..." : "";
  if (option.get_positional()) return option.get_name() + dots;
  const std::string names = fmt::format("{}", fmt::join(spellings_of(option), ", "));
  return is_flag(option) ? names : names + " " + placeholder_of(option);
}

std::string usage_of(const CLI::App& app) {
  std::string text = full_name(app);
  if (!commands_of(app).empty()) text += " COMMAND";
  for (const CLI::Option* argument : arguments_of(app)) {
    const std::string name = heading_of(*argument);
    text += " " + (argument->get_required() ? name : "[" + name + "]");
  }
  return text + " [OPTIONS]";
}

Reached reached_by(const CLI::App& app, const std::vector<std::string>& words) {
  Reached at{&app, 0};
  while (at.words < words.size()) {
    const auto commands = commands_of(*at.app);
    const auto found =
        std::ranges::find(commands, words[at.words], [](const CLI::App* sub) { return sub->get_name(); });
    if (found == commands.end()) break;
    at = {*found, at.words + 1};
  }
  return at;
}

}  // namespace delassus::cli
