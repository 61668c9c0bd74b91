#include "cli/shell/options.hpp"

namespace delassus::cli {

Option::Option(const std::string& names, Target target, std::string description)
    : target_(std::move(target)), description_(std::move(description)) {
  const std::size_t comma = names.find(',');
  if (comma != std::string::npos) spellings_.push_back(names.substr(0, comma));
  spellings_.push_back(names.substr(comma == std::string::npos ? 0 : comma + 1));
}

bool Option::is_flag() const {
  return std::holds_alternative<bool*>(target_) || std::holds_alternative<std::function<std::string()>>(target_);
}

/// Its text is help_of, which parse_line asks for: the layout is no matter of the tree.
Command::Command(std::string name, std::string description, const Command* parent)
    : parent_(parent),
      name_(std::move(name)),
      description_(std::move(description)),
      help_("-h,--help", std::function<std::string()>(), "show this help") {}

Command* Command::add_subcommand(std::string name, std::string description) {
  return subcommands_.emplace_back(std::make_unique<Command>(std::move(name), std::move(description), this)).get();
}

Option* Command::add_option(const std::string& names, Target target, std::string description) {
  return options_.emplace_back(std::make_unique<Option>(names, std::move(target), std::move(description))).get();
}

}  // namespace delassus::cli
