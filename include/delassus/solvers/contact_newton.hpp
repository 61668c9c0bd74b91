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
// docs/algorithms/contact.md.
#pragma once

#include <vector>

#include "delassus/solvers/contact_certificate.hpp"
#include "delassus/solvers/row_mobility.hpp"

namespace delassus {

struct ContactNewtonOptions {
  /// As those of ADMM.
  double tolerance = 1e-8;
  double relative_tolerance = 1e-9;
  int iterations = 300;          // Newton steps, of all outer ones
  double proximal = 1e-2;        // η to begin with, relative to the size of Λ⁻¹
  double least_proximal = 1e-6;  // where it stops falling
};

class ContactNewton {
 public:
  /// Throws an Error that names the option which makes no sense.
  explicit ContactNewton(const ContactNewtonOptions& options = {});

  /// Memory for so many; solve allocates beyond only.
  void reserve(int constraints, int rows);

  /// Finds λ, from where it stands. Damps the operator. Statuses are those of Admm::solve.
  template <class Op>
  requires DelassusOperator<Op, double> Status solve(Op& op, const ContactProblem& problem, Out<double> lambda);

  const ContactCertificate& certificate() const { return certificate_; }
  /// σ of the last solve.
  const std::vector<double>& velocity() const { return sigma_; }
  const ContactNewtonOptions& options() const { return options_; }

 private:
  Status begin(const ContactProblem& problem, VectorView<const double> lambda);
  void start();
  void project_forces();
  bool judge(const ContactProblem& problem);
  void begin_outer(const ContactProblem& problem);
  void find_target(double length);
  bool is_near() const;
  void make_blocks(const ContactProblem& problem);
  double slope(double length);
  double find_length();
  void take_step();
  void end_outer(bool near);
  Status finish(StopReason reason, VectorView<double> lambda);

  template <class Op>
  void multiply(const Op& op, const ContactProblem& problem, const std::vector<double>& x, std::vector<double>& out) {
    op.apply(x, out);
    for (int r = 0; r < problem.rows(); ++r)
      out[static_cast<std::size_t>(r)] += problem.compliance_of(r) * x[static_cast<std::size_t>(r)];
  }
  template <class Op>
  Status solve_outer(Op& op, const ContactProblem& problem);

  ContactNewtonOptions options_;
  ContactCertificate certificate_;
  RowMobility mobility_;
  std::vector<ForceBlock> blocks_;
  double eta_ = 0;  // relative to the size of Λ⁻¹
  double tolerance_ = 0, last_velocity_ = 0;
  // One per row: λ, λ_k, Π_K, what is projected, (Λ⁻¹ + R) λ, δ, (Λ⁻¹ + R) δ, right-hand side, g + s, σ.
  std::vector<double> force_, anchor_, target_, point_, product_, step_, step_product_, right_, free_, sigma_;
  std::vector<double> damping_;  // blocks, one after the other
};

// ----------------------------------------------------------------------------------------------------------- templates

template <class Op>
Status ContactNewton::solve_outer(Op& op, const ContactProblem& problem) {
  constexpr int kMostSteps = 20;
  begin_outer(problem);
  bool near = false;
  for (int k = 0; k < kMostSteps && certificate_.iterations < options_.iterations; ++k) {
    find_target(0);
    near = is_near();
    if (near) break;
    make_blocks(problem);
    ++certificate_.iterations;
    ++certificate_.dampings;
    Status status = op.update_damping(Damping<double>::blocks(damping_));
    if (status.ok()) status = op.solve_damped(right_, step_);
    if (!status.ok() && status.code != Status::Code::kInaccurate) return status;
    multiply(op, problem, step_, step_product_);
    take_step();
  }
  end_outer(near);
  multiply(op, problem, force_, product_);
  return {};
}

template <class Op>
requires DelassusOperator<Op, double> Status ContactNewton::solve(Op& op, const ContactProblem& problem,
                                                                  Out<double> lambda) {
  Status status = begin(problem, lambda);
  if (!status.ok()) return status;
  require_size("problem.free_velocity", problem.rows(), op.rows());
  if (problem.rows() == 0) return finish(StopReason::kSolved, lambda);
  mobility_.find(op, problem);
  start();
  multiply(op, problem, force_, product_);
  while (!judge(problem)) {
    if (certificate_.iterations >= options_.iterations) return finish(StopReason::kIterations, lambda);
    const int before = certificate_.iterations;
    status = solve_outer(op, problem);
    if (!status.ok()) return status;
    if (certificate_.iterations == before && eta_ <= options_.least_proximal) {
      const bool solved = judge(problem);
      return finish(solved ? StopReason::kSolved : StopReason::kStalled, lambda);
    }
  }
  return finish(StopReason::kSolved, lambda);
}

}  // namespace delassus
