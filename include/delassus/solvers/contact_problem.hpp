// Contacts, limits, friction and loops over one time step as one problem:
//
//   find impulses λ, each in its set K, such that the velocities after the step
//
//     σ = Λ⁻¹ λ + R λ + g
//
//   are what its law says: an equality has σ = 0; a limit 0 <= λ ⊥ σ >= 0; dry friction of a joint as much as it takes, within its
//   bound, against the motion; a contact with friction K ∋ λ ⊥ σ + Γ(σ) ∈ K*.
//
// K = {‖λ_t / μ‖ <= λ_n} is the cone of friction, with a coefficient of its own for each row but the normal one, which comes
// first; K* = {‖μ σ_t‖ <= σ_n} is its dual; Γ(σ) = (‖μ σ_t‖, 0, ...) is the shift of de Saxcé and Feng, "The bipotential method", 1998. With
// it the law is Coulomb's: no normal velocity while a contact slides, and friction against the sliding. Without it the problem is convex,
// and sliding bodies lift off by ‖μ σ_t‖ (docs/algorithms/contact.md). A ContactCertificate says how good a solution is.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "delassus/constraints/rows.hpp"
#include "delassus/math/error.hpp"
#include "delassus/math/view.hpp"
#include "delassus/operators/delassus_operator.hpp"

namespace delassus {

/// Rows to which a unit impulse gives less than this, in metres per second, count as rows that nothing moves: where directions are rounded,
/// what is at right angles to all motion yields as much.
inline constexpr double kImmovable = 1e-28;

enum class ContactLaw : std::uint8_t {
  kCoulomb,  // with Γ: a nonlinear complementarity problem
  kConvex,   // without Γ: a cone program
};

/// What to solve, beside Λ⁻¹. A view: what it shows has to live as long as the call.
struct ContactProblem {
  std::span<const RowSpan> spans;          // of ConstraintRows
  std::span<const ForceSet> sets;          // one per constraint
  VectorView<const double> free_velocity;  // g: row velocities without λ, and what they are asked to be beside
  VectorView<const double> compliance{nullptr, 0};  // R: metres per second that a unit impulse gives way; empty: rigid
  ContactLaw law = ContactLaw::kCoulomb;
  /// Bounds of friction are forces, and λ is an impulse: force times this. One, if λ is a force and σ an acceleration.
  double time_step = 1;

  int rows() const { return free_velocity.size(); }
  double compliance_of(int row) const { return compliance.size() > 0 ? compliance[row] : 0.0; }
};

/// One constraint as solvers see it.
struct ForceBlock {
  int row = 0, rows = 0;
  SetKind kind = SetKind::kEquality;
  double bound = 0;            // of a box, as an impulse
  std::array<double, 5> mu{};  // of a cone: coefficient of each row but the first
  bool operator==(const ForceBlock&) const = default;
};

/// The blocks of a problem, in order. Throws an Error that names the constraint if sizes, coefficients, bounds or compliances make
/// no sense. Allocates only beyond the memory that `blocks` has.
void list_force_blocks(const ContactProblem& problem, std::vector<ForceBlock>& blocks);
/// Throws the same Error. Solvers only say kBadArgument: they run in loops.
void require_valid(const ContactProblem& problem);

/// `most` is the largest free velocity that forces are needed against: what parts by itself does not count, however far away it is. kNotFinite
/// names the row whose free velocity or force is no number.
Status measure_free_velocity(const ContactProblem& problem, std::span<const ForceBlock> blocks,
                             VectorView<const double> lambda, double& most);

/// ‖μ σ_t‖: how fast a contact slides, weighted by its coefficients.
double sliding_speed(const ForceBlock& block, const double* velocity);

/// y = the point of the set that is nearest to x in the metric of `weights` (positive, one per row): closed form where
/// coefficients are alike in that metric, else the root of one monotone function. x and y point at the block's first row, and may be
/// the same.
void project(const ForceBlock& block, const double* weights, const double* x, double* y);

/// The derivative P of that projection at x, symmetric in rows that are scaled by the roots of their weights: there P lies between 0 and
/// 1. rows × rows, by rows. At edges, where there is no derivative, that of one side.
void projection_derivative(const ForceBlock& block, const double* weights, const double* x, double* derivative);

/// What one solve may take, beside the options of its solver. It ends with the best that it has. With a time, results depend on the machine.
struct SolveBudget {
  int iterations = std::numeric_limits<int>::max();
  double seconds = std::numeric_limits<double>::infinity();
};

/// How a solver ended.
enum class StopReason : std::uint8_t {
  kNone,        // nothing was solved
  kSolved,      // residuals are within tolerance
  kIterations,  // they ran out, or would have
  kTime,        // that of the budget ran out
  kStalled,     // rounding leaves no more progress
  kFailed,      // the operator could not be damped, or a number is not finite
  kInfeasible,  // no forces give what is asked: nothing can move what approaches, or constraints contradict each other
};

/// "solved", "iterations ran out", ...
std::string_view name_of(StopReason reason);

/// How good a solution is, in physical units, by what the forces do and not by what a solver believes: largest over all constraints.
/// With a time step of one, impulses are forces and velocities accelerations.
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
  /// The one number that is compared with tolerances, in m/s: the larger one of `velocity` and `dual`; NaN where one of them is.
  double worst() const { return dual > velocity || dual != dual ? dual : velocity; }
};

/// Whether velocities are within the tolerance, as far as they can be seen.
inline bool is_within(const ContactResiduals& r, double tolerance) { return r.worst() <= tolerance; }

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
