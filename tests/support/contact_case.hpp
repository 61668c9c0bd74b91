// A mechanism over one time step of contact: the problem that solvers get, and the same for the reference.
#pragma once

#include <string>
#include <vector>

#include "delassus/solvers/contact_problem.hpp"
#include "support/contact_reference.hpp"
#include "support/oracle_case.hpp"

namespace delassus::testing {

inline constexpr double kContactStep = 2e-3;  // seconds

struct ContactCase : OracleCase<double> {
  /// g = J (v + dt M⁻¹ (τ - h)), and room / dt for limits.
  ContactCase(const Model& m, std::vector<Constraint> list, const samples::State& s,
              ContactLaw law = ContactLaw::kCoulomb);

  ContactProblem problem() const;
  ReferenceProblem reference() const;
  /// Jᵀλ: what of the forces is felt.
  std::vector<long double> felt(const std::vector<double>& lambda) const;
  std::vector<long double> felt(const std::vector<long double>& lambda) const;

  ContactLaw law;
  std::vector<double> free_velocity;  // g
  std::vector<double> compliance;     // empty: rigid
};

/// Problems of every kind, by name.
const std::vector<std::string>& contact_case_names();
ContactCase make_contact_case(const std::string& name, ContactLaw law = ContactLaw::kCoulomb);

/// A random mechanism with one to three contacts and some of: a loop, limits, friction of joints.
ContactCase random_contact_case(int seed, ContactLaw law = ContactLaw::kCoulomb);

/// A cube of that mass and half a metre on the floor, on contacts at its four lower corners.
struct BlockOptions {
  double mass = 2;
  ForceSet set{SetKind::kFrictionCone, 0, 0.5};
  ContactKind kind = ContactKind::kSliding;
  bool corners = true;  // else one contact below the centre
  double below = 0.25;  // how far; 0: at the centre, so that what turns does not slide
};
/// Velocity: angular, then linear, as free joints have it.
ContactCase make_block(const BlockOptions& options, const std::vector<double>& velocity, ContactLaw law);

}  // namespace delassus::testing
