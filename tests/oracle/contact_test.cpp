// Solvers of contact problems against a reference in long double that shares no code with them: an interior-point method, and the law
// from its own words (support/contact_reference.hpp).
#include <gtest/gtest.h>

#include "support/contact_solve.hpp"

namespace delassus::testing {
namespace {

using Exactly = std::vector<long double>;

/// What solvers are asked for, and what velocities may then be off by. A residual of the law is a velocity of one constraint; others that
/// hang on the same links answer it with more where those are light: up to 60 times in these problems.
constexpr double kAsked = 1e-10, kVelocity = 1e-8;
/// The reference ends at rounding of long double times the condition of the problem.
constexpr long double kReference = 1e-12L;

double largest_difference(const Exactly& a, const Exactly& b) {
  long double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return a.size() == b.size() ? static_cast<double>(most) : std::numeric_limits<double>::infinity();
}

/// M⁻¹Jᵀ of the difference: how much joint velocities differ. That is unique, forces are so but for redundancy.
double felt_difference(const ContactCase& c, const std::vector<double>& lambda, const Exactly& want) {
  Exactly difference = want;
  for (std::size_t r = 0; r < want.size(); ++r) difference[r] -= lambda[r];
  const Exact motion = oracle::solve_positive(c.M, column_of(c.felt(difference)));
  return largest_difference(motion.entries(), Exactly(motion.entries().size(), 0));
}

template <class Check>
void for_each_case(ContactLaw law, Check&& check) {
  for (const std::string& name : contact_case_names()) {
    SCOPED_TRACE(name);
    check(make_contact_case(name, law));
  }
}

TEST(ContactOracle, ConvexSolutionsAreThoseOfTheReference) {
  for_each_case(ContactLaw::kConvex, [](const ContactCase& c) {
    const ReferenceProblem problem = c.reference();
    const ReferenceSolution want = solve_reference(problem);
    ASSERT_LT(reference_residuals(problem, want.lambda).velocity, kReference);
    for (const ContactSolver solver : kContactSolvers) {
      SCOPED_TRACE(name_of(solver));
      const ContactOutcome got = solve_contact(c, solver, {.tolerance = kAsked, .iterations = 20000});
      EXPECT_TRUE(got.status.ok());
      EXPECT_TRUE(got.certificate.solved());
      EXPECT_LT(largest_difference(converted<long double>(got.sigma), want.sigma), kVelocity);
      EXPECT_LT(felt_difference(c, got.lambda, want.lambda), kVelocity);
    }
  });
}

/// Coulomb's law may have several solutions, of which solvers find one or the other. Each is the solution of the convex problem that its own
/// sliding speeds shift, and that has but one.
TEST(ContactOracle, CoulombSolutionsAreThoseOfTheReference) {
  for_each_case(ContactLaw::kCoulomb, [](const ContactCase& c) {
    const ReferenceProblem problem = c.reference();
    for (const ContactSolver solver : kContactSolvers) {
      SCOPED_TRACE(name_of(solver));
      const ContactOutcome got = solve_contact(c, solver, {.tolerance = kAsked, .iterations = 20000});
      EXPECT_TRUE(got.status.ok());
      const ReferenceSolution want = solve_shifted(problem, converted<long double>(got.sigma));
      EXPECT_LT(largest_difference(converted<long double>(got.sigma), want.sigma), kVelocity);
      EXPECT_LT(felt_difference(c, got.lambda, want.lambda), kVelocity);
      // Asked for 1e-10 in the solver's own measure, which takes the mean mobility of contacts for each of them.
      EXPECT_LT(reference_residuals(problem, converted<long double>(got.lambda)).velocity, 1e-8);
    }
  });
}

/// Where the fixed point of the reference is reached from rest, solvers that start there too end at the same.
TEST(ContactOracle, OneSolutionIsFoundByAll) {
  for (const char* name : {"go2 standing", "cassie", "torsional", "rolling", "anisotropic", "1000 kg on 1 kg"}) {
    SCOPED_TRACE(name);
    const ContactCase c = make_contact_case(name, ContactLaw::kCoulomb);
    const ReferenceSolution want = solve_reference(c.reference());
    ASSERT_LT(reference_residuals(c.reference(), want.lambda).velocity, kReference);
    for (const ContactSolver solver : kContactSolvers) {
      SCOPED_TRACE(name_of(solver));
      const ContactOutcome got = solve_contact(c, solver, {.tolerance = kAsked, .iterations = 20000});
      EXPECT_LT(largest_difference(converted<long double>(got.sigma), want.sigma), kVelocity);
    }
  }
}

/// With the default options.
TEST(ContactOracle, DefaultsLeaveLessThanTheyPromise) {
  for (const ContactLaw law : {ContactLaw::kCoulomb, ContactLaw::kConvex}) {
    for_each_case(law, [](const ContactCase& c) {
      const ContactOutcome got = solve_contact(c, ContactSolver::kAdmm);
      EXPECT_TRUE(got.status.ok());
      EXPECT_LE(got.certificate.velocity, 1e-8);
      // Mobilities of contacts are a mean in the solver and their own here; residuals differ by up to a fifth for that.
      EXPECT_LE(reference_residuals(c.reference(), converted<long double>(got.lambda)).velocity, 1.5e-8);
    });
  }
}

void expect_same(const ContactResiduals& got, const ReferenceResiduals& want) {
  // Sums of at most six products of numbers up to 1e3, in double.
  constexpr double kRounding = 1e-12;
  EXPECT_NEAR(got.primal, static_cast<double>(want.primal), kRounding * (1 + got.primal));
  EXPECT_NEAR(got.dual, static_cast<double>(want.dual), kRounding * (1 + got.dual));
  EXPECT_NEAR(got.complementarity, static_cast<double>(want.complementarity), kRounding * (1 + got.complementarity));
  EXPECT_NEAR(got.force, static_cast<double>(want.force), kRounding * (1 + got.force));
  EXPECT_NEAR(got.velocity, static_cast<double>(want.velocity), kRounding * (1 + got.velocity));
}

/// For forces that are no solution at all.
TEST(ContactOracle, CertificatesSayWhatTheReferenceSays) {
  for (const ContactLaw law : {ContactLaw::kCoulomb, ContactLaw::kConvex}) {
    for_each_case(law, [](const ContactCase& c) {
      for (int stream = 0; stream < 5; ++stream) {
        std::vector<double> lambda = c.random_vector(c.m(), stream);
        // Rows without friction bear nothing; what the certificate says of forces there is infinite.
        for (std::size_t i = 0; i < c.rows.spans.size(); ++i) {
          if (c.rows.sets[i].kind != SetKind::kFrictionCone) continue;
          const RowSpan& span = c.rows.spans[i];
          const Exactly mu = cone_coefficients(c.rows.sets[i], span.rows);
          for (std::size_t k = 0; k < mu.size(); ++k) {
            if (mu[k] == 0) lambda[static_cast<std::size_t>(span.first_row) + 1 + k] = 0;
          }
        }
        expect_same(certified(c, lambda), reference_residuals(c.reference(), converted<long double>(lambda)));
      }
    });
  }
}

}  // namespace
}  // namespace delassus::testing
