#include "solvers/findings.hpp"

#include <algorithm>
#include <cmath>

#include "delassus/solvers/assembly.hpp"
#include "model/wording.hpp"
#include "solvers/row_words.hpp"

namespace delassus {
namespace {

using Kind = ConstraintFinding::Kind;

constexpr const char* kAssemble = "delassus.assemble in Python, Assembler in C++";

class Findings {
 public:
  Findings(const Model& model, std::span<const Constraint> constraints, const RowAnalysis& analysis,
           OtherPostures& others, const DoctorOptions& options, ConstraintReport& report)
      : constraints_(constraints),
        words_(model, analysis, report),
        others_(others),
        options_(options),
        report_(report) {
    for (std::size_t k = 0; k < constraints.size(); ++k) {
      if (set_of(constraints[k]).kind == SetKind::kEquality) off_ = std::max(off_, report.constraints[k].largest());
    }
  }

  void contradicting_positions() {
    ConstraintFinding out = contradiction(&RowDiagnosis::position, options_.position_tolerance, "positions", "");
    if (out.rows.empty()) return;
    sort_by(out.rows, &RowDiagnosis::position_remainder);
    const bool singular = is_singular(&RowDiagnosis::position, options_.position_tolerance);
    out.text =
        (singular ? "no small motion satisfies all constraints, but this may be a singular posture: elsewhere these "
                    "rows do not depend on each other. The best one misses "
                  : "constraints contradict each other: no posture nearby satisfies all of them. The nearest "
                    "misses ") +
        words_.missed(out.rows, &RowDiagnosis::position_remainder, "");
    out.advice = singular ? std::string("move a joint a little and assemble again (") + kAssemble +
                                "); if it stays, leave one of these rows out or correct its position"
                          : "leave one of them out, or correct its position";
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
    out.text = counted(static_cast<int>(out.details.size()), "constraint") + " not in place: off by more than " +
               three_digits(options_.position_tolerance);
    out.advice = std::string("start from an assembled posture (") + kAssemble + "), or pull towards it (Baumgarte)";
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
    out.text = counted(static_cast<int>(out.rows.size()), "row") + " with a velocity that should be zero: more than " +
               three_digits(options_.velocity_tolerance) + " per second";
    out.advice =
        "bring v onto the constraints before the first step, as an impact does (project_velocity: a function in "
        "Python, of Assembler in C++)";
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
    out.text = counted(static_cast<int>(out.details.size()), "row") + " nearly a sum of others, with condition " +
               three_digits(report_.condition) + (is_off() ? "" : ": a posture close to a singular one");
    out.advice = is_off() ? assemble_first()
                          : "move away from that posture, drop the row, or use a damping of " +
                                three_digits(report_.damping) + " or more: forces along it are large otherwise";
    add(std::move(out));
  }

  void nearly_stuck_rows() {
    ConstraintFinding out{Kind::kNearlyStuck, {}, "", {}, ""};
    const double least = std::sqrt(report_.rank_tolerance), weak = 1 / std::sqrt(options_.worst_condition);
    for (int r = 0; r < report_.num_rows(); ++r) {
      if (row(r).strength <= least || row(r).strength >= weak) continue;
      out.rows.push_back(r);
      out.details.push_back(row(r).name + words_.joints({r}, ": hardly moved here by "));
    }
    if (out.rows.empty()) return;
    out.text = counted(static_cast<int>(out.rows.size()), "row") + " that joints hardly move" +
               (is_off() ? "" : ": a limb close to stretched out");
    out.advice = is_off()
                     ? assemble_first()
                     : "bend the joints a little, or use a damping of " + three_digits(report_.damping) + " or more";
    add(std::move(out));
  }

  void stuck_rows() {
    ConstraintFinding out{Kind::kStuck, {}, "", {}, ""};
    bool singular = false;
    for (int r = 0; r < report_.num_rows(); ++r) {
      if (row(r).strength > std::sqrt(report_.rank_tolerance)) continue;
      const bool elsewhere = others_.set_free({r});
      singular |= elsewhere;
      out.rows.push_back(r);
      out.details.push_back(row(r).name + ": " +
                            (elsewhere ? "not moved here" + words_.joints({r}, " by ") + ", but in other postures"
                                       : "no joint moves it in any posture"));
    }
    if (out.rows.empty()) return;
    out.text = counted(static_cast<int>(out.rows.size()), "row") + " that no joint moves" +
               (singular ? " here: a singular posture, such as a dead centre or a limb stretched out" : "");
    const bool others = std::ranges::any_of(report_.dependencies, is_redundant);
    out.advice =
        singular ? "move a joint a little unless that posture is meant: rank and mobility differ nearby, and forces "
                   "along these rows are not unique here"
                 : std::string("nothing, if the mechanism is built that way; without these rows") +
                       (others ? " and those of the next finding" : "") + " forces are unique";
    add(std::move(out));
  }

