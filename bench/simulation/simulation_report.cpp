#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/measure/number.hpp"
#include "bench/simulation/simulation.hpp"

namespace delassus::cli {
namespace {

const SimulationBenchRow* find_rival(const SimulationBenchResult& result) {
  const auto found = std::ranges::find(result.engines, "MuJoCo, Newton", &SimulationBenchRow::engine);
  return found == result.engines.end() ? nullptr : &*found;
}

/// How many times MuJoCo's mean ours may be; none: no such line is drawn for that accuracy.
std::optional<double> most_mean(StepSceneKind kind, double tolerance) {
  constexpr double kLearning = 1e-4, kDefault = 1e-6;  // what tolerances are for
  if (tolerance < kDefault) return std::nullopt;
  switch (kind) {
    case StepSceneKind::kRobotFalls:
      return tolerance < kLearning ? 1.5 : 1.0;
    case StepSceneKind::kPileFalls:
      return 1.5;
    case StepSceneKind::kRobotStands:
    case StepSceneKind::kPileRests:
      return 0.5;
  }
  return std::nullopt;
}

bool is_robot(StepSceneKind kind) { return kind == StepSceneKind::kRobotFalls || kind == StepSceneKind::kRobotStands; }

constexpr double kMostTail = 3, kMostStep = 2e3, kMostInexact = 1e-4;

double inexact_share(const SimulationBenchRow& row) {
  return static_cast<double>(row.inexact.size()) / static_cast<double>(std::max<std::size_t>(row.times_us.size(), 1));
}

std::ptrdiff_t failed_runs(const SimulationBenchRow& row) {
  return std::ranges::count(row.inexact, kFailedStep, &InexactStep::reason);
}

/// From a microsecond on; what is shorter or longer is in the first or in the last.
constexpr int kBinsPerDecade = 20, kBins = 100;
nlohmann::json histogram_of(const std::vector<double>& times) {
  std::array<int, kBins> counts{};
  for (const double time : times) {
    const double bin = std::floor(kBinsPerDecade * std::log10(std::max(time, 1.0)));
    ++counts[static_cast<std::size_t>(std::min(bin, kBins - 1.0))];
  }
  return {{"first_us", 1}, {"bins_per_decade", kBinsPerDecade}, {"counts", counts}};
}

/// "2 (iterations ran out 2)"
std::string inexact_words(const SimulationBenchRow& row) {
  if (!row.tolerance) return "-";
  std::map<std::string, int> reasons;
  for (const InexactStep& step : row.inexact) ++reasons[step.reason];
  std::string words;
  for (const auto& [reason, count] : reasons) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", reason, count);
  return words.empty() ? "0" : fmt::format("{} ({})", row.inexact.size(), words);
}

std::string requirement_words(const SimulationBenchRow& row) {
  std::string words;
  for (const Requirement& r : row.required)
    words += fmt::format("{}{} {:.3g} of {:g}{}", words.empty() ? "" : "; ", r.name, r.measured, r.most,
                         r.met() ? "" : " NO");
  return words;
}

nlohmann::json as_json(const std::vector<InexactStep>& steps) {
  constexpr std::size_t kMost = 100;
  nlohmann::json out = nlohmann::json::array();
  for (std::size_t k = 0; k < std::min(steps.size(), kMost); ++k) {
    const InexactStep& s = steps[k];
    out.push_back({{"run", s.run}, {"step", s.step}, {"reason", s.reason}, {"velocity_m_s", s.velocity}});
  }
  return out;
}

nlohmann::json as_json(const SimulationBenchRow& row, bool has_motors) {
  const ContactResiduals& r = row.residuals;
  nlohmann::json required = nlohmann::json::array();
  for (const Requirement& one : row.required)
    required.push_back({{"name", one.name}, {"measured", one.measured}, {"most", one.most}, {"met", one.met()}});
  nlohmann::json out{{"engine", row.engine},
                     {"tolerance_m_s", or_null(row.tolerance)},
                     {"steps", row.times_us.size()},
                     {"mean_us", row.mean_us},
                     {"median_us", row.median_us},
                     {"p999_us", row.p999_us},
                     {"most_us", row.most_us},
                     {"histogram", histogram_of(row.times_us)},
                     {"real_time_factor", row.real_time},
                     {"most_contacts", row.most_contacts},
                     {"residuals",
                      {{"primal_n", r.primal},
                       {"dual_m_s", r.dual},
                       {"complementarity_j", r.complementarity},
                       {"force_n", r.force},
                       {"velocity_m_s", r.velocity},
                       {"median_velocity_m_s", row.median_velocity}}},
                     {"penetration_m", row.penetration},
                     {"drift_m", row.drift},
                     {"energy_rise_j", has_motors ? nlohmann::json(nullptr) : nlohmann::json(row.energy_rise)},
                     {"required", required}};
  if (row.tolerance) {
    out["inexact"] = row.inexact.size();
    out["inexact_steps"] = as_json(row.inexact);
  }
  if (!row.failure.empty()) out["failure"] = row.failure;
  return out;
}

}  // namespace

void find_requirements(StepSceneKind kind, SimulationBenchResult& result) {
  const SimulationBenchRow* rival = find_rival(result);
  for (SimulationBenchRow& row : result.engines) {
    if (!row.tolerance) continue;
    const std::optional<double> mean = most_mean(kind, *row.tolerance);
    if (mean && rival) row.required.push_back({"mean", row.mean_us / rival->mean_us, *mean});
    if (mean && is_robot(kind)) {
      if (rival) row.required.push_back({"99.9 %", row.p999_us / rival->p999_us, kMostTail});
      row.required.push_back({"most us", row.most_us, kMostStep});
    }
    row.required.push_back({"inexact", inexact_share(row), kMostInexact});
    // Steps that were never taken are in no mean: times of a run that ended early say little beside those of one that did not.
    row.required.push_back({"failed runs", static_cast<double>(failed_runs(row)), 0});
  }
}

std::string simulation_head() {
  return "Processor time of every step in microseconds, engines in turns; in brackets beside MuJoCo's Newton.\n"
         "Missed: by how many m/s Coulomb's law is, in the middle and at worst, by one certificate for all. Inexact: "
         "steps\n"
         "above the tolerance. Required: what was measured, the most that it may be, and NO where it is more.\n";
}

std::string as_text(const SimulationBenchResult& result) {
  const SimulationBenchRow* rival = find_rival(result);
  std::string text = fmt::format("{}, {:g} ms, {} x {} steps\n", result.scene, 1e3 * result.dt, result.runs,
                                 result.engines.front().times_us.size() / static_cast<std::size_t>(result.runs));
  text += fmt::format("  {:<17}{:>13}{:>13}{:>15}{:>15}{:>9}{:>16}{:>9}{:>9}{:>9}  {}\n", "", "mean", "median",
                      "99.9 %", "most", "contacts", "missed", "depth m", "drift m", "rise J", "inexact");
  for (const SimulationBenchRow& row : result.engines) {
    const auto beside = [&](double SimulationBenchRow::*time) {
      const bool alone = !rival || &row == rival;
      return with_ratio(row.*time, alone ? std::nullopt : std::optional(rival->*time));
    };
    const std::string rise = result.has_motors ? "-" : fmt::format("{:.0e}", row.energy_rise);
    text += fmt::format("  {:<17}{:>13}{:>13}{:>15}{:>15}{:>9}{:>16}{:>9.0e}{:>9.0e}{:>9}  {}\n", row.engine,
                        beside(&SimulationBenchRow::mean_us), beside(&SimulationBenchRow::median_us),
                        beside(&SimulationBenchRow::p999_us), beside(&SimulationBenchRow::most_us), row.most_contacts,
                        fmt::format("{:.0e}, {:.0e}", row.median_velocity, row.residuals.worst()), row.penetration,
                        row.drift, rise, inexact_words(row));
  }
  for (const SimulationBenchRow& row : result.engines) {
    if (!row.required.empty()) text += fmt::format("  required, {:.0e}: {}\n", *row.tolerance, requirement_words(row));
    if (!row.failure.empty()) text += fmt::format("  {} failed: {}\n", row.engine, row.failure);
  }
  return text;
}

nlohmann::json as_json(const SimulationBenchResult& result) {
  nlohmann::json engines = nlohmann::json::array();
  for (const SimulationBenchRow& row : result.engines) engines.push_back(as_json(row, result.has_motors));
  return {{"scene", result.scene}, {"dt_s", result.dt}, {"runs", result.runs}, {"engines", engines}};
}

}  // namespace delassus::cli
