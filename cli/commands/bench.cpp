// `delassus bench` and `delassus opcount`: the program delassus-bench, which stands beside this one.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands/commands.hpp"
#include "cli/shell/bench_commands.hpp"
#include "cli/shell/help.hpp"
#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

constexpr const char* kProgram = "delassus-bench";

bool is_bench_command(const std::string& word) {
  return std::ranges::any_of(kBenchCommands, [&](const CommandTitle& c) { return word == c.name; });
}

/// Where the system does not say which file this program is, the first that PATH has.
std::string bench_program() {
  std::error_code none;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", none);
  return none ? kProgram : self.parent_path() / kProgram;
}

}  // namespace

void add_bench(Command& app) {
  for (const CommandTitle& c : kBenchCommands) {
    const std::string line = std::string("delassus ") + c.name + " --help";
    set_examples(*app.add_subcommand(c.name, c.description),
                 {{line, "all of it; delassus-bench(1) is the manual page"}});
  }
}

bool is_for_bench(const std::vector<std::string>& words) {
  const bool completes = words.size() > 3 && words[0] == "complete";  // and "--"
  return !words.empty() && is_bench_command(words[completes ? 2 : 0]);
}

void start_bench(std::vector<std::string> words) {
  const std::string program = bench_program();
  words.insert(words.begin(), program);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(program.c_str(), arguments.data());
  throw Error("this command is in a program of its own, and " + program + " cannot be started; `make bench` builds it");
}

}  // namespace delassus::cli