  void dependencies() {
    ConstraintFinding out{Kind::kDependent, {}, "", {}, ""};
    for (const RowDependency& d : report_.dependencies) {
      if (!is_redundant(d)) continue;
      const double off = gap(d, &RowDiagnosis::position, kRounding);
      out.details.push_back(words_.sum(d, "=") +
                            (off > 0 ? "; their positions differ by " + with_unit(off, row(d.rows[0]).unit) : ""));
      out.rows.push_back(d.rows[0]);
    }
    if (out.rows.empty()) return;
    out.text = std::to_string(out.rows.size()) + " of " + counted(report_.num_rows(), "row") +
               " redundant: motions are unique, forces are not";
    out.advice = "drop the rows on the left, or use a damping of " + three_digits(report_.damping) +
                 " or more; the proximal solver takes them as they are";
    add(std::move(out));
  }

  /// Rows that depend on each other in an assembled posture differ by about as much as it is off.
  bool rank_is_certain() const {
    const bool nearly = std::ranges::any_of(report_.findings, [](const ConstraintFinding& f) {
      return f.kind == Kind::kNearlyDependent || f.kind == Kind::kNearlyStuck;
    });
    return !is_off() || (!nearly && off_ * std::sqrt(report_.condition) < 1);
  }

 private:
  const RowDiagnosis& row(int r) const { return report_.rows[static_cast<std::size_t>(r)]; }
  void add(ConstraintFinding finding) { report_.findings.push_back(std::move(finding)); }
  static bool is_redundant(const RowDependency& d) { return d.exact && d.rows.size() > 1; }

  bool is_off() const { return off_ > kRounding; }
  std::string assemble_first() const {
    return std::string("assemble the mechanism first (") + kAssemble + "): constraints are off by up to " +
           three_digits(off_) + ", and in place these rows may say nothing new at all, or be well";
  }

  /// Of rows of which a sum is zero: how far the same sum of what they are asked for is from it. Over the length of the
  /// weights it is how far the nearest numbers without contradiction are.
  double gap(const RowDependency& d, double RowDiagnosis::*what, double tolerance) const {
    if (!d.exact || !hold_both_ways(d)) return 0;
    double sum = 0, squares = 0;
    for (std::size_t k = 0; k < d.rows.size(); ++k) {
      sum += d.weights[k] * row(d.rows[k]).*what;
      squares += d.weights[k] * d.weights[k];
    }
    return std::abs(sum) <= tolerance * std::sqrt(squares) ? 0 : std::abs(sum);
  }

  ConstraintFinding contradiction(double RowDiagnosis::*what, double tolerance, const char* name,
                                  const char* per) const {
    ConstraintFinding out{Kind::kContradiction, {}, "", {}, ""};
    for (const RowDependency& d : report_.dependencies) {
      const double off = gap(d, what, tolerance);
      if (off == 0) continue;
      out.details.push_back(words_.sum(d, "=") + ", but not their " + name + ": off by " +
                            with_unit(off, row(d.rows[0]).unit, per));
      add_rows(out, d.rows);
    }
    return out;
  }

  /// Whether all contradictions are gone in other postures.
  bool is_singular(double RowDiagnosis::*what, double tolerance) {
    return std::ranges::all_of(report_.dependencies, [&](const RowDependency& d) {
      return gap(d, what, tolerance) == 0 || others_.set_free(d.rows);
    });
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
    return is_equality(constraints_[static_cast<std::size_t>(of - report_.constraints.begin())]);
  }
  bool hold_both_ways(const RowDependency& d) const {
    return std::ranges::all_of(d.rows, [&](int r) { return holds_both_ways(r); });
  }

  std::span<const Constraint> constraints_;
  RowWords words_;
  OtherPostures& others_;
  const DoctorOptions& options_;
  ConstraintReport& report_;
  double off_ = 0;  // the largest error of what holds in both directions
};

Health health_of(const std::vector<ConstraintFinding>& findings) {
  if (findings.empty()) return Health::kHealthy;
  const bool harmless = std::ranges::all_of(
      findings, [](const ConstraintFinding& f) { return f.kind == Kind::kDependent || f.kind == Kind::kStuck; });
  return harmless ? Health::kRedundant : Health::kUnhealthy;
}

}  // namespace

void add_findings(const Model& model, std::span<const Constraint> constraints, const RowAnalysis& analysis,
                  OtherPostures& others, const DoctorOptions& options, ConstraintReport& report) {
  Findings findings(model, constraints, analysis, others, options, report);
  findings.contradicting_positions();
  findings.contradicting_accelerations();
  findings.positions();
  findings.velocities();
  findings.near_dependencies();
  findings.nearly_stuck_rows();
  findings.stuck_rows();
  findings.dependencies();
  report.rank_is_certain = findings.rank_is_certain();
  report.health = health_of(report.findings);
}

}  // namespace delassus
