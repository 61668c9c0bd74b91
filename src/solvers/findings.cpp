#include "solvers/findings.hpp"

#include <algorithm>
#include <cmath>

#include "model/wording.hpp"
#include "solvers/row_words.hpp"

namespace delassus {
namespace {

using Kind = ConstraintFinding::Kind;

class Findings {
 public:
  Findings(const Model& model, std::span<const Constraint> constraints, const RowAnalysis& analysis,
           const DoctorOptions& options, ConstraintReport& report)
      : constraints_(constraints), words_(model, analysis, report), options_(options), report_(report) {}

  void contradicting_positions() {
    ConstraintFinding out = contradiction(&RowDiagnosis::position, options_.position_tolerance, "positions", "");
    if (out.rows.empty()) return;
    sort_by(out.rows, &RowDiagnosis::position_remainder);
    out.text = "constraints contradict each other: no posture nearby satisfies all of them. The nearest misses " +
               words_.missed(out.rows, &RowDiagnosis::position_remainder, "");
    out.advice = "leave one of them out, or correct its position";
    add(std::move(out));
  }

  void contradicting_accelerations() {
    ConstraintFinding out =
        contradiction(&RowDiagnosis::drift, options_.acceleration_tolerance, "accelerations", "/s²");
    if (out.rows.empty()) return;
    sort_by(out.rows, &RowDiagnosis::acceleration_remainder);
    out.text = "no acceleration keeps all constraints at these velocities. The best one misses " +
               words_.missed(out.rows, &RowDiagnosis::acceleration_remainder, "/s²");
    out.advice = "bring q and v onto the constraints first; if it stays, leave one of these rows out";
    add(std::move(out));
  }

  void positions() {
    ConstraintFinding out{Kind::kPosition, {}, "", {}, ""};
    for (const ConstraintDiagnosis& c : report_.constraints) {
      if (!c.violated) continue;
      out.details.push_back(c.name + error_text(c));
      for (int r = c.first_row; r < c.first_row + c.rows; ++r) out.rows.push_back(r);
    }
    if (out.rows.empty()) return;
    out.text = counted(static_cast<int>(out.details.size()), "constraint") + " not in place";
    out.advice =
        "start from an assembled posture (solvers/assembly.hpp finds the nearest), or pull towards it (Baumgarte)";
    add(std::move(out));
  }

  void velocities() {
    ConstraintFinding out{Kind::kVelocity, {}, "", {}, ""};
    for (int r = 0; r < report_.num_rows(); ++r) {
      if (std::abs(row(r).velocity) > options_.velocity_tolerance && holds_both_ways(r)) out.rows.push_back(r);
    }
    if (out.rows.empty()) return;
    sort_by(out.rows, &RowDiagnosis::velocity);
    for (const int r : out.rows)
      out.details.push_back(row(r).name + ": " + with_unit(row(r).velocity, row(r).unit, "/s"));
    out.text = counted(static_cast<int>(out.rows.size()), "row") + " with a velocity that should be zero";
    out.advice = "bring v onto the constraints before the first step, as an impact does";
    add(std::move(out));
  }

  void near_dependencies() {
    ConstraintFinding out{Kind::kNearlyDependent, {}, "", {}, ""};
    for (const RowDependency& d : report_.dependencies) {
      if (d.exact) continue;
      out.details.push_back(words_.sum(d, "≈") + ", to " + three_digits(d.distance) +
                            words_.joints(d.rows, "; joints there: "));
      add_rows(out, d.rows);
    }
    if (out.rows.empty()) return;
    out.text = counted(static_cast<int>(out.details.size()), "row") +
               " nearly a sum of others: a posture close to a singular one, with condition " +
               three_digits(report_.condition);
    out.advice = "move away from that posture, drop the row, or use a damping of " + three_digits(report_.damping) +
                 " or more: forces along it are large otherwise";
    add(std::move(out));
  }

  void weak_rows(Kind kind) {
    const bool stuck = kind == Kind::kStuck;
    ConstraintFinding out{kind, {}, "", {}, ""};
    const double least = std::sqrt(report_.rank_tolerance), weak = 1 / std::sqrt(options_.worst_condition);
    for (int r = 0; r < report_.num_rows(); ++r) {
      const double strength = row(r).strength;
      if (stuck ? strength > least : strength <= least || strength >= weak) continue;
      out.rows.push_back(r);
      const std::string joints = words_.joints({r}, stuck ? "not moved here by " : "hardly moved here by ");
      out.details.push_back(row(r).name + ": " + (joints.empty() ? "no joint moves it in any posture" : joints));
    }
    if (out.rows.empty()) return;
    out.text = counted(static_cast<int>(out.rows.size()), "row") +
               (stuck ? " that no joint moves" : " that joints hardly move: a limb close to stretched out");
    out.advice = stuck ? "nothing, if the mechanism is built that way; without these rows forces are unique"
                       : "bend the joints a little, or use a damping of " + three_digits(report_.damping) + " or more";
    add(std::move(out));
  }

