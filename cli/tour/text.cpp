#include "cli/tour/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "bench/measure/number.hpp"
#include "cli/tour/operations.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

constexpr std::array kColumns{Verb::kMatrixFromQ, Verb::kProductFromQ, Verb::kProduct, Verb::kSolveFromQ,
                              Verb::kRedampSolve};
/// Over the columns of a table.
std::string head(std::string_view what) {
  return fmt::format("  {:<13}{:>10} {:>10} {:>10} {:>10} {:>10} ", what, "matrix", "product", "product", "solve",
                     "re-damp");
}
std::string second_head() {
  return fmt::format("  {:<13}{:>10} {:>10} {:>10} {:>10} {:>10} ", "", "from q", "from q", "again", "from q",
                     "+ solve");
}

std::string bytes_text(const std::optional<std::size_t>& bytes) {
  if (!bytes) return "-";
  return fmt::format("{} kB", three_digits(static_cast<double>(*bytes) / 1e3));
}

std::string error_text(const std::optional<double>& error) { return error ? fmt::format("{:.0e}", *error) : "-"; }

/// 62.2k, 1.25M
std::string short_number(double x) {
  if (x < 1e3) return fmt::format("{}", x);
  return x < 1e6 ? three_digits(x / 1e3) + "k" : three_digits(x / 1e6) + "M";
}

using Value = std::function<std::optional<double>(std::size_t op, Verb verb)>;

/// The smallest number of each column, if one operator alone has it.
ByVerb<std::optional<double>> best_of(const SetResult& result, const Value& value) {
  ByVerb<std::optional<double>> out;
  for (const Verb verb : kColumns) {
    std::vector<double> all;
    for (std::size_t k = 0; k < result.operators.size(); ++k) {
      if (const auto x = value(k, verb)) all.push_back(*x);
    }
    std::ranges::sort(all);
    if (!all.empty() && (all.size() == 1 || all[0] < all[1])) out[verb] = all[0];
  }
  return out;
}

/// A line for each operator, with a star at the best of a column, and what comes after the numbers.
std::string table(const SetResult& result, const Value& value, const std::function<std::string(double)>& print,
                  const std::function<std::string(const OperatorResult&)>& more) {
  std::string text;
  const ByVerb<std::optional<double>> best = best_of(result, value);
  for (std::size_t k = 0; k < result.operators.size(); ++k) {
    text += fmt::format("  {:<13}", result.operators[k].times.name);
    for (const Verb verb : kColumns) {
      const auto x = value(k, verb);
      text += fmt::format("{:>10}{}", x ? print(*x) : "-", x && x == best[verb] ? "*" : " ");
    }
    text += more(result.operators[k]) + "\n";
  }
  return text;
}

std::string times_table(const SetResult& result) {
  const auto value = [&](std::size_t k, Verb verb) { return result.operators[k].times.time_us[verb]; };
  const auto more = [](const OperatorResult& op) {
    if (!op.times.left_out.empty()) return "  left out: " + printable(op.times.left_out);
    return fmt::format("{:>12}{:>10}{:>10}", error_text(op.difference), error_text(op.residual),
                       bytes_text(op.times.bytes));
  };
  return head("microseconds") + "\n" + second_head() + "  difference  residual    memory\n" +
         table(result, value, three_digits, more);
}

std::string operations_table(const SetResult& result) {
  const auto value = [&](std::size_t k, Verb verb) -> std::optional<double> {
    const auto count = operations_of(result.operators[k].calls, all_operators()[k], result.placing)[verb];
    return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
  };
  const auto more = [](const OperatorResult& op) {
    return op.calls ? "" : "  not counted: many rows, and ruled out by a bound";
  };
  return head("operations") + "\n" + table(result, value, short_number, more);
}

/// The part of the reason that says why.
std::string why(const OperatorPlan& plan) {
  const std::string reason = reason_of(plan);
  const std::size_t at = reason.find("; ");
  return at == std::string::npos ? reason : reason.substr(at + 2);
}

/// Workloads with the same answer in one line.
std::string plans_text(const SetResult& result) {
  std::vector<std::pair<std::string, std::string>> lines;  // workloads; choice and reason
  for (std::size_t k = 0; k < result.plans.size(); ++k) {
    const OperatorPlan& plan = result.plans[k];
    std::string answer = fmt::format("{}; {}", name_of(plan.choice), why(plan));
    const std::string what(kTourWorkloads[k].title);
    if (!lines.empty() && lines.back().second == answer)
      lines.back().first += ", " + what;
    else
      lines.emplace_back(what, std::move(answer));
  }
  std::string text = "  The planner, by predicted times:\n";
  for (const auto& [what, answer] : lines) text += fmt::format("    for {}: {}\n", what, answer);
  return text;
}

std::string agreement_text(const SetResult& result) {
  const Bounds& bounds = result.bounds;
  std::string text = fmt::format("  All differences within {:.0e} and residuals within {:.0e}: {}", bounds.difference,
                                 bounds.residual, result.agrees() ? "yes" : "NO, not");
  for (const OperatorResult& op : result.operators) text += op.agrees(bounds) ? "" : fmt::format(" {}", op.times.name);
  return text + "\n";
}

/// What the doctor says in short, and how constrained dynamics went.
std::string motion_text(const SetResult& result) {
  const ConstraintReport& health = result.health;
  std::string text =
      fmt::format("  The doctor: {}; rank {} of {}, {} of {} degrees of freedom left.\n  Constrained dynamics from q: ",
                  name_of(health.health), health.rank, result.rows, health.mobility(), health.dofs);
  double forces = 0, rows = 0;
  for (const FormResult& form : result.motion.forms) {
    text += fmt::format("{}{} {:.3g} us", &form == result.motion.forms.data() ? "" : ", ", form.name, form.time_us);
    forces = std::max(forces, form.forces);
    rows = std::max(rows, form.rows);
  }
  text += fmt::format("; {:.0e} of the forces and {:.0e} of the rows are left.\n", forces, rows);
  for (const FormResult& form : result.motion.forms) {
    if (!form.trouble.empty()) return text + "    " + form.trouble + "\n";
  }
  return text;
}

}  // namespace

std::string as_text(const SetResult& result) {
  return fmt::format("\n{}, {}: {} of {}, rank {}. {}\n\n{}{}\n{}\n{}\n{}", printable(result.set.scene.model.name()),
                     result.set.name, counted(result.rows, "row"),
                     counted(static_cast<int>(result.set.scene.constraints.size()), "constraint"), result.spectrum.rank,
                     result.set.how, times_table(result), agreement_text(result), operations_table(result),
                     plans_text(result), motion_text(result));
}

std::string legend_text() {
  return fmt::format(
      "\n*: best of its column. difference: of Λ⁻¹ from an oracle in long double, relative to its largest entry.\n"
      "residual: of a solve with damping {:g}, relative to the sizes of both sides. From q: with kinematics. One "
      "core.\n"
      "Refinement of solves is in the times, not in the operations.\n",
      kDampings[0]);
}

}  // namespace delassus::cli
