#include "support/command.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>

namespace delassus::testing {

CommandResult run_command(const std::string& arguments) {
  return run_shell("\"" DELASSUS_COMMAND "\" " + arguments + " 2>&1");
}

CommandResult run_shell(const std::string& line) {
  CommandResult result;
  const std::string folder = std::filesystem::path(DELASSUS_COMMAND).parent_path().string();
  std::FILE* pipe = popen(("PATH=\"" + folder + ":$PATH\"; " + line).c_str(), "r");
  if (!pipe) return result;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) result.output.append(buffer, n);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool has_program(const std::string& name) { return run_shell("command -v " + name + " >/dev/null").exit_code == 0; }

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "delassus-test-XXXXXX").string();
  if (mkdtemp(name.data()) != nullptr) folder_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name);
}

}  // namespace delassus::testing
