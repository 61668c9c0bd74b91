// Laws of contact problems that hold for any mechanism, any solver and any operator.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "delassus/operators/explicit_operator.hpp"
#include "solvers/row_mobility.hpp"
#include "support/contact_solve.hpp"
#include "support/seeds.hpp"

namespace delassus::testing {
namespace {

using Vector = std::vector<double>;

/// What solvers are asked for; what velocities may then differ by: other constraints on the same links answer with more.
constexpr double kAsked = 1e-10, kVelocity = 1e-8;

/// Relative to the largest free velocity, which limits that are far away make large.
double velocity_scale(const ContactCase& c) {
  double most = 1;
  for (const double g : c.free_velocity) most = std::max(most, std::abs(g));
  return most;
}

double largest_difference(const Vector& a, const Vector& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return a.size() == b.size() ? most : std::numeric_limits<double>::infinity();
}

TEST(ContactLaws, RandomProblemsHaveTheSolutionOfTheReference) {
  for_each_seed(0, 60, [](int seed) {
    const ContactCase c = random_contact_case(seed, ContactLaw::kConvex);
    const ReferenceProblem problem = c.reference();
    const ReferenceSolution want = solve_reference(problem);
    const double scale = velocity_scale(c);
    ASSERT_LT(reference_residuals(problem, want.lambda).velocity, 1e-12 * scale);
    for (const ContactSolver solver : kContactSolvers) {
      SCOPED_TRACE(name_of(solver));
      const ContactOutcome got = solve_contact(c, solver, {.tolerance = kAsked * scale, .iterations = 20000});
      EXPECT_TRUE(got.status.ok());
      EXPECT_LT(largest_difference(got.sigma, converted<double>(want.sigma)), kVelocity * scale);
    }
  });
}

/// Whichever solution of Coulomb's law it is; forces do no work on the velocities that they leave behind, but for what friction takes.
TEST(ContactLaws, RandomProblemsObeyCoulomb) {
  for_each_seed(0, 60, [](int seed) {
    const ContactCase c = random_contact_case(seed);
    const double scale = velocity_scale(c);
    const ContactOutcome got =
        solve_contact(c, ContactSolver::kAdmm, {.tolerance = kAsked * scale, .iterations = 20000});
    EXPECT_TRUE(got.status.ok());
    const ReferenceResiduals residuals = reference_residuals(c.reference(), converted<long double>(got.lambda));
    // Mobilities are a mean in the solver: contacts that yield much less than others count for less there.
    EXPECT_LT(residuals.velocity, kVelocity * scale);
    double work = 0, impulse = 0;
    for (std::size_t r = 0; r < got.lambda.size(); ++r) {
      work += got.lambda[r] * got.sigma[r];
      impulse += std::abs(got.lambda[r]);
    }
    EXPECT_LT(work, kVelocity * scale * impulse + 1e-12);
  });
}

/// The same solver on every operator. Of the convex law, where velocities are unique.
TEST(ContactLaws, EveryOperatorGivesTheSameVelocities) {
  for (const char* name : {"go2 fallen", "everything", "g1 standing", "two boxes", "rolling", "compliant"}) {
    const ContactCase c = make_contact_case(name, ContactLaw::kConvex);
    for (const ContactSolver solver : kContactSolvers) {
      SolveOptions options{.tolerance = kAsked, .iterations = 20000};
      const ContactOutcome want = solve_contact(c, solver, options);
      for (const Algorithm algorithm : kDirectAlgorithms) {
        SCOPED_TRACE(std::string(name) + ", " + name_of(solver) + ", " + std::string(delassus::name_of(algorithm)));
        options.algorithm = algorithm;
        const ContactOutcome got = solve_contact(c, solver, options);
        EXPECT_TRUE(got.status.ok());
        EXPECT_LT(largest_difference(got.sigma, want.sigma), kVelocity);
      }
    }
  }
}

/// Coulomb's law on the operators that simulations use.
TEST(ContactLaws, OperatorsAgreeOnCoulombsLaw) {
  for (const char* name : {"go2 standing", "cassie", "torsional", "1000 kg on 1 kg"}) {
    const ContactCase c = make_contact_case(name);
    const ContactOutcome want = solve_contact(c, ContactSolver::kPgs, {.tolerance = kAsked});
    for (const Algorithm algorithm : kDirectAlgorithms) {
      SCOPED_TRACE(std::string(name) + ", " + std::string(delassus::name_of(algorithm)));
      const ContactOutcome got = solve_contact(c, ContactSolver::kAdmm, {.algorithm = algorithm, .tolerance = kAsked});
      EXPECT_TRUE(got.status.ok());
      EXPECT_LT(largest_difference(got.sigma, want.sigma), kVelocity);
    }
  }
}

/// The interior-point method with Coulomb's law, whose dampings are not symmetric, on every operator: one path, so that all follow it to one solution.
TEST(ContactLaws, TheInteriorPointMethodSolvesCoulombsLawOnEveryOperator) {
  for (const char* name : {"go2 fallen", "go2 standing", "everything", "g1 standing", "cassie", "two boxes",
                           "torsional", "rolling", "compliant"}) {
    const ContactCase c = make_contact_case(name);
    SolveOptions options{.tolerance = kAsked};
    const ContactOutcome want = solve_contact(c, ContactSolver::kInteriorPoint, options);
    for (const Algorithm algorithm : kDirectAlgorithms) {
      SCOPED_TRACE(std::string(name) + ", " + std::string(delassus::name_of(algorithm)));
      options.algorithm = algorithm;
      const ContactOutcome got = solve_contact(c, ContactSolver::kInteriorPoint, options);
      EXPECT_TRUE(got.status.ok());
      EXPECT_LE(certified(c, got.lambda).worst(), kVelocity);
      // Coulomb's law does not fix velocities as the convex law does: those of boxes that slide on all of their corners differ by 3e-7 m/s between operators,
      // each within the tolerance of the law.
      if (name == std::string("two boxes")) continue;
      EXPECT_LT(largest_difference(got.sigma, want.sigma), kVelocity);
    }
  }
}

/// Cones have no size: faster by a factor is the same, times the factor.
TEST(ContactLaws, ConesScale) {
  for (const ContactLaw law : {ContactLaw::kCoulomb, ContactLaw::kConvex}) {
    for (const char* name : {"go2 standing", "anisotropic", "rolling", "deep"}) {
      SCOPED_TRACE(name);
      ContactCase c = make_contact_case(name, law);
      const ContactOutcome one = solve_contact(c, ContactSolver::kAdmm, {.tolerance = kAsked});
      for (double& g : c.free_velocity) g *= 1000;
      ContactOutcome many = solve_contact(c, ContactSolver::kAdmm, {.tolerance = 1000 * kAsked});
      for (double& sigma : many.sigma) sigma /= 1000;
      EXPECT_LT(largest_difference(many.sigma, one.sigma), kVelocity);
    }
  }
}

/// The order of constraints is that of rows, and nothing else.
TEST(ContactLaws, OrderDoesNotMatter) {
  for_each_seed(0, 30, [](int seed) {
    const ContactCase c = random_contact_case(seed, ContactLaw::kConvex);
    ContactCase turned = c;
    std::reverse(turned.constraints.begin(), turned.constraints.end());
    lower_structure(turned.model, turned.constraints, turned.rows);
    ASSERT_TRUE(lower_values<double>(turned.model, turned.kin, turned.constraints, turned.rows).ok());
    const std::size_t count = c.constraints.size();
    std::vector<std::size_t> row_of;  // of c, for rows of the turned one
    for (std::size_t i = 0; i < count; ++i) {
      const RowSpan& span = c.rows.spans[count - 1 - i];
      for (int k = 0; k < span.rows; ++k) row_of.push_back(static_cast<std::size_t>(span.first_row + k));
    }
    for (std::size_t r = 0; r < row_of.size(); ++r) {
      turned.free_velocity[r] = c.free_velocity[row_of[r]];
      if (!c.compliance.empty()) turned.compliance[r] = c.compliance[row_of[r]];
    }
    const SolveOptions options{.tolerance = kAsked * velocity_scale(c), .iterations = 20000};
    const ContactOutcome want = solve_contact(c, ContactSolver::kAdmm, options);
    const ContactOutcome got = solve_contact(turned, ContactSolver::kAdmm, options);
    for (std::size_t r = 0; r < row_of.size(); ++r) {
      EXPECT_NEAR(got.sigma[r], want.sigma[row_of[r]], kVelocity * velocity_scale(c));
    }
  });
}

/// Rows of joints have the entry of the diagonal; contacts a mean that is near theirs, whatever joints beside them do.
TEST(ContactLaws, MobilitiesAreThoseOfTheDiagonal) {
  std::vector<ContactCase> cases;
  for (const std::string& name : contact_case_names()) cases.push_back(make_contact_case(name));
  for (int seed = 0; seed < 60; ++seed) cases.push_back(random_contact_case(seed));
  for (std::size_t n = 0; n < cases.size(); ++n) {
    SCOPED_TRACE(n);
    const ContactCase& c = cases[n];
    if (c.m() == 0) continue;
    LtlDelassus<double> op(c.model, c.rows);
    ASSERT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
    RowMobility mobility;
    mobility.find(op, c.problem());
    double got[2] = {}, want[2] = {};  // translations and rotations of contacts
    for (std::size_t i = 0; i < c.rows.spans.size(); ++i) {
      for (int k = 0; k < c.rows.spans[i].rows; ++k) {
        const int r = c.rows.spans[i].first_row + k;
        const double R = c.problem().compliance_of(r), found = mobility.mobility()[static_cast<std::size_t>(r)];
        const auto entry = static_cast<double>(c.matrix(r, r));
        if (c.rows.sets[i].kind == SetKind::kFrictionCone) {
          got[k < 3 ? 0 : 1] += found - R;
          want[k < 3 ? 0 : 1] += entry;
        } else {
          // Nothing counts as less than a millionth of the mean.
          EXPECT_NEAR(found, std::max(entry, 1e-6 * mobility.scale()) + R, 1e-10 * (entry + R));
        }
      }
    }
    // Rows that share a pattern of signs disturb each other; only up to four do not.
    for (const int k : {0, 1}) {
      EXPECT_LE(got[k], 2 * want[k]);
      EXPECT_GE(got[k], want[k] / 2);
    }
  }
}

}  // namespace
}  // namespace delassus::testing
