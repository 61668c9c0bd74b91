#include "bench/operations/operation_plot.hpp"

#include "cli/shell/python_plot.hpp"

namespace delassus::cli {
namespace {

/// Sizes on both axes as powers where a case has them, one drawing for each number of branches; else bars by stage.
constexpr const char* kScript = R"py(
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
)py";

}  // namespace

void plot(const nlohmann::json& study, const std::string& path) { draw(kScript, study, path); }

}  // namespace delassus::cli
