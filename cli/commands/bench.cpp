// `delassus bench` and `delassus opcount`: the program delassus-bench, which stands beside this one.
#include <algorithm>

#include "cli/commands/commands.hpp"
#include "cli/shell/bench_commands.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/other_program.hpp"

namespace delassus::cli {
namespace {

bool is_bench_command(const std::string& word) {
  return std::ranges::any_of(kBenchCommands, [&](const CommandTitle& c) { return word == c.name; });
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

void start_bench(const std::vector<std::string>& words) { become("delassus-bench", words, "`make bench` builds it"); }

}  // namespace delassus::cli
