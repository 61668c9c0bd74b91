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
      return "constraints contradict each other";
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
      return "no diagnosis: " + report.findings[0].text;
  }
  return "";
}

/// "at most 3e-17 m, 0 rad", of rows in such units.
std::string largest(const ConstraintReport& report, double RowDiagnosis::*what, const std::string& per) {
  std::string text;
  for (const std::string unit : {"m", "rad", ""}) {
    double most = -1;
    for (const RowDiagnosis& row : report.rows) {
      if (row.unit == unit) most = std::max(most, std::abs(row.*what));
    }
    if (most < 0) continue;
    text += (text.empty() ? "at most " : ", ") + three_digits(most) + (unit.empty() ? "" : " " + unit + per);
  }
  return text;
}

std::string numbers(const ConstraintReport& report) {
  std::string text = "  rows        " + std::to_string(report.num_rows()) + " in " +
                     counted(static_cast<int>(report.constraints.size()), "constraint") + ", rank " +
                     std::to_string(report.rank) + "\n";
  text += "  mobility    " + std::to_string(report.mobility()) + " of " + std::to_string(report.dofs) +
          (report.dofs == 1 ? " degree" : " degrees") + " of freedom left\n";
  if (report.rows.empty()) return text;
  text +=
      "  condition   " + three_digits(report.condition) + ", of Λ⁻¹ with its diagonal scaled to one, on its range\n";
  text += "  positions   " + largest(report, &RowDiagnosis::position, "") + "\n";
  const bool rests = std::ranges::all_of(report.rows, [](const RowDiagnosis& row) { return row.velocity == 0; });
  return rests ? text : text + "  velocities  " + largest(report, &RowDiagnosis::velocity, "/s") + "\n";
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
