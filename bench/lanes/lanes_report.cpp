#include "bench/lanes/lanes.hpp"
#include "bench/measure/number.hpp"
#include "cli/shell/python_plot.hpp"

namespace delassus::cli {
namespace {

/// A drawing for each call: two bars for each scene, and how many times faster lanes are.
constexpr const char* kLanesScript = R"py(
scenes = study["scenes"]
lines = range(len(scenes))
figure, all_axes = plt.subplots(1, len(study["calls"]), figsize=(15, 1.8 + 0.42 * len(scenes)), sharey=True, squeeze=False)
for axes, call in zip(all_axes[0], study["calls"]):
    key = call["name"] + "_us"
    for name, label, colour, shift in (("condensed", "scalar", "#999999", -0.2), ("limbs", "limbs in lanes", "#D55E00", 0.2)):
        times = [scene["operators"][name][key] or float("nan") for scene in scenes]
        axes.barh([line + shift for line in lines], times, height=0.38, color=colour, label=label)
    for line, scene in zip(lines, scenes):
        ratio, time = scene["ratio"][call["name"]], scene["operators"]["limbs"][key]
        if ratio is not None:
            axes.annotate(f"{ratio:.1f}×", (time, line + 0.2), xytext=(3, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_xscale("log")
    axes.set_title(call["title"] + ", µs")
    axes.grid(True, axis="x", alpha=0.25)
    axes.margins(x=0.2)
all_axes[0][0].set_yticks(lines, [scene["name"] for scene in scenes])
all_axes[0][0].invert_yaxis()
figure.suptitle(" ")  # room for the legend
handles, labels = all_axes[0][0].get_legend_handles_labels()
figure.legend(handles, labels, loc="upper center", ncol=len(labels), frameon=False)
)py";

/// How many times faster lanes are.
std::optional<double> ratio_of(const LanesResult& result, Verb verb) {
  const std::optional<double>&scalar = result.scalar.time_us[verb], &lanes = result.lanes.time_us[verb];
  return scalar && lanes ? std::optional(*scalar / *lanes) : std::nullopt;
}

std::string percent(const std::optional<double>& share) { return share ? fmt::format("{:.0f} %", 100 * *share) : "-"; }

std::string times_line(const LanesResult& result, std::string_view label, const OperatorTimes& times) {
  if (!times.left_out.empty()) return fmt::format("  {:<20}left out: {}\n", label, times.left_out);
  std::string text = fmt::format("  {:<20}", label);
  for (const Verb verb : kPaperVerbs) {
    const std::optional<double>& time = times.time_us[verb];
    text += fmt::format("{:>16}", fmt::format("{} {:>5}", time ? three_digits(*time) : "-",
                                              percent(share_of_peak(result, times, verb))));
  }
  return text + "\n";
}

std::string ratio_line(const LanesResult& result) {
  std::string text = fmt::format("  {:<20}", "times faster");
  for (const Verb verb : kPaperVerbs) {
    const std::optional<double> ratio = ratio_of(result, verb);
    text += fmt::format("{:>10}      ", ratio ? fmt::format("{:.2f}", *ratio) : "-");
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

nlohmann::json times_json(const LanesResult& result, const OperatorTimes& times) {
  nlohmann::json out{{"bytes", or_null(times.bytes)}};
  for (const Verb verb : kPaperVerbs) {
    const std::string name(name_of(verb));
    out[name + "_us"] = or_null(times.time_us[verb]);
    out["share_of_peak"][name] = or_null(share_of_peak(result, times, verb));
  }
  if (!times.left_out.empty()) out["left_out"] = times.left_out;
  return out;
}

}  // namespace

std::string lanes_head(double peak_gflops) {
  std::string text = fmt::format(
      "times of one call in µs, medians of runs that take turns, and the share of the core's peak in counted "
      "operations\n"
      "peak: {:.1f} billion operations per second, measured by multiply-adds on vectors of 4 doubles; operations are "
      "those of "
      "the\nscalar tree, so that lanes which only fill up count nothing\n\n",
      peak_gflops);
  text += fmt::format("{:<22}", "");
  for (const Verb verb : kPaperVerbs) text += fmt::format("{:>16}", title_of(verb));
  return text + "\n";
}

std::string as_text(const LanesResult& result) {
  const std::string fold =
      result.fold_links ? fmt::format("{} side by side", *result.fold_links) : std::string("no limbs side by side");
  return fmt::format("{}: nv {}, {} rows, {} links, {}; {}\n", result.name, result.nv, result.rows, result.links, fold,
                     result.in_lanes ? "in lanes" : "not in lanes") +
         times_line(result, "scalar", result.scalar) + times_line(result, "limbs", result.lanes) + ratio_line(result);
}

nlohmann::json as_json(const LanesResult& result) {
  nlohmann::json out{
      {"name", result.name},
      {"nv", result.nv},
      {"rows", result.rows},
      {"links", result.links},
      {"fold_links", or_null(result.fold_links)},
      {"in_lanes", result.in_lanes},
      {"operators", {{"condensed", times_json(result, result.scalar)}, {"limbs", times_json(result, result.lanes)}}}};
  for (const Verb verb : kPaperVerbs) {
    const std::string name(name_of(verb));
    out["ops"][name] = or_null(result.operations[verb]);
    out["ratio"][name] = or_null(ratio_of(result, verb));
  }
  return out;
}

void plot_lanes(const nlohmann::json& report, const std::string& path) { draw(kLanesScript, report, path); }

}  // namespace delassus::cli
