// Programs of others, run without a shell.
#pragma once

#include <string>
#include <vector>

namespace delassus::generation {

/// The path of a program: that of a name with a slash, or the first in the absolute folders of PATH. Empty if there is none.
std::string find_program(const std::string& name);

/// How a program ended.
struct Ended {
  enum class How : unsigned char { kExited, kKilled, kTooSlow, kNotStarted };
  How how = How::kNotStarted;
  int code = 0;        // exit status, signal, or errno
  std::string output;  // standard output and errors, the first 64 KiB

  bool ok() const { return how == How::kExited && code == 0; }
  /// "ended with status 1: cc: error: ...", with the line of the output that says most.
  std::string in_words() const;
};

/// Runs a program with its messages in English, an empty standard input and its output in the file `log`. After so many seconds it and all that it
/// has started are killed.
Ended run_program(const std::vector<std::string>& words, const std::string& log, double seconds);

}  // namespace delassus::generation
