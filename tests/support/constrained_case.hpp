// A mechanism in motion under equality constraints, and what dense algebra in long double says of it.
#pragma once

#include <vector>

#include "delassus/constraints/state.hpp"
#include "support/oracle_case.hpp"

namespace delassus::testing {

struct ConstrainedCase : OracleCase<double> {
  ConstrainedCase(const Model& m, std::vector<Constraint> list, const samples::State& s);
  explicit ConstrainedCase(OracleCase<double> c, const samples::State& s);

  /// J of random joint accelerations: what the mechanism can do, whatever the rank.
  std::vector<double> feasible_target(int stream) const;

  std::vector<double> v, tau;
  Exact h, Jt;
  Exact free_force;   // τ - h
  Exact free_motion;  // M⁻¹ (τ - h)
  /// Of Λ⁻¹, ascending; and how many are zero beyond doubt.
  std::vector<long double> eigenvalues;
  int rank = 0;
  /// The smallest eigenvalue that is not zero, over the largest: how well the rank is told.
  double gap = 1;
};

/// The motion that misses the target least in the sum of squares over rows, nearest to the free one in kinetic energy, and the
/// least force that makes it: λ = (Λ⁻¹)⁺ b by all eigenvectors.
struct ConstrainedReference {
  ConstrainedReference(const ConstrainedCase& c, const std::vector<double>& target);

  Exact b;  // a* - J M⁻¹ (τ - h)
  Exact lambda, joint_force, motion, remainder;
};

/// What is left of both equations for a motion and a force, each over the largest of its terms.
struct KktResiduals {
  KktResiduals(const ConstrainedCase& c, const std::vector<double>& target, const std::vector<double>& motion,
               const std::vector<double>& lambda);
  double forces, rows;
};

/// As random_case, in motion.
ConstrainedCase random_constrained_case(int seed);

}  // namespace delassus::testing
