// Assembly: the nearest configuration and the nearest velocity that agree with the constraints
// (docs/algorithms/assembly.md).
//
// Steps of Levenberg and Marquardt on the positions φ of the rows, in the metric of the inertia,
//
//   Δq = -M⁻¹ Jᵀ λ,   λ = (μ + Λ⁻¹)⁻¹ φ,   q⁺ = q ⊕ Δq
//
// which need a damped solve of the Delassus operator and nothing else. Rows may be redundant.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "delassus/constraints/state.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/solvers/proximal.hpp"

namespace delassus {

/// Zero: what suits the scalar's rounding ε.
struct AssemblyOptions {
  /// Largest position of a row that counts as none, in radians, or in metres of the distance from the origin and of one metre at
  /// least: 1e3 ε.
  double tolerance = 0;
  /// Largest velocity that may be left to a row near a singular posture, in m/s or rad/s of the fastest link: 100 ε^(2/3).
  double velocity_tolerance = 0;
  /// Least μ, relative to the size of Λ⁻¹: ∛ε². It grows where a step comes no closer.
  double damping = 0;
  int iterations = 1000;
};

/// Largest positions among the rows.
template <class T>
struct AssemblyError {
  T linear{0};   // metres
  T angular{0};  // radians
};

template <class T>
struct AssemblyReport {
  int iterations = 0;  // steps that were tried
  AssemblyError<T> before, after;
};

/// Whether a constraint holds its rows whatever the force that takes.
bool is_equality(const Constraint& c);
/// Those that are: what an Assembler takes, of a list that has contacts and limits as well.
std::vector<Constraint> make_equalities(std::span<const Constraint> constraints);

/// float and double only.
template <FloatingPoint T>
class Assembler {
 public:
  /// Throws an Error that names a constraint which does not fit or which is no equality.
  Assembler(const Model& model, std::span<const Constraint> constraints, const AssemblyOptions& options = {});

  /// Moves q onto the constraints, along what is the shortest way in the metric of the inertia where the way is short. Rows
  /// whose positions do not follow q (contacts, dry friction, rows of the user's own) are not moved, to first order. Each step
  /// comes closer in the sum of squares over rows, so that q is never farther off than before, whatever the status.
  /// Allocates nothing.
  ///
  ///   kInfeasible    no small motion comes closer; the index is the row that is farthest off
  ///   kNotConverged  the iterations ran out; the same index
  ///   kNotFinite     the row whose position is no number
  ///
  /// and what the rows and the operator have to say of q as it was given.
  Status assemble(Out<T> q);

  /// v ← v - M⁻¹ Jᵀ (Λ⁻¹)⁺ Jv: of all velocities that the constraints allow at q, the one whose difference has the least
  /// kinetic energy. Statuses are those of Proximal, where rows are left with more than the tolerance. Allocates nothing.
  Status project_velocity(In<T> q, Out<T> v);

  /// Of the last assemble.
  const AssemblyReport<T>& report() const { return report_; }
  const AssemblyOptions& options() const { return options_; }

 private:
  struct Row {
    bool follows;  // has a position that follows q
    bool angular;
  };

  void describe_rows();
  Status measure(In<T> q);
  Status factor();
  bool try_step(Out<T> q);
  AssemblyError<T> error() const;
  T fastest() const;
  T reach() const;

  AssemblyOptions options_;
  State<T> state_;
  CondensedDelassus<T> op_;
  Proximal<T> proximal_;
  AssemblyReport<T> report_;
  std::vector<Row> rows_;
  std::vector<std::int32_t> turns_;  // degrees of freedom that are angles
  T square_{0};                      // φᵀφ
  T scale_{0};                       // size of Λ⁻¹
  T damping_{0};                     // in use, relative
  std::vector<T> phi_, best_, lambda_, step_, trial_, still_;
};

}  // namespace delassus
