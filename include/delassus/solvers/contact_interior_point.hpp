// An interior-point method on Coulomb's law itself, on any Delassus operator: for contact problems that are hard, in some twenty iterations.
//
// Rows are scaled so that every cone has slope one and yields one. With z the forces, s the velocities with their shift, S the derivative
// of the shift and N the scaling of Nesterov and Todd, for which N z = N⁻¹ s, one step of Newton's method is
//
//   (A + (1 - S) N²) dz = (1 - S) N rc + r,   ds = N rc - N² dz
//
// A is Λ⁻¹ + R in scaled rows, r what velocities and forces differ by, rc what products of forces and velocities should become (Mehrotra's
// predictor and corrector). (1 - S) N² has one block for each constraint and is not symmetric: one iteration is one
// update_damping with unsymmetric blocks and two solves. For the convex law S = 0 and the blocks are symmetric.
//
// Where steps become short, because the central path of Coulomb's law turns back, or forces run out of digits, Newton's method on the
// projection Π_K goes on, with the same kind of damping.
// docs/algorithms/contact-interior-point.md.
#pragma once

#include <vector>

#include "delassus/math/boxed.hpp"
#include "delassus/operators/delassus_operator.hpp"
#include "delassus/solvers/contact_problem.hpp"

namespace delassus {

struct ContactInteriorPointOptions {
  /// As those of ADMM.
  double tolerance = 1e-8;
  double relative_tolerance = 1e-9;
  int iterations = 100;  // dampings at most: two paths at least
};

class ContactInteriorPoint {
 public:
  /// Throws an Error that names the option which makes no sense.
  explicit ContactInteriorPoint(const ContactInteriorPointOptions& options = {});

  /// Memory for so many; solve allocates beyond only.
  void reserve(int constraints, int rows);

  /// Finds λ; where it stands is the start, pushed into the sets. Damps the operator. Statuses are those of Admm::solve; where the operator
  /// cannot be damped any more, λ is the best that was seen and the status kNotConverged.
  Status solve(OperatorRef<double> op, const ContactProblem& problem, Out<double> lambda,
               const SolveBudget& budget = {});

  const ContactCertificate& certificate() const;
  /// σ of the last solve.
  const std::vector<double>& velocity() const;
  const ContactInteriorPointOptions& options() const;

 private:
  class Work;
  Boxed<Work> work_;
};

}  // namespace delassus