  void dependencies() {
    ConstraintFinding out{Kind::kDependent, {}, "", {}, ""};
    for (const RowDependency& d : report_.dependencies) {
      if (!d.exact || d.rows.size() < 2) continue;
      out.details.push_back(words_.sum(d, "="));
      out.rows.push_back(d.rows[0]);
    }
    if (out.rows.empty()) return;
    out.text = std::to_string(out.rows.size()) + " of " + counted(report_.num_rows(), "row") +
               " redundant: motions are unique, forces are not";
    out.advice = "drop the rows on the left, or use a damping of " + three_digits(report_.damping) +
                 " or more; the proximal solver takes them as they are";
    add(std::move(out));
  }

 private:
  const RowDiagnosis& row(int r) const { return report_.rows[static_cast<std::size_t>(r)]; }
  void add(ConstraintFinding finding) { report_.findings.push_back(std::move(finding)); }

  /// Rows of which a sum is zero, but not the same sum of what they are asked for. Over the length of the weights it is how
  /// far the nearest numbers without contradiction are.
  ConstraintFinding contradiction(double RowDiagnosis::*what, double tolerance, const char* name,
                                  const char* per) const {
    ConstraintFinding out{Kind::kContradiction, {}, "", {}, ""};
    for (const RowDependency& d : report_.dependencies) {
      if (!d.exact || !hold_both_ways(d)) continue;
      double gap = 0, squares = 0;
      for (std::size_t k = 0; k < d.rows.size(); ++k) {
        gap += d.weights[k] * row(d.rows[k]).*what;
        squares += d.weights[k] * d.weights[k];
      }
      if (std::abs(gap) <= tolerance * std::sqrt(squares)) continue;
      out.details.push_back(words_.sum(d, "=") + ", but not their " + name + ": off by " +
                            with_unit(std::abs(gap), row(d.rows[0]).unit, per));
      add_rows(out, d.rows);
    }
    return out;
  }

  static void add_rows(ConstraintFinding& finding, const std::vector<int>& rows) {
    for (const int r : rows) {
      if (std::ranges::find(finding.rows, r) == finding.rows.end()) finding.rows.push_back(r);
    }
  }
  void sort_by(std::vector<int>& rows, double RowDiagnosis::*what) const {
    std::ranges::stable_sort(rows, std::greater(), [&](int r) { return std::abs(row(r).*what); });
  }

  bool holds_both_ways(int r) const {
    const auto of = std::ranges::upper_bound(report_.constraints, r, {}, &ConstraintDiagnosis::first_row) - 1;
    return set_of(constraints_[static_cast<std::size_t>(of - report_.constraints.begin())]).kind == SetKind::kEquality;
  }
  bool hold_both_ways(const RowDependency& d) const {
    return std::ranges::all_of(d.rows, [&](int r) { return holds_both_ways(r); });
  }

  std::span<const Constraint> constraints_;
  RowWords words_;
  const DoctorOptions& options_;
  ConstraintReport& report_;
};

Health health_of(const std::vector<ConstraintFinding>& findings) {
  if (findings.empty()) return Health::kHealthy;
  const bool harmless = std::ranges::all_of(
      findings, [](const ConstraintFinding& f) { return f.kind == Kind::kDependent || f.kind == Kind::kStuck; });
  return harmless ? Health::kRedundant : Health::kUnhealthy;
}

}  // namespace

void add_findings(const Model& model, std::span<const Constraint> constraints, const RowAnalysis& analysis,
                  const DoctorOptions& options, ConstraintReport& report) {
  Findings findings(model, constraints, analysis, options, report);
  findings.contradicting_positions();
  findings.contradicting_accelerations();
  findings.positions();
  findings.velocities();
  findings.near_dependencies();
  findings.weak_rows(Kind::kNearlyStuck);
  findings.weak_rows(Kind::kStuck);
  findings.dependencies();
  report.health = health_of(report.findings);
}

}  // namespace delassus
