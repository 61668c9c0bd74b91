// Contact problems the slow and sure way, in long double: nothing here shares code with the solvers.
//
// The convex problem  min ½ λᵀAλ + gᵀλ, λ in its sets  by a primal-dual interior-point method, which knows no projection; Coulomb's law
// as the fixed point of convex problems whose normal velocities are shifted by the sliding speeds of the last one.
#pragma once

#include <vector>

#include "delassus/constraints/rows.hpp"
#include "delassus/operators/oracle.hpp"

namespace delassus::testing {

struct ReferenceProblem {
  oracle::Matrix<long double> A;  // Λ⁻¹ + R
  std::vector<long double> g;
  std::vector<RowSpan> spans;
  std::vector<ForceSet> sets;
  long double time_step = 1;
  bool coulomb = true;
};

struct ReferenceSolution {
  std::vector<long double> lambda, sigma;
  int outer = 0;
};

// contact_reference.cpp.
ReferenceSolution solve_reference(const ReferenceProblem& problem);
/// Of the convex problem that is shifted by the sliding speeds of given velocities. Those of a solution are a fixed point: velocities obey
/// Coulomb's law if they come back, and whichever of several solutions they are of.
ReferenceSolution solve_shifted(const ReferenceProblem& problem, const std::vector<long double>& sigma);

// The law by itself: contact_law.cpp.

/// What the certificate of a solver says, from the words of its header: largest over all constraints.
struct ReferenceResiduals {
  long double primal = 0, dual = 0, complementarity = 0, force = 0, velocity = 0;
};
ReferenceResiduals reference_residuals(const ReferenceProblem& problem, const std::vector<long double>& mobility,
                                       const std::vector<long double>& lambda, const std::vector<long double>& sigma);
/// For the mobilities on the diagonal of A.
ReferenceResiduals reference_residuals(const ReferenceProblem& problem, const std::vector<long double>& lambda);

/// σ = A λ + g.
std::vector<long double> reference_velocity(const ReferenceProblem& problem, const std::vector<long double>& lambda);
/// ‖μ σ_t‖ of a contact.
long double reference_sliding(const RowSpan& span, const ForceSet& set, const std::vector<long double>& sigma);

/// The coefficients of a friction cone's rows but the first, as ForceSet says.
std::vector<long double> cone_coefficients(const ForceSet& set, int rows);

/// The point of {‖y_k / μ_k‖ <= y_0} with the least Σ w (y - x)²: bisection for the normal part, and for each of those bisection for the
/// tangential ones.
std::vector<long double> nearest_in_cone(const std::vector<long double>& mu, const std::vector<long double>& weights,
                                         const std::vector<long double>& x);

}  // namespace delassus::testing
