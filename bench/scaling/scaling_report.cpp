#include "bench/scaling/scaling_report.hpp"

#include "bench/measure/number.hpp"
#include "cli/shell/python_plot.hpp"

namespace delassus::cli {
namespace {

/// A drawing for each quantity, both axes as powers.
constexpr const char* kScript = R"py(
points = study["points"]
figure, all_axes = plt.subplots(2, 3, figsize=(15, 9))
for axes, about in zip(all_axes.flat, study["quantities"]):
    quantity = about["name"]
    for name in points[0]["operators"]:
        drawn = [p for p in points if p["operators"][name][quantity] is not None]
        if not drawn:
            continue
        slope = study["slopes"][name][quantity]
        label = name if slope is None else f"{name}, slope {slope:.2f}"
        axes.loglog([p["size"] for p in drawn], [p["operators"][name][quantity] for p in drawn], marker=".", label=label)
    axes.set(title=about["title"], xlabel=study["size"])
    axes.grid(True, which="both", alpha=0.2)
    axes.legend(fontsize=7)
figure.suptitle(f"{study['case']}: slopes over the last decade of sizes")
)py";

std::string head(const ScalingStudy& study, const Quantity& quantity) {
  std::string text = fmt::format("\n{}\n  {:<14}", quantity.title, study.about.size);
  for (const OperatorTimes& times : study.points.front().times) text += fmt::format("{:>14}", times.name);
  return text + "\n";
}

std::string table(const ScalingStudy& study, const Quantity& quantity) {
  std::string text = head(study, quantity);
  for (const ScalingPoint& p : study.points) {
    text += fmt::format("  {:<14}", p.size);
    for (const OperatorTimes& times : p.times) {
      const std::optional<double> value = quantity.value(times);
      text += fmt::format("{:>14}", value ? three_digits(*value) : "-");
    }
    text += '\n';
  }
  text += fmt::format("  {:<14}", "slope");
  for (std::size_t op = 0; op < study.points.front().times.size(); ++op) {
    const std::optional<double> slope = slope_of(study, op, quantity);
    text += fmt::format("{:>14}", slope ? fmt::format("{:.2f}", *slope) : "-");
  }
  return text + "\n";
}

/// From which size on an operator is left out, and why there.
std::string left_out_text(const ScalingStudy& study) {
  std::string text;
  for (std::size_t op = 0; op < study.points.front().times.size(); ++op) {
    for (const ScalingPoint& p : study.points) {
      const OperatorTimes& times = p.times[op];
      if (times.left_out.empty()) continue;
      text += fmt::format("\n{} left out from {} {} on: {}", times.name, p.size, study.about.size, times.left_out);
      break;
    }
  }
  return text.empty() ? "" : text + "\n";
}

nlohmann::json point_json(const ScalingPoint& p) {
  nlohmann::json operators = nlohmann::json::object();
  for (const OperatorTimes& times : p.times) {
    nlohmann::json& one = operators[std::string(times.name)];
    for (const Quantity& q : scaling_quantities()) one[q.name] = or_null(q.value(times));
    if (!times.left_out.empty()) one["left_out"] = times.left_out;
  }
  return {{"size", p.size}, {"nv", p.nv}, {"contacts", p.contacts}, {"rows", p.rows}, {"operators", operators}};
}

}  // namespace

std::string as_text(const ScalingStudy& study) {
  std::string text = fmt::format(
      "{}: medians of one call each against the number of {}; slope: the exponent of a power of that number, over the "
      "last "
      "decade of sizes\n",
      study.about.name, study.about.size);
  for (const Quantity& q : scaling_quantities()) text += table(study, q);
  return text + left_out_text(study);
}

nlohmann::json as_json(const ScalingStudy& study) {
  nlohmann::json out{{"case", study.about.name}, {"size", study.about.size}, {"points", nlohmann::json::array()}};
  for (const ScalingPoint& p : study.points) out["points"].push_back(point_json(p));
  for (const Quantity& q : scaling_quantities()) {
    out["quantities"].push_back({{"name", q.name}, {"title", q.title}});
    for (std::size_t op = 0; op < study.points.front().times.size(); ++op) {
      const std::string name(study.points.front().times[op].name);
      out["slopes"][name][q.name] = or_null(slope_of(study, op, q));
    }
  }
  return out;
}

void plot_scaling(const nlohmann::json& study, const std::string& path) { draw(kScript, study, path); }

}  // namespace delassus::cli
