// Projected Gauss-Seidel for contact problems: the simple reference. One constraint after the other, with the velocities that those before
// it have left:
//
//   λ_c ← Π_K(λ_c - s_c (σ_c + Γ(σ_c))),   s_c = 1 over the largest eigenvalue of its block, bounded by the block's norm
//
// Works on the matrix of Λ⁻¹: O(m²) per sweep, and as much memory. Converges slowly where masses differ much or bodies are stacked high, and not
// always where coefficients of friction are far above one.
#pragma once

#include <vector>

#include "solvers/contact_contradiction.hpp"

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
  template <class Op>
  requires DelassusOperator<Op, double> Status solve(Op& op, const ContactProblem& problem, Out<double> lambda) {
    if (const Status status = begin(problem, lambda); !status.ok()) return status;
    if (problem.rows() != op.rows()) return {Status::Code::kBadArgument, 1};
    op.dense(MatrixView<double>(matrix_.data(), problem.rows(), problem.rows()));
    start(problem, lambda);
    for (;;) {
      if (const Status status = judge(problem, lambda); !status.ok()) return status;
      if (certificate_.solved()) break;
      if (is_infeasible(op, problem)) {
        certificate_.reason = StopReason::kInfeasible;
        break;
      }
      if (certificate_.iterations >= options_.iterations) break;
      sweep(problem, lambda);
    }
    return conclude(certificate_, tolerance_, contradiction_, blocks_);
  }

  const ContactCertificate& certificate() const { return certificate_; }
  /// σ of the last solve.
  const std::vector<double>& velocity() const { return sigma_; }
  const PgsOptions& options() const { return options_; }

 private:
  Status begin(const ContactProblem& problem, VectorView<const double> lambda);
  void start(const ContactProblem& problem, VectorView<double> lambda);
  Status judge(const ContactProblem& problem, VectorView<const double> lambda);
  void sweep(const ContactProblem& problem, VectorView<double> lambda);
  template <class Op>
  bool is_infeasible(const Op& op, const ContactProblem& problem) {
    constexpr int kLookFirst = 100;
    if (certificate_.iterations >= options_.iterations)
      return contradiction_.find_last(op, problem, {blocks_, metric_, 1.0, sigma_, tolerance_});
    return ContactContradiction::is_due(certificate_.iterations, kLookFirst) &&
           contradiction_.find(op, problem, {blocks_, metric_, 1.0, sigma_, tolerance_});
  }
  void find_velocity(const ContactProblem& problem, VectorView<const double> lambda);
  double size_of_block(const ContactProblem& problem, const ForceBlock& block) const;
  void improve(const ContactProblem& problem, const ForceBlock& block, double size, VectorView<double> lambda);

  PgsOptions options_;
  ContactCertificate certificate_;
  ContactContradiction contradiction_;
  std::vector<ForceBlock> blocks_;
  std::vector<double> matrix_, sigma_, mobility_, sizes_, weights_, metric_, point_;
  double tolerance_ = 0;
};

}  // namespace delassus
