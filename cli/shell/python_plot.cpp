#include "cli/shell/python_plot.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/shell/argument_values.hpp"
#include "cli/shell/output_file.hpp"
#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

constexpr int kNoMatplotlib = 3, kNotWritten = 4;

constexpr const char* kBefore = R"py(
import json, sys
try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit(3)
matplotlib.rcParams["svg.hashsalt"] = "delassus"

study = json.load(sys.stdin)
)py";

constexpr const char* kAfter = R"py(
figure.tight_layout()
try:
    figure.savefig(sys.argv[1], format=sys.argv[2], metadata={"Date": None} if sys.argv[2] == "svg" else None)
except OSError as e:
    print(e, file=sys.stderr)
    sys.exit(4)
)py";

[[noreturn]] void fail_missing(std::string_view what) {
  throw Error(fmt::format(
      "--plot draws with python3 and matplotlib, and {} is missing; on Debian, install python3-matplotlib", what));
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// A file and not a pipe: a child that ends early cannot take this process with it.
File temporary(const std::string& text) {
  File file(std::tmpfile());
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0)
    throw Error("cannot write a temporary file: is the disk full?");
  return file;
}

/// Exit code of the script with the file as its stdin; -1 if it was stopped, nothing if there is no such interpreter.
std::optional<int> run_python(const char* python, const std::string& script, std::FILE* input, const std::string& path,
                              const std::string& format) {
  std::rewind(input);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO);
  std::array<std::string, 5> words{python, "-c", script, path, format};
  std::array<char*, 6> arguments{};
  for (std::size_t k = 0; k < words.size(); ++k) arguments[k] = words[k].data();
  pid_t child = 0;
  const int error = posix_spawnp(&child, python, &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (error != 0 || waitpid(child, &status, 0) != child) return std::nullopt;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

void add_plot(Command& app, std::string& path) {
  app.add_option("--plot", path, "also draw it into a file .svg, .png or .pdf (needs python3-matplotlib)")
      ->type_name("FILE")
      ->check(file_name());
}

void require_plot(const std::string& path) {
  if (path.empty()) return;
  if (!path.ends_with(".svg") && !path.ends_with(".png") && !path.ends_with(".pdf")) {
    throw Error(fmt::format("--plot {}: the name has to end in .svg, .png or .pdf", in_quotes(path)));
  }
  require_writable("--plot", path);
}

void draw(const std::string& script, const nlohmann::json& study, const std::string& path) {
  const std::string program = kBefore + script + kAfter;
  const File input = temporary(study.dump());
  io::NewFile output(path);
  const std::string ending = path.substr(path.rfind('.') + 1);
  std::optional<int> code;
  // Another python3 may stand before the system's, for which Debian's package is.
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (code && code != kNoMatplotlib) break;
    if (const std::optional<int> ran = run_python(python, program, input.get(), output.temporary(), ending)) code = ran;
  }
  if (!code) fail_missing("python3");
  if (code == kNoMatplotlib) fail_missing("matplotlib");
  if (code == kNotWritten) throw Error(fmt::format("could not write all of {}: is the disk full?", in_quotes(path)));
  if (code != 0) throw Error(fmt::format("the drawing of {} failed; python3 said why above", in_quotes(path)));
  output.keep();
}

}  // namespace delassus::cli
