#include <nlohmann/json.hpp>

#include "bench/simulation/simulation.hpp"
#include "cli/shell/python_plot.hpp"

namespace delassus::cli {
namespace {

/// Shares of steps on a logarithmic axis too: what is rare is what matters.
constexpr const char* kScript = R"py(
scenes = study["scenes"]
colours = ["#D55E00", "#0072B2", "#009E73", "#000000", "#999999", "#CC79A7"]
names = []
for scene in scenes:
    names += [e["engine"] for e in scene["engines"] if e["engine"] not in names]
columns = min(2, len(scenes))
rows = -(-len(scenes) // columns)
figure, all_axes = plt.subplots(rows, columns, figsize=(7 * columns, 1.2 + 2.4 * rows), sharex=True, squeeze=False)
for axes in all_axes.flat[len(scenes):]:
    axes.set_visible(False)
for axes, scene in zip(all_axes.flat, scenes):
    for engine in scene["engines"]:
        shown = engine["histogram"]
        edges = [shown["first_us"] * 10 ** (k / shown["bins_per_decade"]) for k in range(len(shown["counts"]) + 1)]
        shares = [count / max(engine["steps"], 1) for count in shown["counts"]]
        colour = colours[names.index(engine["engine"]) % len(colours)]
        axes.stairs(shares, edges, label=engine["engine"], color=colour, fill=engine["engine"].startswith("MuJoCo"),
                    alpha=0.35 if engine["engine"].startswith("MuJoCo") else 1)
        axes.axvline(engine["p999_us"], color=colour, linewidth=0.8, linestyle=":")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title(f"{scene['scene']}, {1e3 * scene['dt_s']:g} ms", fontsize=10)
    axes.grid(True, alpha=0.25)
for axes in all_axes[-1]:
    axes.set_xlabel("processor time of a step, µs; dotted: 99.9 %")
for axes in all_axes[:, 0]:
    axes.set_ylabel("share of steps")
figure.suptitle(" ")  # room for the legend
handles = {}
for axes in all_axes.flat:
    handles.update(dict(zip(*reversed(axes.get_legend_handles_labels()))))
figure.legend(handles.values(), handles.keys(), loc="upper center", ncol=len(handles), frameon=False)
)py";

}  // namespace

void plot_simulation(const nlohmann::json& scenes, const std::string& path) {
  draw(kScript, {{"scenes", scenes}}, path);
}

}  // namespace delassus::cli
