#include "operation_plot.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>
#include <optional>

#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

constexpr int kNoMatplotlib = 3, kNotWritten = 4;

/// Sizes on both axes as powers where a case has them, one drawing for each number of branches; else bars by stage.
constexpr const char* kScript = R"py(
import json, sys
try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit(3)
matplotlib.rcParams["svg.hashsalt"] = "delassus"

study = json.load(sys.stdin)
points = study["points"]
names = list(points[0]["algorithms"])


def lines(axes, chosen, title):
    for name in names:
        drawn = [p for p in chosen if name in p["algorithms"]]
        axes.loglog([p["k"] for p in drawn], [p["algorithms"][name]["total"] for p in drawn], marker=".", label=name)
    axes.set(title=title, xlabel=study["size"], ylabel="operations")
    axes.grid(True, which="both", alpha=0.2)


def bars(axes, point):
    for at, name in enumerate(names):
        bottom = 0
        for stage in point["stages"][name]:
            axes.bar(at, stage["total"], bottom=bottom, edgecolor="white", color=f"C{at}", alpha=0.8)
            if stage["total"] > 0.04 * axes_top(point):
                axes.text(at, bottom + stage["total"] / 2, stage["name"], ha="center", va="center", fontsize=6)
            bottom += stage["total"]
    axes.set_xticks(range(len(names)), names)
    axes.set(title=point["label"], ylabel="operations")


def axes_top(point):
    return max(counted["total"] for counted in point["algorithms"].values())


if not study["size"]:
    figure, axes = plt.subplots(figsize=(9, 5))
    bars(axes, points[0])
else:
    groups = {}
    for p in points:
        groups.setdefault(p["label"].partition(" x ")[2], []).append(p)
    figure, all_axes = plt.subplots(1, len(groups), figsize=(3 + 4 * len(groups), 5), sharey=True, squeeze=False)
    for axes, (branches, chosen) in zip(all_axes[0], groups.items()):
        lines(axes, chosen, f"{branches} branches at either end" if branches else study["case"])
    all_axes[0][0].legend()
figure.suptitle(f"{study['description']}, {study['frames']} frames", fontsize=9)
figure.tight_layout()
try:
    figure.savefig(sys.argv[1], metadata={"Date": None} if sys.argv[1].endswith(".svg") else None)
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
std::optional<int> run_python(const char* python, std::FILE* input, const std::string& path) {
  std::rewind(input);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO);
  std::array<std::string, 4> words{python, "-c", kScript, path};
  std::array<char*, 5> arguments{words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, python, &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (error != 0 || waitpid(child, &status, 0) != child) return std::nullopt;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

void require_plot_name(const std::string& path) {
  if (!path.ends_with(".svg") && !path.ends_with(".png") && !path.ends_with(".pdf"))
    throw Error(fmt::format("--plot {}: the name has to end in .svg, .png or .pdf", in_quotes(path)));
}

void plot(const nlohmann::json& study, const std::string& path) {
  const File input = temporary(study.dump());
  std::optional<int> code;
  // Another python3 may stand before the system's, for which Debian's package is.
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (code && code != kNoMatplotlib) break;
    if (const std::optional<int> ran = run_python(python, input.get(), path)) code = ran;
  }
  if (!code) fail_missing("python3");
  if (code == kNoMatplotlib) fail_missing("matplotlib");
  if (code == kNotWritten)
    throw Error(fmt::format("cannot write {}: check that the folder exists and may be written", in_quotes(path)));
  if (code != 0) throw Error(fmt::format("the drawing of {} failed; python3 said why above", in_quotes(path)));
}

}  // namespace delassus::cli
