// Any words as a command line, separated by zeros: it is understood, or said to be wrong in words.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/argument_values.hpp"
#include "cli/shell/command_tree.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/parse_line.hpp"
#include "cli/shell/usage_error.hpp"

namespace {

using namespace delassus::cli;

/// One option of each kind that commands have.
struct Line {
  int count = 1;
  bool quiet = false;
  std::string model, kind = "ltl", speed = "1", damping = "1", output;
  std::vector<std::string> names;

  void add_to(Command& app) {
    Command* sub = app.add_subcommand("compute", "a command");
    sub->add_option("MODEL", model, "a model")->required()->check(such_as({"go2", "g1"}));
    sub->add_option("-k,--kind", kind, "one of some")->check(one_of("algorithm", {"ltl", "condensed"}));
    sub->add_option("--count", count, "a whole number")->check(whole_number(0, 65535));
    sub->add_option("--speed", speed, "a number")->check(number_between(0.01, 100));
    sub->add_option("--damping", damping, "a number")->check(positive_number());
    Option* file = sub->add_option("-o,--output", output, "a file")->check(file_name());
    sub->add_flag("--quiet", quiet, "a flag")->excludes(file);
    app.add_subcommand("list", "another")->add_option("NAME", names, "any number of them");
  }

  /// Of a line that is understood.
  bool is_in_range() const {
    const double s = number_of(speed), d = number_of(damping);
    return count >= 0 && count <= 65535 && s >= 0.01 && s <= 100 && d > 0 && std::isfinite(d);
  }
};

std::vector<std::string> words_of(std::string_view bytes) {
  std::vector<std::string> out;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    out.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::string> words = words_of({reinterpret_cast<const char*>(data), size});
  Line line;
  Command app("delassus", "what it does");
  line.add_to(app);
  try {
    parse_line(app, words);
  } catch (const LineError& error) {
    if (describe(error, app, words).empty()) std::abort();
    return 0;
  }
  if (!line.is_in_range()) std::abort();
  return 0;
}
