// One call for each solver of contact problems on each operator: tests of all of them compile but once.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "delassus/operators/algorithm.hpp"
#include "delassus/solvers/contact_problem.hpp"
#include "support/contact_case.hpp"

namespace delassus::testing {

enum class ContactSolver : std::uint8_t { kAdmm, kNewton, kPgs, kInteriorPoint };
inline constexpr std::array kContactSolvers{ContactSolver::kAdmm, ContactSolver::kNewton, ContactSolver::kPgs,
                                            ContactSolver::kInteriorPoint};
std::string name_of(ContactSolver solver);

struct ContactOutcome {
  Status status;
  ContactCertificate certificate;
  std::vector<double> lambda, sigma;
};

struct SolveOptions {
  Algorithm algorithm = Algorithm::kLtl;
  double tolerance = 1e-8;
  int iterations = 0;           // zero: the solver's own number
  std::vector<double> start{};  // empty: zero
};

/// The relative tolerance is zero.
ContactOutcome solve_contact(const ContactCase& c, ContactSolver solver, const SolveOptions& options = {});

/// The largest velocity residual of the forces, by the certificate and with the diagonal of Λ⁻¹.
ContactResiduals certified(const ContactCase& c, const std::vector<double>& lambda);

}  // namespace delassus::testing
