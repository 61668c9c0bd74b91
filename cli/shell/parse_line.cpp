#include "cli/shell/parse_line.hpp"

#include <CLI/CLI.hpp>

#include "cli/shell/command_tree.hpp"
#include "cli/shell/help.hpp"

namespace delassus::cli {
namespace {

/// The parser's own tree of the same commands.
class Parser {
 public:
  explicit Parser(const Command& root) : app_(root.description(), root.name()) {
    app_.set_help_flag("-h,--help");
    app_.option_defaults()->disable_flag_override();  // --json=no would be a second way to say nothing
    commands_[&app_] = &root;
    fill(root, app_);
  }

  CLI::App& app() { return app_; }

  /// The last command that the line named.
  const Command& reached() {
    CLI::App* at = &app_;
    while (!at->get_subcommands().empty()) at = at->get_subcommands().back();
    return *commands_.at(at);
  }

  LineError line_error(LineError::Kind kind, const std::string& message) const {
    std::map<const Option*, std::size_t> given;
    for (const auto& [option, parsed] : options_) given[option] = parsed->count();
    return {kind, message, app_.remaining(true), given};
  }

 private:
  void fill(const Command& command, CLI::App& app) {
    for (const auto& option : command.options()) add(*option, app);
    for (const auto& option : command.options()) relate(*option);
    options_[&command.help()] = app.get_help_ptr();
    // The parser runs the actions of all that a line names.
    if (command.action())
      app.callback([&] {
        if (app.get_subcommands().empty()) command.action()();
      });
    for (const auto& sub : command.subcommands()) {
      CLI::App* child = app.add_subcommand(sub->name());
      commands_[child] = sub.get();
      fill(*sub, *child);
    }
    app.require_subcommand(command.needs_subcommand() ? 1 : 0, 1);
  }

  void add(const Option& option, CLI::App& app) {
    std::string names;
    for (const std::string& spelling : option.spellings()) names += (names.empty() ? "" : ",") + spelling;
    CLI::Option* parsed = std::visit([&](const auto& target) { return add(names, target, app); }, option.target());
    if (option.is_required()) parsed->required();
    if (const auto& complaint = option.values().complaint) parsed->check(complaint);
    if (!option.is_argument() && std::holds_alternative<std::vector<std::string>*>(option.target())) {
      // One value each time that it is given: else it would take the MODEL that follows it for another.
      parsed->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
    }
    options_[&option] = parsed;
  }

  void relate(const Option& option) {
    for (const Option* other : option.excluded()) options_.at(&option)->excludes(options_.at(other));
    for (const Option* other : option.needed()) options_.at(&option)->needs(options_.at(other));
  }

  template <class T>
  static CLI::Option* add(const std::string& names, T* target, CLI::App& app) {
    return app.add_option(names, *target);
  }
  static CLI::Option* add(const std::string& names, bool* target, CLI::App& app) {
    return app.add_flag(names, *target);
  }
  static CLI::Option* add(const std::string& names, const std::function<std::string()>& text, CLI::App& app) {
    return app.set_version_flag(names, text);
  }

  CLI::App app_;
  std::map<const CLI::App*, const Command*> commands_;
  std::map<const Option*, CLI::Option*> options_;
};

bool names_unknown_command(const Command& root, const std::vector<std::string>& words) {
  const Reached at = reached_by(root, words);
  return at.command->needs_subcommand() && at.words < words.size() && !words[at.words].starts_with('-');
}

LineError::Kind kind_of(const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::RequiredError*>(&error)) return LineError::Kind::kRequired;
  if (dynamic_cast<const CLI::ExcludesError*>(&error)) return LineError::Kind::kExcluded;
  if (dynamic_cast<const CLI::RequiresError*>(&error)) return LineError::Kind::kNeedsOther;
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) return LineError::Kind::kValueCount;
  return LineError::Kind::kOther;
}

}  // namespace

std::string parse_line(const Command& root, const std::vector<std::string>& words) {
  Parser parser(root);
  try {
    parser.app().parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 wants the last word first
    return "";
  } catch (const CLI::CallForHelp&) {
    // Help was asked for something that there is not: that of what is above it would hide the slip.
    if (names_unknown_command(root, words)) throw parser.line_error(LineError::Kind::kOther, "");
    return help_of(parser.reached());
  } catch (const CLI::CallForVersion& text) {
    return text.what();
  } catch (const CLI::ParseError& error) {
    throw parser.line_error(kind_of(error), error.what());
  }
}

}  // namespace delassus::cli
