// The values that arguments take, as validators of CLI11: they check, and completion and help read them back.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace delassus::cli {

/// One of these. Any other is an error with the closest of them; `what` is what they are, in the singular.
CLI::Validator one_of(std::string what, std::vector<std::string> values);

/// Offered by completion and not checked: the command knows more of them, such as files.
CLI::Validator such_as(const std::vector<std::string>& values);

CLI::Validator whole_number(int least, int most);

/// Not empty: a shell's variable that is not set would else be taken for no file at all.
CLI::Validator file_name();

/// What one_of or such_as was given; empty if the option has neither.
std::vector<std::string> values_of(const CLI::Option& option);

/// What stands for the value in help and errors: "FILE".
std::string placeholder_of(const CLI::Option& option);

}  // namespace delassus::cli
