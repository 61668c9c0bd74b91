#include "bench/table1/scenes_plot.hpp"

#include <nlohmann/json.hpp>

#include "cli/shell/python_plot.hpp"

namespace delassus::cli {
namespace {

/// Colours that people with any colour vision can tell apart; what was left out has no time and no point.
constexpr const char* kScript = R"py(
scenes = study["scenes"]
others = [name for name in scenes[0]["operators"] if name != "condensed"]
colours = ["#0072B2", "#009E73", "#E69F00", "#CC79A7", "#999999", "#56B4E9", "#000000"]
lines = range(len(scenes))
height = 1.6 + 0.32 * len(scenes)
figure, all_axes = plt.subplots(1, len(study["calls"]), figsize=(15, height), sharey=True, squeeze=False)


def points(axes, call, name, **style):
    times = [scene["operators"][name][call["name"] + "_us"] for scene in scenes]
    drawn = [(time, line) for time, line in zip(times, lines) if time is not None]
    axes.scatter([time for time, _ in drawn], [line for _, line in drawn], label=name, **style)


for axes, call in zip(all_axes[0], study["calls"]):
    points(axes, call, "condensed", s=60, color="#D55E00", marker="D", zorder=3)
    for name, colour in zip(others, colours):
        points(axes, call, name, s=22, color=colour)
    axes.set_xscale("log")
    axes.set_title(call["title"] + ", µs")
    axes.grid(True, alpha=0.25)
all_axes[0][0].set_yticks(lines, [f"{scene['name']} ({scene['rows']})" for scene in scenes])
all_axes[0][0].invert_yaxis()
figure.suptitle(" ")  # room for the legend
handles, labels = all_axes[0][0].get_legend_handles_labels()
figure.legend(handles, labels, loc="upper center", ncol=len(labels), frameon=False)
)py";

}  // namespace

void plot_scenes(const nlohmann::json& scenes, const nlohmann::json& calls, const std::string& path) {
  draw(kScript, {{"scenes", scenes}, {"calls", calls}}, path);
}

}  // namespace delassus::cli
