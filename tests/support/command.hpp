// Runs the command `delassus` as a user would.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace delassus::testing {

struct CommandResult {
  int exit_code = -1;
  std::string output;
};

/// Runs the command with these arguments through the shell. The output is stdout and stderr together.
CommandResult run_command(const std::string& arguments);

/// Runs a line of the shell, in which `delassus` is the command of this build. The output is stdout alone.
CommandResult run_shell(const std::string& line);

/// The lines of what it printed, without their ends.
std::vector<std::string> lines_of(const std::string& text);

/// Whether the shell finds a program of this name.
bool has_program(const std::string& name);

std::string read_bytes(const std::filesystem::path& path);

/// A folder of its own for one test, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace delassus::testing
