// The planner's choice in words.
#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "delassus/math/error.hpp"
#include "delassus/operators/planner.hpp"
#include "model/wording.hpp"

namespace delassus {
namespace {

using Candidate = OperatorPlan::Candidate;

std::string number(std::int64_t x) {
  std::string digits = std::to_string(x);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(digits.begin() + at, ',');
  return digits;
}

/// Three digits that count.
std::string microseconds(double us) {
  const int decimals = us < 1 ? 3 : us < 10 ? 2 : us < 100 ? 1 : 0;
  std::ostringstream out;
  out << std::fixed << std::setprecision(decimals) << us;
  return out.str();
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

std::string strength(const OperatorPlan& plan) {
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

/// Where another needs fewer operations, that is what has to be explained. Those of limbs are operations on lanes, and do not compare.
std::string reason(const OperatorPlan& plan) {
  const Candidate* fewest = &plan.candidates.front();
  for (const Candidate& c : plan.candidates) {
    if (c.exact && c.algorithm != Algorithm::kLimbs && c.operations < fewest->operations) fewest = &c;
  }
  if (fewest->algorithm == plan.choice) return strength(plan);
  return std::string(name_of(fewest->algorithm)) + " needs fewer operations, " + number(fewest->operations) +
         ", but they take longer: fewer of them are done side by side, or more time goes by between them";
}

constexpr std::array kTitles{"factor", "matrix", "product", "damping", "re-damping", "solve"};
static_assert(kTitles.size() == kCalls);

/// A line for each candidate: single calls, and the whole workload beside what the first takes for it. Of those that were ruled out
/// there are bounds.
template <class Cost, class Text>
std::string table(const OperatorPlan& plan, const std::string& title, PerCall<Cost> Candidate::*calls, Text&& text_of) {
  const std::array<bool, kCalls> wanted = calls_of(plan.workload);
  constexpr std::size_t kName = 16, kWidth = 13;
  std::string text = "  " + title + std::string(kName - title.size(), ' ');
  for (int call = 0; call < kCalls; ++call) text += wanted[call] ? padded(kTitles[call], kWidth) : "";
  text += padded("in all", kWidth + 4) + "\n";
  const auto total = [&](const Candidate& c) { return (c.*calls).total(plan.workload); };
  const double first = std::max(1e-9, static_cast<double>(total(plan.candidates.front())));
  for (const Candidate& c : plan.candidates) {
    const std::string above = c.exact ? "" : "> ";
    text += "  " + std::string(name_of(c.algorithm)) + std::string(kName - name_of(c.algorithm).size(), ' ');
    for (int call = 0; call < kCalls; ++call) {
      if (wanted[call]) text += padded(c.exact ? text_of((c.*calls).*PerCall<Cost>::all()[call]) : "", kWidth);
    }
    const double percent = 100 * static_cast<double>(total(c)) / first;
    text +=
        padded(above + text_of(total(c)), kWidth + 4) + "  (" + above + std::to_string(std::lround(percent)) + " %)\n";
  }
  return text;
}

}  // namespace

std::string OperatorPlan::explain() const {
  if (candidates.empty()) throw Error("this plan has no candidates to explain; plan_operator makes one that has");
  return std::string(name_of(choice)) + ": predicted to take " + microseconds(candidates.front().time_us) + " us for " +
         words(workload) + " with " + counted(rows, "row") + " of " +
         counted(static_cast<int>(constraints), "constraint") + " on " + std::to_string(dofs) +
         " degrees of freedom, " + std::to_string(depth) + " deep, meeting at " + counted(meetings, "link") + "; " +
         reason(*this) + ".\n" + table(*this, "us per call", &Candidate::times, microseconds) +
         table(*this, "operations", &Candidate::calls, number) + condensation.text();
}

}  // namespace delassus
