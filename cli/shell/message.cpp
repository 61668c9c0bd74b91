#include "cli/shell/message.hpp"

#include <cstdio>
#include <string>

#include "cli/shell/output_file.hpp"
#include "cli/shell/terminal.hpp"

namespace delassus::cli {
namespace {

constexpr const char* kRed = "\x1b[1;31m";
constexpr const char* kYellow = "\x1b[1;33m";
constexpr const char* kCyan = "\x1b[36m";

/// Not fmt::print, which throws if stderr cannot be written either.
void say(const char* colour, const char* kind, std::string_view text) {
  const bool coloured = stderr_has_colour();
  const std::string head = std::string("delassus:") + kind;
  const std::string line = (coloured ? colour + head + "\x1b[0m" : head) + " " + for_terminal(text) + "\n";
  std::fputs(line.c_str(), stderr);
}

}  // namespace

void say_error(std::string_view text) { say(kRed, "", text); }
void say_warning(std::string_view text) { say(kYellow, " warning:", text); }
void say_note(std::string_view text) { say(kCyan, " note:", text); }

}  // namespace delassus::cli
