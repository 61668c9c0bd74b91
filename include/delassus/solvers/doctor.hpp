// The constraint doctor: what is wrong with the constraints of a mechanism in one state, as data and in words
// (docs/algorithms/doctor.md).
//
// With M = Lᵀ L the rows of J are looked at as the columns of Y = L⁻ᵀ Jᵀ, each divided by its length: Yᵀ Y is then Λ⁻¹ with a
// unit diagonal, in which metres and radians count alike, and Y knows twice as many digits of its small eigenvalues. Every
// row counts as held, those of contacts and limits included.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/math/error.hpp"
#include "delassus/math/view.hpp"

namespace delassus {

struct DoctorOptions {
  /// Eigenvalues of the scaled Λ⁻¹, relative to the largest, that count as none. Zero: rows · ε, all that Λ⁻¹ itself can
  /// tell in double.
  double rank_tolerance = 0;
  /// Of the scaled Λ⁻¹: beyond it rows nearly depend on each other.
  double worst_condition = 1e8;
  /// Errors up to these are no finding.
  double position_tolerance = 1e-3;      // metres, radians
  double velocity_tolerance = 1e-3;      // per second
  double acceleration_tolerance = 1e-3;  // per second squared
};

enum class Health : std::uint8_t {
  kHealthy,    // nothing was found
  kRedundant,  // some rows say nothing new: motions are unique, forces are not
  kUnhealthy,  // something has to be done about it
  kUnknown,    // no diagnosis: the status says why
};

/// "healthy", "redundant", "unhealthy", "unknown"
std::string_view name_of(Health health);

struct RowDiagnosis {
  std::string name;  // "contact 'FL_foot' normal"
  std::string unit;  // of its position, "m" or "rad"; empty if that is the user's affair
  double position = 0;
  double velocity = 0;
  double drift = 0;  // J̇ν: its acceleration while joints do not accelerate
  /// How well joints move the row here, relative to what they could if nothing cancelled: 0 if none does.
  double strength = 0;
  /// What is left of its position after the best small motion of the joints; of rows that hold in both directions.
  double position_remainder = 0;
  /// What is missing from its acceleration in the best motion.
  double acceleration_remainder = 0;

  bool operator==(const RowDiagnosis&) const = default;
};

/// Σ weight · row of J is zero, to 1e-6 of its largest term, and of no fewer of these rows. The first, whose weight is one,
/// can be left out: of rows that say the same it is the last, or one that joints hardly move.
struct RowDependency {
  std::vector<int> rows;
  std::vector<double> weights;
  /// Sine of the angle between the first row and the span of the others, by the metric of M⁻¹.
  double distance = 0;
  bool exact = true;  // else nearly

  bool operator==(const RowDependency&) const = default;
};

/// How far a constraint is from where it should be: lengths over its rows in metres, in radians, and in what units users
/// have. Contacts have their gap, limits the room that is left, both with their sign.
struct ConstraintDiagnosis {
  std::string name;  // "loop 'rod'"
  int first_row = 0, rows = 0;
  double linear = 0, angular = 0, other = 0;
  bool violated = false;

  /// In metres, in radians or in other units, without its sign.
  double largest() const { return std::max({std::abs(linear), std::abs(angular), std::abs(other)}); }

  bool operator==(const ConstraintDiagnosis&) const = default;
};

/// One thing that a person should know, most important first.
struct ConstraintFinding {
  enum class Kind : std::uint8_t {
    kNoDiagnosis,
    kContradiction,
    kPosition,
    kVelocity,
    kNearlyDependent,
    kNearlyStuck,
    kStuck,
    kDependent,
  };
  Kind kind = Kind::kNoDiagnosis;
  std::vector<int> rows;  // which it is about
  std::string text;
  std::vector<std::string> details;  // one line each
  std::string advice;

  bool operator==(const ConstraintFinding&) const = default;
};

/// "contradiction", "nearly_dependent", ...
std::string_view name_of(ConstraintFinding::Kind kind);

struct ConstraintReport {
  Status status;  // not ok: there is no diagnosis, and everything else but the findings is empty
  Health health = Health::kHealthy;

  int dofs = 0, rank = 0;
  /// False where positions are off by more than rounding, and by enough to hide that rows depend on each other: assembled,
  /// the mechanism may have less rank.
  bool rank_is_certain = true;
  /// Degrees of freedom that the constraints leave.
  int mobility() const { return dofs - rank; }
  int num_rows() const { return static_cast<int>(rows.size()); }

  /// Of the scaled Λ⁻¹, largest first, one for each row.
  std::vector<double> eigenvalues;
  double condition = 1;  // of the scaled Λ⁻¹ on its range
  double rank_tolerance = 0;
  /// What still counts as in place and as at rest, from the options.
  double position_tolerance = 0, velocity_tolerance = 0;
  /// That suffices to solve with all rows: what Proximal takes, in the units of Λ⁻¹.
  double damping = 0;

  std::vector<RowDiagnosis> rows;
  /// As many rows as the rank, of which none depends on the others.
  std::vector<int> independent;
  std::vector<RowDependency> dependencies;
  std::vector<ConstraintDiagnosis> constraints;
  std::vector<ConstraintFinding> findings;

  bool operator==(const ConstraintReport&) const = default;
};

/// Looks at the constraints in the state q, v; both may have any finite numbers. Without v the mechanism rests. Throws an Error
/// that names an argument of the wrong size or a constraint that does not fit. Allocates; O(rows · rank · dofs).
ConstraintReport diagnose(const Model& model, std::span<const Constraint> constraints, In<double> q, In<double> v,
                          const DoctorOptions& options = {});
ConstraintReport diagnose(const Model& model, std::span<const Constraint> constraints, In<double> q,
                          const DoctorOptions& options = {});

/// The report for a person: how it is, the numbers, and what was found, each with what to do.
std::string to_text(const ConstraintReport& report);

}  // namespace delassus
