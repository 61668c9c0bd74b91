#include "delassus/solvers/doctor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "delassus/constraints/describe.hpp"
#include "delassus/solvers/assembly.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"
#include "math/finite.hpp"
#include "solvers/findings.hpp"

namespace delassus {
namespace {

/// Positions that could be wrong: those of rows that hold one way may have either sign, and friction has none.
bool is_violated(const Constraint& c, const ConstraintDiagnosis& whole, double tolerance) {
  switch (set_of(c).kind) {
    case SetKind::kEquality:
      return whole.largest() > tolerance;
    case SetKind::kBox:
      return false;
    default:
      return std::min({whole.linear, whole.angular, whole.other}) < -tolerance;
  }
}

class Doctor {
 public:
  Doctor(const Model& model, std::span<const Constraint> constraints, const DoctorOptions& options)
      : model_(model), constraints_(constraints), options_(options), state_(model, constraints) {}

  ConstraintReport run(In<double> q, In<double> v) {
    report_.status = examine(q, v);
    if (!report_.status.ok()) refuse();
    return std::move(report_);
  }

 private:
  Status examine(In<double> q, In<double> v) {
    Status status = require_finite<double>(q);
    if (status.ok()) status = require_finite<double>(v);
    if (status.ok()) status = state_.update(q, v);
    if (status.ok()) status = examine_rows();
    if (!status.ok()) return status;
    examine_positions();
    status = examine_motion();
    if (!status.ok()) return status;
    OtherPostures others(model_, constraints_, q, report_.rank_tolerance);
    add_findings(model_, constraints_, analysis_, others, options_, report_);
    return {};
  }

  Status examine_rows() {
    const int rows = state_.num_rows();
    report_.rank_tolerance = options_.rank_tolerance > 0 ? options_.rank_tolerance
                                                         : std::max(rows, 1) * std::numeric_limits<double>::epsilon();
    const Status status = analyse_rows(model_, state_.kinematics(), state_.rows(), report_.rank_tolerance,
                                       options_.worst_condition, analysis_);
    if (!status.ok()) return status;
    report_.position_tolerance = options_.position_tolerance;
    report_.velocity_tolerance = options_.velocity_tolerance;
    report_.dofs = model_.nv();
    report_.rank = static_cast<int>(analysis_.independent.size());
    report_.eigenvalues = analysis_.eigenvalues;
    report_.condition = analysis_.condition;
    report_.independent = analysis_.independent;
    report_.dependencies = analysis_.dependencies;
    double trace = 0;
    for (const double x : analysis_.diagonal) trace += x;
    if (rows > 0) report_.damping = std::sqrt(std::numeric_limits<double>::epsilon()) * trace / rows;
    return {};
  }

  void examine_positions() {
    std::vector<double> position(static_cast<std::size_t>(state_.num_rows()));
    state_.position(position);
    const std::vector<std::string> names = own_names();
    for (std::size_t k = 0; k < constraints_.size(); ++k) {
      const Constraint& c = constraints_[k];
      ConstraintDiagnosis whole{names[k], report_.num_rows(), row_count(c)};
      for (const RowLabel& label : row_labels(model_, c)) {
        const auto r = static_cast<std::size_t>(report_.num_rows());
        const std::string name = whole.name + (label.words.empty() ? "" : " " + label.words);
        report_.rows.push_back(
            {name, label.unit, position[r], state_.velocity()[r], state_.drift()[r], analysis_.strength[r], 0, 0});
        double& size = label.unit == "m" ? whole.linear : label.unit == "rad" ? whole.angular : whole.other;
        size = std::hypot(size, position[r]);
      }
      keep_sign(c, whole);
      whole.violated = is_violated(c, whole, options_.position_tolerance);
      report_.constraints.push_back(std::move(whole));
    }
  }

  /// Those of one name have their number in the list too: a row that equals its namesake says nothing.
  std::vector<std::string> own_names() const {
    std::map<std::string, int> uses;
    for (std::size_t k = 0; k < constraints_.size(); ++k) ++uses[constraint_name(constraints_[k], k)];
    std::vector<std::string> out;
    for (std::size_t k = 0; k < constraints_.size(); ++k) {
      const std::string name = constraint_name(constraints_[k], k);
      out.push_back(uses[name] > 1 ? name + " (number " + std::to_string(k + 1) + ")" : name);
    }
    return out;
  }

  /// A gap or a room, which is all the position that contacts and limits have.
  void keep_sign(const Constraint& c, ConstraintDiagnosis& whole) const {
    if (!std::holds_alternative<PointContact>(c) && !std::holds_alternative<JointLimit>(c)) return;
    const RowDiagnosis& row = report_.rows[static_cast<std::size_t>(whole.first_row)];
    (row.unit == "m" ? whole.linear : whole.angular) = row.position;
  }

  /// What solvers would meet: the motion of least squares, towards the positions and along the velocities.
  Status examine_motion() {
    const auto rows = static_cast<std::size_t>(state_.num_rows());
    ConstrainedDynamics<double> dynamics(model_);
    const Status status = dynamics.factor(state_);
    if (!status.ok()) return status;
    std::vector<double> target(rows, 0);
    for (std::size_t k = 0; k < constraints_.size(); ++k) {
      const ConstraintDiagnosis& c = report_.constraints[k];
      if (!is_equality(constraints_[k])) continue;
      for (int r = c.first_row; r < c.first_row + c.rows; ++r) target[r] = -report_.rows[r].position;
    }
    const Status nearby = solve(dynamics, target, &RowDiagnosis::position_remainder);
    if (!nearby.ok()) return nearby;
    state_.target(target);
    return solve(dynamics, target, &RowDiagnosis::acceleration_remainder);
  }

  /// What the solver misses says more than its status, unless it is no number.
  Status solve(ConstrainedDynamics<double>& dynamics, const std::vector<double>& target,
               double RowDiagnosis::*remainder) {
    const auto n = static_cast<std::size_t>(model_.nv());
    std::vector<double> qdd(n), lambda(target.size(), 0);
    const Status status = dynamics.solve(state_, std::vector<double>(n, 0), target, qdd, lambda);
    for (std::size_t r = 0; r < target.size(); ++r) report_.rows[r].*remainder = dynamics.remainder()[r];
    return status.code == Status::Code::kNotFinite ? status : Status{};
  }

  void refuse() {
    ConstraintReport empty;
    empty.status = report_.status;
    empty.health = Health::kUnknown;
    empty.findings.push_back(
        {ConstraintFinding::Kind::kNoDiagnosis, {}, describe(report_.status, model_, constraints_), {}, ""});
    report_ = std::move(empty);
  }

  const Model& model_;
  std::span<const Constraint> constraints_;
  DoctorOptions options_;
  State<double> state_;
  RowAnalysis analysis_;
  ConstraintReport report_;
};

}  // namespace

ConstraintReport diagnose(const Model& model, std::span<const Constraint> constraints, In<double> q, In<double> v,
                          const DoctorOptions& options) {
  require_size("q", q.size(), model.nq());
  require_size("v", v.size(), model.nv());
  return Doctor(model, constraints, options).run(q, v);
}

ConstraintReport diagnose(const Model& model, std::span<const Constraint> constraints, In<double> q,
                          const DoctorOptions& options) {
  return diagnose(model, constraints, q, std::vector<double>(static_cast<std::size_t>(model.nv()), 0), options);
}

}  // namespace delassus
