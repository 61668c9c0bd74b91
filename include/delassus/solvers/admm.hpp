// ADMM for contact problems, on any Delassus operator: one damped solve and one projection per iteration.
//
//   y = Π_K(u),   z = ρW (y - u) ∈ K*                              forces, and velocities with their shift (Moreau)
//   x = (Λ⁻¹ + R + ρW)⁻¹ (ρW y + z - g - Γ(z))                     forces that give those velocities
//   u ← u + α (x - y)
//
// This is the alternating direction method with over-relaxation α, written in the one vector u that y and z are parts of (Eckstein,
// Bertsekas, 1992). W are weights of rows; a change of ρ is one update_damping, keeps y and z, and never goes back to the kinematics.
// Steps are extrapolated from those before (Anderson's method, type II; Walker, Ni, 2011) while that makes ‖x - y‖ smaller.
//
// Papers: Carpentier, Le Lidec, Montaut, "From Compliant to Rigid Contact Simulation: a Unified and Efficient Approach", 2024, for the
// shift in the loop; docs/algorithms/contact.md.
#pragma once

#include <vector>

#include "delassus/solvers/contact_certificate.hpp"

namespace delassus {

struct AdmmOptions {
  /// Largest velocity residual of a solution, metres per second, and relative to the largest free velocity; the larger one counts.
  double tolerance = 1e-8;
  double relative_tolerance = 1e-9;
  int iterations = 1000;
  double relaxation = 1.6;  // α, between 0 and 2
  double penalty = 0;       // ρ to begin with, relative to the size of Λ⁻¹; zero: that of the last solve, or a guess
  int memory = 5;           // steps that are extrapolated from; 0: none
};

class Admm {
 public:
  explicit Admm(const AdmmOptions& options = {});

  /// Memory for so many; solve allocates beyond only.
  void reserve(int constraints, int rows);

  /// Finds λ, from where it stands. Damps the operator. λ is in its sets whatever the status, and is the best that was found.
  ///
  ///   kNotConverged  the iterations ran out; the index is the constraint that is farthest off
  ///   kNotFinite     the row of the free velocity that is no number
  ///
  /// and what the operator has to say of its damping. Throws an Error for a problem that makes no sense.
  template <class Op>
  requires DelassusOperator<Op, double> Status solve(Op& op, const ContactProblem& problem, Out<double> lambda);

  const ContactCertificate& certificate() const { return certificate_; }
  /// σ of the last solve.
  const std::vector<double>& velocity() const { return sigma_; }
  const AdmmOptions& options() const { return options_; }
  /// ρ that the next solve begins with, relative to the size of Λ⁻¹: what a solver remembers, beside λ of the caller. Zero: a guess.
  double penalty() const { return penalty_; }
  void set_penalty(double penalty) { penalty_ = penalty; }

 private:
  Status begin(const ContactProblem& problem, VectorView<const double> lambda);
  void weigh_rows(const ContactProblem& problem);
  void start(const ContactProblem& problem, VectorView<const double> lambda);
  void split();
  void find_right_side(const ContactProblem& problem);
  double advance();
  void remember(double residual);
  bool seems_solved() const;
  bool adapt_penalty();
  void change_penalty(double factor);
  bool check(const ContactProblem& problem);
  Status finish(StopReason reason, VectorView<double> lambda);

  template <class Op>
  Status damp(Op& op, const ContactProblem& problem);

  AdmmOptions options_;
  ContactCertificate certificate_;
  std::vector<ForceBlock> blocks_;
  double scale_ = 0, rho_ = 0, penalty_ = 0, tolerance_ = 0;
  std::vector<double> weights_, damping_, u_, x_, y_, z_, right_, sigma_, mobility_;
};

}  // namespace delassus
