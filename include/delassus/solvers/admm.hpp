// ADMM for contact problems, on any Delassus operator: one damped solve and one projection per iteration.
//
//   y = Π_K(u),   z = ρW (y - u) ∈ K*                              forces, and velocities with their shift (Moreau)
//   x = (Λ⁻¹ + R + ρW)⁻¹ (ρW y + z - g - Γ(z))                     forces that give those velocities
//   u ← u + α (x - y)
//
// This is the alternating direction method with over-relaxation α, written in the one vector u that y and z are parts of (Eckstein,
// Bertsekas, 1992). W are weights of rows; a change of ρ is one update_damping, keeps y and z, and never goes back to the kinematics.
// Before that it tries the modes of the start: what sticks or holds has no velocity, all else keeps its force. While what stands or rests keeps its modes,
// this one damped solve is all. Steps are extrapolated from those before (Anderson's method, type II; Walker, Ni, 2011) while that makes ‖x - y‖ smaller.
//
// Papers: Carpentier, Le Lidec, Montaut, "From Compliant to Rigid Contact Simulation: a Unified and Efficient Approach", 2024, for the
// shift in the loop; docs/algorithms/contact.md.
#pragma once

#include <limits>
#include <vector>

#include "delassus/math/boxed.hpp"
#include "delassus/operators/delassus_operator.hpp"
#include "delassus/solvers/contact_problem.hpp"

namespace delassus {

struct AdmmOptions {
  /// Largest velocity residual of a solution: metres per second, or this part of the largest free velocity that forces are needed against; the larger one
  /// counts.
  double tolerance = 1e-8;
  double relative_tolerance = 1e-9;
  /// Tries first whether what sticks or holds, and what is apart, stay so: one damped solve, which is all where they do.
  bool modes = true;
  /// A start within the tolerance is tried to be made better first if its residual is above this, in metres per second, by one damped solve: so errors of time
  /// steps do not pile up until modes change.
  double start_tolerance = std::numeric_limits<double>::infinity();
  int iterations = 1000;
  /// Gives up, after ten iterations, once its rate says that more than so many others would follow; zero: never.
  int patience = 0;
  double relaxation = 1.6;  // α, between 0 and 2
  double penalty = 0;  // ρ to begin with, relative to the size of Λ⁻¹; zero: that of the last solve, or a guess
  int memory = 10;     // steps that are extrapolated from; 0: none
};

class Admm {
 public:
  /// Throws an Error that names the option which makes no sense.
  explicit Admm(const AdmmOptions& options = {});

  /// Memory for so many; solve allocates beyond only.
  void reserve(int constraints, int rows);

  /// Finds λ, from where it stands. Damps the operator. λ ends in its sets, solved or not; where numbers or the operator fail, it stays
  /// what it was.
  ///
  ///   kNotConverged  the iterations ran out, or rounding hides more than the tolerance; the index is the first row of the constraint that is
  ///                  farthest off
  ///   kInfeasible    no forces do what is asked; the index is the first row of a constraint that nothing moves out of its way, or that
  ///                  contradicts another, the certificate's `against`
  ///   kNotFinite     the row whose free velocity or force is no number
  ///
  /// and what the operator has to say of its damping. Throws an Error for a problem that makes no sense.
  Status solve(OperatorRef<double> op, const ContactProblem& problem, Out<double> lambda,
               const SolveBudget& budget = {});

  const ContactCertificate& certificate() const;
  /// σ of the last solve.
  const std::vector<double>& velocity() const;
  const AdmmOptions& options() const;
  /// The factor per iteration by which x and y approached each other over the last iterations (up to ten): where solve ended with kIterations, velocity
  /// residuals will be down to a tolerance after about ln(tolerance / certificate().velocity) / ln(rate) more. One or more: they do not
  /// approach; one also before there are two iterations.
  double rate() const;
  /// ρ that the next solve begins with, relative to the size of Λ⁻¹; zero: a guess. It is all that a solver remembers of the last solve.
  double penalty() const;
  void set_penalty(double penalty);

 private:
  class Work;
  Boxed<Work> work_;
};

}  // namespace delassus
