#include <algorithm>

#include "bench/batch/batch.hpp"
#include "bench/measure/number.hpp"
#include "cli/shell/python_plot.hpp"

namespace delassus::cli {
namespace {

/// A row for each scene and a drawing for each verb; loops do not depend on threads and are dashed.
constexpr const char* kBatchScript = R"py(
scenes, calls = study["scenes"], study["calls"]
colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999999", "#000000"]
figure, all_axes = plt.subplots(len(scenes), len(calls), figsize=(3.2 * len(calls), 1.2 + 2.6 * len(scenes)), squeeze=False)
labels = {}
for line, scene in zip(all_axes, scenes):
    for axes, call in zip(line, calls):
        curves = {}
        for point in scene["points"]:
            value = point["calls"][call["name"]]
            if value is None:
                continue
            label = point["contender"]
            if label == "batch":
                label = f"{point['scalar']}, {point['threads']} thread" + ("s" if point["threads"] > 1 else "")
            curves.setdefault(label, []).append((point["size"], value["per_second"]))
        for label, points in curves.items():
            colour = colours[labels.setdefault(label, len(labels)) % len(colours)]
            style = "--" if label.endswith("loop") else "-"
            axes.loglog(*zip(*points), style, marker=".", color=colour, label=label)
        axes.set_title(f"{scene['name']}: {call['title']}", fontsize=9)
        axes.grid(True, which="both", alpha=0.2)
    line[0].set_ylabel("environments per second")
for axes in all_axes[-1]:
    axes.set_xlabel("environments")
figure.suptitle(" ")  # room for the legend
handles = {label: handle for axes in all_axes.flat for handle, label in zip(*axes.get_legend_handles_labels())}
figure.legend(handles.values(), handles.keys(), loc="upper center", ncol=len(handles), frameon=False)
)py";

/// Of all cores that run.
std::optional<double> share_of_peak(const BatchResult& result, const BatchPoint& point, BatchVerb verb) {
  if (!point.environment_us[verb] || !result.operations[verb]) return std::nullopt;
  constexpr double kGigaPerMicro = 1e-3;  // operations in a microsecond, as billions in a second
  const double peak = result.peak_gflops * point.threads * (point.scalar == "float" ? 2 : 1);
  return kGigaPerMicro * static_cast<double>(*result.operations[verb]) / *point.environment_us[verb] / peak;
}

/// Other libraries count other operations.
bool counts_operations(const BatchPoint& point) {
  return !point.name.starts_with("mj_") && !point.name.starts_with("Pinocchio");
}

std::string cell(const BatchResult& result, const BatchPoint& point, BatchVerb verb) {
  const std::optional<double>& us = point.environment_us[verb];
  if (!us) return "-";
  const std::optional<double> share = counts_operations(point) ? share_of_peak(result, point, verb) : std::nullopt;
  return fmt::format("{} {:>6} {:>4}", three_digits(*us), fmt::format("{}M", three_digits(1 / *us)),
                     share ? fmt::format("{:.0f}%", 100 * *share) : "");
}

std::string label_of(const BatchPoint& point) {
  if (point.name != "batch") return point.name;
  return fmt::format("{}, {} {}", point.scalar, point.threads, point.threads == 1 ? "thread" : "threads");
}

std::string point_line(const BatchResult& result, const BatchPoint& point) {
  std::string text = fmt::format("  {:<20}", label_of(point));
  for (const BatchVerb verb : kBatchVerbs) text += fmt::format("{:>20}", cell(result, point, verb));
  text.erase(text.find_last_not_of(' ') + 1);
  text += "\n";
  for (const auto& [verb, why] : point.left_out) text += fmt::format("    {} left out: {}\n", verb, why);
  return text;
}

nlohmann::json point_json(const BatchResult& result, const BatchPoint& point) {
  nlohmann::json out{
      {"size", point.size}, {"contender", point.name}, {"scalar", point.scalar}, {"threads", point.threads}};
  for (const BatchVerb verb : kBatchVerbs) {
    nlohmann::json& call = out["calls"][std::string(name_of(verb))];
    const std::optional<double>& us = point.environment_us[verb];
    if (!us) continue;  // null
    call = {{"us", *us}, {"per_second", 1e6 / *us}};
    call["share_of_peak"] = counts_operations(point) ? or_null(share_of_peak(result, point, verb)) : nullptr;
  }
  if (!point.left_out.empty()) out["left_out"] = point.left_out;
  return out;
}

}  // namespace

std::string batch_head(int lanes, double peak_gflops) {
  std::string text = fmt::format(
      "µs per environment, millions of environments per second, and the share of the peak of the cores in counted "
      "operations\n"
      "peak of a core: {:.1f} billion operations per second, measured by multiply-adds on vectors of {} doubles; "
      "floats: twice "
      "that\nloops: one state after the other on one core; mj_forward: MuJoCo without contacts and constraints, with M "
      "and its "
      "factorization; Pinocchio: rnea, aba, computeDelassusMatrix, ContactCholeskyDecomposition\n\n",
      peak_gflops, lanes);
  text += fmt::format("{:<22}", "");
  for (const BatchVerb verb : kBatchVerbs) text += fmt::format("{:>20}", title_of(verb));
  return text + "\n";
}

std::string as_text(const BatchResult& result) {
  std::string text;
  int size = 0;
  for (const BatchPoint& point : result.points) {
    if (point.size != size) {
      size = point.size;
      text += fmt::format("{}: nv {}, {} rows, {} {}\n", result.name, result.nv, result.rows, size,
                          size == 1 ? "environment" : "environments");
    }
    text += point_line(result, point);
  }
  return text;
}

nlohmann::json as_json(const BatchResult& result) {
  nlohmann::json out{
      {"name", result.name}, {"nv", result.nv}, {"rows", result.rows}, {"points", nlohmann::json::array()}};
  for (const BatchVerb verb : kBatchVerbs) out["ops"][std::string(name_of(verb))] = or_null(result.operations[verb]);
  for (const BatchPoint& point : result.points) out["points"].push_back(point_json(result, point));
  return out;
}

void plot_batch(const nlohmann::json& report, const std::string& path) { draw(kBatchScript, report, path); }

}  // namespace delassus::cli
