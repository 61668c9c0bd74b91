// The doctor's report in words.
#include <algorithm>
#include <array>
#include <cmath>

#include "delassus/solvers/doctor.hpp"
#include "model/wording.hpp"
#include "solvers/row_words.hpp"

namespace delassus {
namespace {

constexpr std::size_t kMostDetails = 10;

/// What is wrong in a few words; nothing for what is harmless.
std::string_view complaint(ConstraintFinding::Kind kind) {
  switch (kind) {
    case ConstraintFinding::Kind::kContradiction:
      return "constraints contradict each other here";
    case ConstraintFinding::Kind::kPosition:
      return "constraints are not in place";
    case ConstraintFinding::Kind::kVelocity:
      return "rows move that should not";
    case ConstraintFinding::Kind::kNearlyDependent:
      return "rows nearly depend on each other";
    case ConstraintFinding::Kind::kNearlyStuck:
      return "joints hardly move some rows";
    default:
      return "";
  }
}

std::string complaints(const ConstraintReport& report) {
  std::string text;
  std::string_view last;
  for (const ConstraintFinding& finding : report.findings) {
    const std::string_view words = complaint(finding.kind);
    if (words.empty() || words == last) continue;
    text += (text.empty() ? "" : ", ") + std::string(words);
    last = words;
  }
  return text;
}

std::string headline(const ConstraintReport& report) {
  switch (report.health) {
    case Health::kHealthy:
      return "healthy: " +
             (report.rows.empty() ? "there are no constraints" : counted(report.num_rows(), "independent row"));
    case Health::kRedundant:
      return "redundant, but solvable: " + counted(report.num_rows(), "row") + " with rank " +
             std::to_string(report.rank);
    case Health::kUnhealthy:
      return "not healthy: " + complaints(report);
    case Health::kUnknown:
      return "no diagnosis" + (report.findings.empty() ? "" : ": " + report.findings[0].text);
  }
  return "";
}

struct Largest {
  std::string text;
  double value = 0;

  void add(double most, const std::string& unit, const char* per) {
    text += (text.empty() ? "at most " : ", ") + with_unit(most, unit, per);
    value = std::max(value, most);
  }
};

bool has_unit(const ConstraintReport& report, const std::string& unit) {
  return std::ranges::find(report.rows, unit, &RowDiagnosis::unit) != report.rows.end();
}

/// "at most 3e-17 m, 0 rad": of constraints, with rows in such units.
Largest largest_position(const ConstraintReport& report) {
  constexpr std::array<double ConstraintDiagnosis::*, 3> kErrors{
      &ConstraintDiagnosis::linear, &ConstraintDiagnosis::angular, &ConstraintDiagnosis::other};
  const std::array<std::string, 3> units{"m", "rad", ""};
  Largest out;
  for (std::size_t k = 0; k < units.size(); ++k) {
    if (!has_unit(report, units[k])) continue;
    double most = 0;
    for (const ConstraintDiagnosis& c : report.constraints) most = std::max(most, std::abs(c.*kErrors[k]));
    out.add(most, units[k], "");
  }
  return out;
}

Largest largest_velocity(const ConstraintReport& report) {
  Largest out;
  for (const std::string unit : {"m", "rad", ""}) {
    if (!has_unit(report, unit)) continue;
    double most = 0;
    for (const RowDiagnosis& row : report.rows) {
      if (row.unit == unit) most = std::max(most, std::abs(row.velocity));
    }
    out.add(most, unit, "/s");
  }
  return out;
}

/// Errors that are no rounding, and that were let pass, are told with what they were compared with.
std::string let_pass(const Largest& most, double tolerance, const char* as) {
  if (most.value <= kRounding || most.value > tolerance) return "\n";
  return "; up to " + three_digits(tolerance) + " counts as " + as + "\n";
}

std::string numbers(const ConstraintReport& report) {
  std::string text = "  rows        " + std::to_string(report.num_rows()) + " in " +
                     counted(static_cast<int>(report.constraints.size()), "constraint") + ", rank " +
                     std::to_string(report.rank) + "\n";
  text += "  mobility    " + std::to_string(report.mobility()) + " of " + std::to_string(report.dofs) +
          (report.dofs == 1 ? " degree" : " degrees") + " of freedom left" +
          (report.rank_is_certain ? "\n" : "; uncertain, since constraints are off: more may be left once assembled\n");
  if (report.rows.empty()) return text;
  text +=
      "  condition   " + three_digits(report.condition) + ", of Λ⁻¹ with its diagonal scaled to one, on its range\n";
  const Largest position = largest_position(report);
  text += "  positions   " + position.text + let_pass(position, report.position_tolerance, "in place");
  const bool rests = std::ranges::all_of(report.rows, [](const RowDiagnosis& row) { return row.velocity == 0; });
  if (rests) return text;
  const Largest velocity = largest_velocity(report);
  return text + "  velocities  " + velocity.text + let_pass(velocity, report.velocity_tolerance, "at rest");
}

std::string words(const ConstraintFinding& finding, std::size_t number) {
  std::string text = "\n" + std::to_string(number) + ". " + finding.text + "\n";
  const std::size_t shown = std::min(finding.details.size(), kMostDetails);
  for (std::size_t k = 0; k < shown; ++k) text += "     " + finding.details[k] + "\n";
  if (shown < finding.details.size()) {
    text += "     and " + std::to_string(finding.details.size() - shown) + " more\n";
  }
  return text + "   What to do: " + finding.advice + ".\n";
}

}  // namespace

std::string_view name_of(Health health) {
  constexpr std::array<std::string_view, 4> kNames{"healthy", "redundant", "unhealthy", "unknown"};
  return kNames[static_cast<std::size_t>(health)];
}

std::string_view name_of(ConstraintFinding::Kind kind) {
  constexpr std::array<std::string_view, 8> kNames{"no_diagnosis",     "contradiction", "position", "velocity",
                                                   "nearly_dependent", "nearly_stuck",  "stuck",    "dependent"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string to_text(const ConstraintReport& report) {
  std::string text = headline(report) + "\n";
  if (!report.status.ok()) return text;
  text += numbers(report);
  for (std::size_t k = 0; k < report.findings.size(); ++k) text += words(report.findings[k], k + 1);
  return text;
}

}  // namespace delassus
