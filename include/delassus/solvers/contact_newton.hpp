// Newton's method for contact problems, on any Delassus operator: for problems whose forces are far from unique, such as a limp robot on
// the ground with twice as many rows as it can feel, where first-order methods creep.
//
// Outer steps are proximal, with the friction shift s = Γ(σ) of the last forces λ_k (zero for the convex law):
//
//   λ = Π_K(λ_k - (ηW)⁻¹ (Λ⁻¹λ + Rλ + g + s))
//
// and each is solved by Newton's method with the derivative P of the projection, of which each step is one damped solve:
//
//   (B + R + Λ⁻¹) δ = B (Π_K(...) - λ),   B = ηW P⁻¹, one block per constraint
//
// δ is a direction of descent of ½ λᵀ(Λ⁻¹ + R)λ + ½ ‖Π_K(...)‖² in the metric ηW, whose slope along δ grows steadily, so that the length of the
// step is the root of a monotone function. (Augmented Lagrangians with semismooth Newton steps: Zhao, Sun, Toh, "A Newton-CG augmented
// Lagrangian method for semidefinite programming", 2010.) η falls from one outer step to the next, so that few are needed.
//
// A shift that lags behind can grow from step to step where lifting a contact makes it slide. Once a few outer steps have not halved the
// residual, s = Γ(σ) is taken at the forces themselves, with its derivative w e_nᵀ at each contact that moves along its plane:
//
//   (B + R + Λ⁻¹) δ + Σ e_n wᵀ (R + Λ⁻¹) δ = B (Π_K(...) - λ)
//
// which is a small dense system beside one damped solve per such contact (Woodbury), and steps are as long as the residual falls. Where that
// does not get there either, the shift grows from nothing, which is the convex law and always has an answer, to all of Γ, in steps
// that are as long as Newton's method follows.
// docs/algorithms/contact.md.
#pragma once

#include <vector>

#include "delassus/math/boxed.hpp"
#include "delassus/operators/delassus_operator.hpp"
#include "delassus/solvers/contact_problem.hpp"

namespace delassus {

struct ContactNewtonOptions {
  /// As those of ADMM.
  double tolerance = 1e-8;
  double relative_tolerance = 1e-9;
  int iterations = 1000;         // Newton steps, of all outer ones
  double proximal = 1;           // η to begin with, relative to the size of Λ⁻¹
  double least_proximal = 1e-9;  // where it stops falling, or before, where rounding makes the operator singular
};

class ContactNewton {
 public:
  /// Throws an Error that names the option which makes no sense.
  explicit ContactNewton(const ContactNewtonOptions& options = {});

  /// Memory for so many; solve allocates beyond only.
  void reserve(int constraints, int rows);

  /// Finds λ, from where it stands. Damps the operator. Statuses are those of Admm::solve.
  Status solve(OperatorRef<double> op, const ContactProblem& problem, Out<double> lambda,
               const SolveBudget& budget = {});

  const ContactCertificate& certificate() const;
  /// σ of the last solve.
  const std::vector<double>& velocity() const;
  const ContactNewtonOptions& options() const;

 private:
  class Work;
  Boxed<Work> work_;
};

}  // namespace delassus
