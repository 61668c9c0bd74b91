// Commands and their options: what each command declares, and what help, errors, completion and the manual page read back.
// parse_line.cpp alone gives them to CLI11, whose headers take seconds to compile in every file that includes them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace delassus::cli {

/// The values that an option takes; argument_values.hpp makes them.
struct Values {
  std::vector<std::string> known;                            // completion offers them
  std::function<std::string(const std::string&)> complaint;  // empty if the value is good; none: any is
};

/// Where a value goes: a bool belongs to a flag. A function is a flag too; it makes the text that the flag asks for.
using Target = std::variant<bool*, int*, std::string*, std::vector<std::string>*, std::function<std::string()>>;

/// An option, a flag or an argument. An option with a list is given once for each value; an argument with a list takes all
/// words that come.
class Option {
 public:
  /// `names` is "-o,--output", or "MODEL" for an argument.
  Option(const std::string& names, Target target, std::string description);

  Option* required() { return required_ = true, this; }
  /// What stands for the value in help and errors: "FILE".
  Option* type_name(std::string name) { return type_name_ = std::move(name), this; }
  Option* check(Values values) { return values_ = std::move(values), this; }
  Option* excludes(const Option* other) { return excluded_.push_back(other), this; }
  Option* needs(const Option* other) { return needed_.push_back(other), this; }

  /// "-o", "--output"; of an argument, its name.
  const std::vector<std::string>& spellings() const { return spellings_; }
  /// The one that messages use: the long one.
  const std::string& name() const { return spellings_.back(); }
  const std::string& description() const { return description_; }
  const std::string& placeholder() const { return is_argument() ? name() : type_name_; }
  const Target& target() const { return target_; }
  const Values& values() const { return values_; }
  const std::vector<const Option*>& excluded() const { return excluded_; }
  const std::vector<const Option*>& needed() const { return needed_; }

  bool is_argument() const { return !name().starts_with('-'); }
  bool is_flag() const;
  bool is_repeatable() const { return is_argument() && std::holds_alternative<std::vector<std::string>*>(target_); }
  bool is_required() const { return required_; }

 private:
  std::vector<std::string> spellings_;
  Target target_;
  std::string description_, type_name_;
  Values values_;
  bool required_ = false;
  std::vector<const Option*> excluded_, needed_;
};

class Command {
 public:
  static constexpr const char* kAnyGroup = "Commands";

  Command(std::string name, std::string description, const Command* parent = nullptr);

  /// A command that has subcommands and no action does nothing by itself: a line names one of them. With an action, that is what a line does that names none.
  Command* add_subcommand(std::string name, std::string description);
  Option* add_option(const std::string& names, Target target, std::string description);
  /// Of whole numbers, words and lists of them; the value that is there is the default.
  template <class T>
  Option* add_option(const std::string& names, T& value, std::string description) {
    return add_option(names, Target(&value), std::move(description));
  }
  /// The text is printed, and no command is run.
  Option* add_text_flag(const std::string& name, std::function<std::string()> text, std::string description) {
    return add_option(name, Target(std::move(text)), std::move(description));
  }
  Option* add_flag(const std::string& name, bool& value, std::string description) {
    return add_option(name, Target(&value), std::move(description));
  }
  /// The head under which it is shown, kAnyGroup unless told; an empty one hides it.
  Command* group(std::string head) { return group_ = std::move(head), this; }
  /// What it does. Called when all of the line is understood.
  void callback(std::function<void()> action) { action_ = std::move(action); }
  /// The examples of its help; see set_examples.
  void footer(std::string text) { footer_ = std::move(text); }

  const Command* parent() const { return parent_; }
  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  const std::string& group() const { return group_; }
  const std::string& footer() const { return footer_; }
  const std::function<void()>& action() const { return action_; }
  const std::vector<std::unique_ptr<Command>>& subcommands() const { return subcommands_; }
  bool needs_subcommand() const { return !subcommands_.empty() && !action_; }
  /// Arguments as well; without --help.
  const std::vector<std::unique_ptr<Option>>& options() const { return options_; }
  const Option& help() const { return help_; }

 private:
  const Command* parent_;
  std::string name_, description_, group_ = kAnyGroup, footer_;
  std::function<void()> action_;
  std::vector<std::unique_ptr<Command>> subcommands_;
  std::vector<std::unique_ptr<Option>> options_;
  Option help_;
};

}  // namespace delassus::cli
