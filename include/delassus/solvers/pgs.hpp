// Projected Gauss-Seidel for contact problems: the simple reference. One constraint after the other, with the velocities that those before
// it have left:
//
//   λ_c ← Π_K(λ_c - s_c (σ_c + Γ(σ_c))),   s_c = 1 over the largest eigenvalue of its block, bounded by the block's norm
//
// Works on the matrix of Λ⁻¹: O(m²) per sweep, and as much memory. Converges slowly where masses differ much or bodies are stacked high, and not
// always where coefficients of friction are far above one.
#pragma once

#include <vector>

#include "delassus/math/boxed.hpp"
#include "delassus/operators/delassus_operator.hpp"
#include "delassus/solvers/contact_problem.hpp"

namespace delassus {

struct PgsOptions {
  /// As those of ADMM.
  double tolerance = 1e-8;
  double relative_tolerance = 1e-9;
  int iterations = 20000;   // sweeps
  double relaxation = 1.0;  // between 0 and 2: how much of a step is taken
};

class Pgs {
 public:
  /// Throws an Error that names the option which makes no sense.
  explicit Pgs(const PgsOptions& options = {});

  /// Memory for so many; solve allocates beyond only.
  void reserve(int constraints, int rows);

  /// Finds λ, from where it stands. Statuses are those of Admm::solve; constraints that contradict each other are kNotConverged, since sweeps
  /// always meet the last of them.
  Status solve(OperatorRef<double> op, const ContactProblem& problem, Out<double> lambda,
               const SolveBudget& budget = {});

  const ContactCertificate& certificate() const;
  /// σ of the last solve.
  const std::vector<double>& velocity() const;
  const PgsOptions& options() const;

 private:
  class Work;
  Boxed<Work> work_;
};

}  // namespace delassus
