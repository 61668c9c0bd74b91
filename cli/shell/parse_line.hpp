// The parser of command lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/shell/options.hpp"

namespace delassus::cli {

/// A line that is not understood; describe() of usage_error.hpp says it in words.
struct LineError {
  enum class Kind : std::uint8_t { kRequired, kExcluded, kNeedsOther, kValueCount, kOther };

  Kind kind;
  std::string message;                         // of the parser; begins with the name of an option if it is about one
  std::vector<std::string> extra;              // words that belong to nothing
  std::map<const Option*, std::size_t> given;  // how often
};

/// Sets what the line gives and runs its command. Returns the text that the line asks for instead, such as help. Throws a
/// LineError.
std::string parse_line(const Command& root, const std::vector<std::string>& words);

}  // namespace delassus::cli
