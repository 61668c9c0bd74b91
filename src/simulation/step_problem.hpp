// What the rows of a step are asked for: g = J v_free + bias and the compliance R of the contact problem.
//
// A row whose force only pushes (a contact, a limit) may use up the room φ that it has, and gives back a share of what is missing:
//
//   bias = φ / h for φ > 0,   max(φ / recovery_time, -recovery_speed) else,   so that σ = J v⁺ + bias >= 0
//
// In the soft and relaxed models contacts, and in the relaxed one all rows, have the bias and the compliance of their springs instead.
//
// Impacts with restitution come before all of this, round by round (step_impacts.cpp).
#pragma once

#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "delassus/constraints/lower.hpp"
#include "delassus/simulation/simulation_options.hpp"
#include "delassus/solvers/contact_problem.hpp"
#include "simulation/step_constraints.hpp"

namespace delassus {

/// RowSpan::kind of a contact.
inline constexpr int kContactRows = 0;
static_assert(std::is_same_v<std::variant_alternative_t<kContactRows, Constraint>, PointContact>);

class StepProblem {
 public:
  /// Room for so many constraints of up to six rows, beside rows that every step has.
  StepProblem(const Model& model, const SimulationOptions& options, int constraints, int lasting_rows);

  struct Motion {
    const Model& model;
    const Kinematics<double>& kin;
    std::span<const double> v, free;  // before the step, and after it without constraints
    std::span<const double> pushed;   // and after it with impulses that are known alone
  };
  /// `mobility`: per row the diagonal of Λ⁻¹, for the relaxed model; others do not read it. Allocates nothing.
  void pose(const StepConstraints& constraints, const JointLaws& laws, const JointInputs& in, const Motion& motion,
            std::span<const double> mobility);

  /// Whether contacts are forces that the state gives, and nothing to solve for.
  bool knows_contact_forces() const { return options_.model == ContactModel::kSoft; }
  /// Whether contacts, limits and loops only take energy, and keep none.
  bool is_rigid() const;
  bool needs_mobility() const { return options_.model == ContactModel::kRelaxed; }
  /// Those forces as impulses of the rows; zero for other rows.
  void find_known_impulses(const StepConstraints& constraints, const Motion& motion, std::span<double> lambda);

  /// The next round of impacts, for the same rows: contacts that meet within the step, faster than the threshold, have to part again. `struck`: what velocities before
  /// the step become by the rounds before; pushed: the same of those after it. Whether there are any. Allocates nothing.
  bool pose_impacts(const StepConstraints& constraints, const Motion& motion, std::span<const double> struck);

  ContactProblem view(const StepConstraints& constraints) const;

  /// Where impulses of loops are so large that these give way by more than `most`, in m/s: asks for as much less. Solved once more, loops give way by
  /// the difference of both impulses. Whether it did.
  bool take_up_loops(const StepConstraints& constraints, std::span<const double> lambda, double most);
  /// As it was.
  void let_loops_give();

  /// Takes the forces of a contact or limit out of the problem, unless it is approached faster than is acceptable without them. Whether it did.
  bool leave_out(const RowSpan& span, int constraint);

  /// Velocities of the rows before the step, and with the joint velocities at its end: of which `find_end` is told.
  void find_end(const StepConstraints& constraints, const Motion& motion, std::span<const double> next_v);
  std::span<const double> before() const { return before_; }
  std::span<const double> after() const { return after_; }
  /// Without the impulses of any row.
  std::span<const double> free() const { return free_; }
  /// By how much row r misses, at the end, what it was stated for: σ of rows without the compliance that the solve gave to loops.
  double stated_velocity(const ForceSet& set, std::size_t r, double lambda) const;
  /// Rows that there is room for.
  std::size_t capacity() const { return g_.capacity(); }

 private:
  double recover(double position) const;
  void measure_rows(const StepConstraints& constraints, const Motion& motion);
  void add_bias(const RowSpan& span, const ForceSet& set);
  bool add_impact(const RowSpan& span, ForceSet& set);
  void soften(const RowSpan& span);
  void relax(const RowSpan& span, const ForceSet& set, std::span<const double> mobility);

  const SimulationOptions options_;
  double loop_compliance_;  // m/s per N s
  LinkMotions<double> work_;
  std::vector<double> g_, compliance_, position_, before_, free_, pushed_, after_;
  std::vector<double> taken_up_;  // of loops, from g
  std::vector<ForceSet> sets_;    // of the rows, without contacts whose forces are known
};

}  // namespace delassus
