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

#include "solvers/anderson.hpp"
#include "solvers/contact_contradiction.hpp"
#include "solvers/row_mobility.hpp"

namespace delassus {

struct AdmmOptions {
  /// Largest velocity residual of a solution: metres per second, or this part of the largest free velocity that forces are needed against; the larger one
  /// counts.
  double tolerance = 1e-8;
  double relative_tolerance = 1e-9;
  int iterations = 1000;
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
  template <class Op>
  requires DelassusOperator<Op, double> Status solve(Op& op, const ContactProblem& problem, Out<double> lambda);

  const ContactCertificate& certificate() const { return certificate_; }
  /// σ of the last solve.
  const std::vector<double>& velocity() const { return sigma_; }
  const AdmmOptions& options() const { return options_; }
  /// ρ that the next solve begins with, relative to the size of Λ⁻¹; zero: a guess. It is all that a solver remembers of the last solve.
  double penalty() const { return penalty_; }
  void set_penalty(double penalty) { penalty_ = penalty; }

 private:
  Status begin(const ContactProblem& problem, VectorView<const double> lambda);
  void weigh_rows();
  bool has_equal_rows(const ContactProblem& problem) const;
  const std::vector<double>& list_damping(const ContactProblem& problem);
  void start(const ContactProblem& problem);
  void split();
  void find_right_side(const ContactProblem& problem);
  void advance();
  bool may_be_solved();
  bool adapt_penalty();
  bool judge(const ContactProblem& problem);
  /// Whether it is time to look for a contradiction, and there is one.
  template <class Op>
  bool is_infeasible(const Op& op, const ContactProblem& problem) {
    constexpr int kLookFirst = 20;
    if (certificate_.iterations >= options_.iterations)
      return contradiction_.find_last(op, problem, {blocks_, weights_, scale_, sigma_, tolerance_});
    return ContactContradiction::is_due(certificate_.iterations, kLookFirst) &&
           contradiction_.find(op, problem, {blocks_, weights_, scale_, sigma_, tolerance_});
  }
  Status finish(StopReason reason, VectorView<double> lambda);

  template <class Op>
  Status damp(Op& op, const ContactProblem& problem);
  /// σ of y.
  template <class Op>
  void find_velocity(const Op& op, const ContactProblem& problem) {
    op.apply(y_, sigma_);
    add_free_velocity(problem, y_, sigma_);
  }
  template <class Op>
  Status iterate(Op& op, const ContactProblem& problem, StopReason& reason);

  AdmmOptions options_;
  ContactCertificate certificate_;
  Anderson anderson_;
  RowMobility mobility_;
  ContactContradiction contradiction_;
  std::vector<ForceBlock> blocks_;
  double scale_ = 0;    // of Λ⁻¹
  double rho_ = 0;      // ρ
  double penalty_ = 0;  // ρ over the scale
  double tolerance_ = 0;
  double estimate_ = 0, failed_estimate_ = 0;  // of the velocity residual, and what it was when it was last too low
  double change_ = 0;                          // largest change of velocities by a projection
  double force_miss_ = 0;                      // largest entry of W (x - y)
  // One per row: W, what is damped by, u, x, y, that of the iteration before, z, right-hand side, step, σ.
  std::vector<double> weights_, damping_, u_, x_, y_, y_before_, z_, right_, step_, sigma_;
};

// ----------------------------------------------------------------------------------------------------------- templates

template <class Op>
Status Admm::damp(Op& op, const ContactProblem& problem) {
  ++certificate_.dampings;
  if (has_equal_rows(problem)) return op.update_damping(Damping<double>(rho_));
  return op.update_damping(Damping<double>(list_damping(problem)));
}

template <class Op>
Status Admm::iterate(Op& op, const ContactProblem& problem, StopReason& reason) {
  reason = StopReason::kIterations;
  while (certificate_.iterations < options_.iterations) {
    ++certificate_.iterations;
    split();
    find_right_side(problem);
    const Status status = op.solve(right_, x_);
    if (!status.ok() && status.code != Status::Code::kInaccurate) return status;
    if (may_be_solved()) {
      find_velocity(op, problem);
      if (judge(problem)) {
        reason = StopReason::kSolved;
        return {};
      }
      if (is_infeasible(op, problem)) {
        reason = StopReason::kInfeasible;
        return {};
      }
    }
    if (adapt_penalty()) {
      if (const Status damped = damp(op, problem); !damped.ok()) return damped;
    } else {
      advance();
    }
  }
  split();
  find_velocity(op, problem);
  if (judge(problem)) {
    reason = StopReason::kSolved;
  } else if (is_infeasible(op, problem)) {
    reason = StopReason::kInfeasible;
  }
  return {};
}

template <class Op>
requires DelassusOperator<Op, double> Status Admm::solve(Op& op, const ContactProblem& problem, Out<double> lambda) {
  Status status = begin(problem, lambda);
  if (!status.ok()) return status;
  if (problem.rows() == 0) return finish(StopReason::kSolved, lambda);
  if (problem.rows() != op.rows()) return {Status::Code::kBadArgument, 1};
  mobility_.find(op, problem);
  weigh_rows();
  find_velocity(op, problem);
  if (judge(problem)) return finish(StopReason::kSolved, lambda);
  start(problem);
  status = damp(op, problem);
  StopReason reason = StopReason::kFailed;
  if (status.ok()) status = iterate(op, problem, reason);
  return status.ok() ? finish(reason, lambda) : status;
}

}  // namespace delassus
