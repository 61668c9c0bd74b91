#include "bench/scaling/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/recipes.hpp"

namespace delassus::cli {
namespace {

/// Explicit operators grow with the third power of the size; who grows slower is far from the limit.
constexpr double kWorstExponent = 3;

double longest_call(const OperatorTimes& times) {
  double out = 0;
  for (const auto& time : times.time_us) out = std::max(out, time.value_or(0));
  return out;
}

/// Operators that one call of the next size would take too long for, as the last size lets expect, with the reason.
LeftOut too_slow(const std::vector<ScalingPoint>& before, int size, const Effort& effort) {
  LeftOut out;
  if (before.empty()) return out;
  const ScalingPoint& last = before.back();
  for (const OperatorTimes& times : last.times) {
    const double expected = longest_call(times) * std::pow(1.0 * size / last.size, kWorstExponent);
    if (!times.left_out.empty()) out[times.name] = times.left_out;
    if (expected > effort.longest_us)
      out[times.name] = fmt::format("one call would take about {:.1f} s", expected / 1e6);
  }
  return out;
}

ScalingPoint measure_point(const ScalingCase& about, int size, const Effort& effort,
                           const std::vector<ScalingPoint>& before) {
  const std::string name = fmt::format("{}:{}", about.family, size);
  const BenchScene scene(name, make_scene(name));
  return {size, scene.model.nv(), scene.contacts, scene.rows, measure(scene, effort, too_slow(before, size, effort))};
}

/// Logarithms of a size and a value.
struct LogPoint {
  double x, y;
};

std::vector<LogPoint> last_decade(const ScalingStudy& study, std::size_t op, const Quantity& quantity) {
  constexpr int kDecade = 10;
  std::vector<LogPoint> out;
  int largest = 0;
  for (std::size_t k = study.points.size(); k-- > 0;) {
    const auto& point = study.points[k];
    const std::optional<double> value = quantity.value(point.times[op]);
    if (!value) continue;
    largest = std::max(largest, point.size);
    if (point.size * kDecade >= largest) out.push_back({std::log(point.size), std::log(*value)});
  }
  return out;
}

/// Least squares.
double fitted_slope(const std::vector<LogPoint>& points) {
  const auto count = static_cast<double>(points.size());
  double x_mean = 0, y_mean = 0;
  for (const LogPoint& p : points) {
    x_mean += p.x / count;
    y_mean += p.y / count;
  }
  double xy = 0, xx = 0;
  for (const LogPoint& p : points) {
    xy += (p.x - x_mean) * (p.y - y_mean);
    xx += (p.x - x_mean) * (p.x - x_mean);
  }
  return xy / xx;
}

}  // namespace

const ScalingCase& swimmer_case() {
  static const ScalingCase kCase{"swimmer", "swimmer", "links", {3, 6, 12, 25, 50, 100, 200, 300}};
  return kCase;
}

const ScalingCase& boxes_case() {
  static const ScalingCase kCase{"scaling", "box-stack", "boxes", {5, 10, 20, 50, 100, 200, 500, 1000}};
  return kCase;
}

ScalingStudy measure_scaling(const ScalingCase& about, const Effort& effort,
                             const std::function<void(std::size_t at, std::size_t of)>& on_point) {
  ScalingStudy out{about, {}};
  for (std::size_t k = 0; k < about.sizes.size(); ++k) {
    on_point(k, about.sizes.size());
    out.points.push_back(measure_point(about, about.sizes[k], effort, out.points));
  }
  return out;
}

const std::vector<Quantity>& scaling_quantities() {
  static const std::vector<Quantity> kQuantities = [] {
    std::vector<Quantity> out;
    for (const Verb verb : kPaperVerbs) {
      out.push_back({fmt::format("{}_us", name_of(verb)), fmt::format("{}, µs", title_of(verb)),
                     [verb](const OperatorTimes& times) { return times.time_us[verb]; }});
    }
    out.push_back({"bytes", "memory, bytes", [](const OperatorTimes& times) -> std::optional<double> {
                     return times.bytes ? std::optional(static_cast<double>(*times.bytes)) : std::nullopt;
                   }});
    return out;
  }();
  return kQuantities;
}

std::optional<double> slope_of(const ScalingStudy& study, std::size_t op, const Quantity& quantity) {
  const std::vector<LogPoint> points = last_decade(study, op, quantity);
  return points.size() < 2 ? std::nullopt : std::optional(fitted_slope(points));
}

}  // namespace delassus::cli
