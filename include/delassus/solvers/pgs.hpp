// Projected Gauss-Seidel for contact problems: the simple reference. One constraint after the other, with the velocities that those before
// it have left:
//
//   λ_c ← Π_K(λ_c - s_c (σ_c + Γ(σ_c))),   s_c = 1 over the largest eigenvalue of its block, bounded by the block's norm
//
// Works on the matrix of Λ⁻¹: O(m²) per sweep, and as much memory. Converges slowly where masses differ much or bodies are stacked high, and not
// always where coefficients of friction are far above one.
#pragma once

#include <vector>

#include "delassus/solvers/contact_certificate.hpp"

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

  /// Finds λ, from where it stands. Statuses are those of Admm::solve.
  template <class Op>
  requires DelassusOperator<Op, double> Status solve(Op& op, const ContactProblem& problem, Out<double> lambda) {
    if (const Status status = begin(problem, lambda); !status.ok()) return status;
    require_size("problem.free_velocity", problem.rows(), op.rows());
    op.dense(MatrixView<double>(matrix_.data(), problem.rows(), problem.rows()));
    return sweep(problem, lambda);
  }

  const ContactCertificate& certificate() const { return certificate_; }
  /// σ of the last solve.
  const std::vector<double>& velocity() const { return sigma_; }
  const PgsOptions& options() const { return options_; }

 private:
  Status begin(const ContactProblem& problem, VectorView<const double> lambda);
  Status sweep(const ContactProblem& problem, VectorView<double> lambda);
  void find_velocity(const ContactProblem& problem, VectorView<const double> lambda);
  double size_of_block(const ContactProblem& problem, const ForceBlock& block) const;
  void improve(const ContactProblem& problem, const ForceBlock& block, double size, VectorView<double> lambda);

  PgsOptions options_;
  ContactCertificate certificate_;
  std::vector<ForceBlock> blocks_;
  std::vector<double> matrix_, sigma_, mobility_, sizes_, weights_, point_;
  double tolerance_ = 0;
};

}  // namespace delassus
