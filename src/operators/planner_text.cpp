// The planner's choice in words.
#include <algorithm>
#include <array>
#include <cmath>

#include "delassus/math/error.hpp"
#include "delassus/operators/planner.hpp"
#include "model/wording.hpp"

namespace delassus {
namespace {

using Candidate = OperatorPlan::Candidate;

std::string number(std::int64_t x) {
  std::string digits = std::to_string(x);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 1, ' ') + text;
}

/// "the matrix, 3 products, 2 dampings and 30 solves"
std::string words(const Workload& w) {
  std::vector<std::string> parts;
  if (w.matrix) parts.emplace_back("the matrix");
  if (w.products > 0) parts.push_back(counted(w.products, "product"));
  if (w.all_dampings() > 0) parts.push_back(counted(w.all_dampings(), "damping"));
  if (w.solves > 0) parts.push_back(counted(w.solves, "solve"));
  if (parts.empty()) return "factoring alone";
  std::string text = parts.front();
  for (std::size_t k = 1; k < parts.size(); ++k) text += (k + 1 < parts.size() ? ", " : " and ") + parts[k];
  return text;
}

std::string_view explicit_reason(Algorithm algorithm, int meetings) {
  const bool carries = algorithm == Algorithm::kPvOsim || algorithm == Algorithm::kPvOsimr;
  if (carries && meetings == 0) return "the constraints do not meet, so each costs what its own way to the world costs";
  switch (algorithm) {
    case Algorithm::kDense:
      return "the mechanism is so small that structure does not pay";
    case Algorithm::kLtl:
      return "the tree is shallow, so solving with its sparse factor is cheaper than articulating it";
    case Algorithm::kKjr:
    case Algorithm::kChangKhatib:
      return "few links are constrained, and with many rows each";
    case Algorithm::kEfpa:
      return "nearly every link is constrained, so a node at each would carry more than the rows themselves";
    case Algorithm::kPvOsim:
      return "few rows travel together, or not far, so carrying them costs less than nodes where they meet";
    default:
      return "where constraints meet, six unit wrenches in place of their rows are cheaper to carry and to multiply";
  }
}

std::string reason(const OperatorPlan& plan) {
  switch (plan.choice) {
    case Algorithm::kKkt:
      return "the tree is shallow, so its sparse factor is cheap, and so are products with the rows that it has gone "
             "into";
    case Algorithm::kLcaba:
    case Algorithm::kMatrixFree:
    case Algorithm::kThreeMaps:
      return "sweeps over the links that feel constraints cost less than a matrix of all rows, and there is little to "
             "condense";
    case Algorithm::kCondensed:
      return plan.condensation.carried > 0
                 ? "carried chains are crossed once, and what follows passes over nodes alone, which costs less than a "
                   "matrix of all rows"
                 : "sweeps over the nodes cost less than a matrix of all rows";
    case Algorithm::kLimbs:
      return "limbs of the robot lie side by side in lanes, so one operation serves up to four of them";
    default:
      return (plan.workload.matrix ? "" : "a matrix of so few rows pays for itself; ") +
             std::string(explicit_reason(plan.choice, plan.meetings));
  }
}

/// A column of the table of operations, for what the workload has.
struct Column {
  const char* title;
  std::int64_t OperatorCount::*calls;
  bool wanted;
};

std::string table(const OperatorPlan& plan) {
  const Workload& w = plan.workload;
  const std::array columns{Column{"factor", &OperatorCount::factor, true},
                           Column{"matrix", &OperatorCount::matrix, w.matrix},
                           Column{"product", &OperatorCount::product, w.products > 0},
                           Column{"damping", &OperatorCount::damping, w.all_dampings() > 0},
                           Column{"re-damping", &OperatorCount::redamping, w.all_dampings() > 1},
                           Column{"solve", &OperatorCount::solve, w.solves > 0}};
  constexpr std::size_t kName = 14, kWidth = 13;
  std::string text = "  per call" + std::string(kName - 8, ' ');
  for (const Column& c : columns) text += c.wanted ? padded(c.title, kWidth) : "";
  text += padded("in all", kWidth + 4) + "\n";
  const double fewest = std::max(1.0, static_cast<double>(plan.candidates.front().operations));
  for (const Candidate& c : plan.candidates) {
    text += "  " + std::string(name_of(c.algorithm)) + std::string(kName - name_of(c.algorithm).size(), ' ');
    for (const Column& column : columns) {
      if (column.wanted) text += padded(c.exact ? number(c.calls.*column.calls) : "", kWidth);
    }
    const double percent = 100.0 * static_cast<double>(c.operations) / fewest;
    text += padded((c.exact ? "" : "> ") + number(c.operations), kWidth + 4) + "  (" + (c.exact ? "" : "> ") +
            std::to_string(std::lround(percent)) + " %)\n";
  }
  return text;
}

}  // namespace

std::string OperatorPlan::explain() const {
  if (candidates.empty()) throw Error("this plan has no candidates to explain; plan_operator makes one that has");
  return std::string(name_of(choice)) + ": " + number(candidates.front().operations) + " operations for " +
         words(workload) + " with " + counted(rows, "row") + " of " +
         counted(static_cast<int>(constraints), "constraint") + " on " + std::to_string(dofs) +
         " degrees of freedom, " + std::to_string(depth) + " deep, meeting at " + counted(meetings, "link") + "; " +
         reason(*this) + ".\n" + table(*this) + condensation.text();
}

}  // namespace delassus
