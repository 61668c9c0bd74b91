// How good a solution of a contact problem is, in physical units, by what the forces do and not by what a solver believes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "delassus/operators/delassus_operator.hpp"
#include "delassus/solvers/contact_problem.hpp"

namespace delassus {

enum class StopReason : std::uint8_t {
  kNone,        // nothing was solved
  kSolved,      // residuals are within tolerance
  kIterations,  // they ran out
  kStalled,     // rounding leaves no more progress
  kFailed,      // the operator could not be damped, or a number is not finite
  kInfeasible,  // no forces give what is asked: nothing can move what approaches, or constraints contradict each other
};

/// "solved", "iterations ran out", ...
std::string_view name_of(StopReason reason);

/// Largest over all constraints. With a time step of one, impulses are forces and velocities accelerations.
struct ContactResiduals {
  double primal = 0;  // N: how far a force lies outside of its set
  double dual =
      0;  // m/s: how far a velocity lies outside of what its set allows: bodies that approach, loops that open
  double complementarity =
      0;  // J: work of forces that should do none, and friction that dissipates less than it should
  /// What of the above is felt, as one number: by how much the law λ = Π_K(λ - s (σ + Γ)) is missed, with s what the constraint's own mass
  /// answers to a velocity. As a force, and as the velocity that this force would give. Where coefficients of
  /// friction are far above one, bodies may approach by so many times more: `dual` has that.
  double force = 0;     // N
  double velocity = 0;  // m/s
  /// What the rounding of products with these forces may hide of the velocities: forces that are huge beside what they do hide much.
  double rounding = 0;  // m/s
  int constraint = -1;  // the one with the largest velocity; none: -1
};

/// Whether velocities are within the tolerance, as far as they can be seen.
inline bool is_within(const ContactResiduals& r, double tolerance) {
  return r.velocity <= tolerance && r.dual <= tolerance;
}

struct ContactCertificate : ContactResiduals {
  StopReason reason = StopReason::kNone;
  int iterations = 0;
  int dampings = 0;  // how often the operator was given another one
  /// kInfeasible: the constraint that contradicts `constraint` most; -1: that one cannot be met by itself.
  int against = -1;
  bool solved() const { return reason == StopReason::kSolved; }
};

/// Residuals of impulses λ and the velocities σ = Λ⁻¹λ + Rλ + g that they give. `mobility`: per row, what velocity a unit impulse
/// gives there.
ContactResiduals measure_residuals(std::span<const ForceBlock> blocks, const ContactProblem& problem,
                                   VectorView<const double> mobility, VectorView<const double> lambda,
                                   VectorView<const double> sigma);

/// σ += Rλ + g, where σ holds Λ⁻¹λ.
void add_free_velocity(const ContactProblem& problem, VectorView<const double> lambda, VectorView<double> sigma);

/// Memory for certify.
struct CertificateWork {
  void reserve(int constraints, int rows);
  std::vector<ForceBlock> blocks;
  std::vector<double> mobility, sigma;
};

/// Judges any forces, from any solver: one product, and the diagonal of Λ⁻¹ for the mobilities.
template <class Op>
requires DelassusOperator<Op, double> ContactResiduals certify(const Op& op, const ContactProblem& problem,
                                                               VectorView<const double> lambda, CertificateWork& work) {
  require_size("lambda", lambda.size(), problem.rows());
  list_force_blocks(problem, work.blocks);
  work.mobility.resize(static_cast<std::size_t>(problem.rows()));
  work.sigma.resize(static_cast<std::size_t>(problem.rows()));
  op.diagonal(work.mobility);
  for (int r = 0; r < problem.rows(); ++r) work.mobility[static_cast<std::size_t>(r)] += problem.compliance_of(r);
  op.apply(lambda, work.sigma);
  add_free_velocity(problem, lambda, work.sigma);
  return measure_residuals(work.blocks, problem, work.mobility, lambda, work.sigma);
}

}  // namespace delassus
