// The interior-point method where steps are hard: what the tests of all solvers (contact_step_test.cpp, property/contact_test.cpp,
// oracle/contact_test.cpp, contract/contact_test.cpp) do not ask.
#include "delassus/solvers/contact_interior_point.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <type_traits>
#include <utility>

#include "delassus/operators/any_delassus.hpp"
#include "delassus/operators/matrix_operator.hpp"
#include "delassus/solvers/admm.hpp"
#include "delassus/solvers/contact_newton.hpp"
#include "delassus/solvers/pgs.hpp"
#include "io/contact_file.hpp"
#include "model/splitmix.hpp"
#include "support/contact_solve.hpp"
#include "support/seeds.hpp"

namespace delassus::testing {
namespace {

using Vector = std::vector<double>;

/// Coulomb's law, judged by what forces do and not by the solver.
TEST(ContactInteriorPoint, RandomProblemsObeyCoulomb) {
  for_each_seed(0, 60, [](int seed) {
    const ContactCase c = random_contact_case(seed);
    for (const Algorithm algorithm : {Algorithm::kLtl, Algorithm::kCondensed}) {
      const ContactOutcome got = solve_contact(c, ContactSolver::kInteriorPoint, {.algorithm = algorithm});
      EXPECT_TRUE(got.status.ok());
      EXPECT_LE(got.certificate.iterations, 50);
      // Mobilities of a contact are their mean in the solver, and the largest one here: at most three times as much.
      const ContactResiduals law = certified(c, got.lambda);
      EXPECT_LE(law.velocity, 3e-8);
      EXPECT_LE(law.dual, 3e-8);
    }
  });
}

/// A block that is pushed and turned over and over: from its last forces it takes hardly more than from none, and less on the whole.
TEST(ContactInteriorPoint, StartsFromTheLastForces) {
  int cold = 0, warm = 0;
  Vector last;
  for (int k = 0; k < 20; ++k) {
    const double push = 0.02 * k;
    const ContactCase c = make_block({}, {0.1 * push, 0, push, push, 0.3 - push, 0}, ContactLaw::kCoulomb);
    const ContactOutcome from_none = solve_contact(c, ContactSolver::kInteriorPoint);
    const ContactOutcome from_last = solve_contact(c, ContactSolver::kInteriorPoint, {.start = last});
    EXPECT_TRUE(from_none.status.ok());
    EXPECT_TRUE(from_last.status.ok());
    EXPECT_LE(from_last.certificate.iterations, from_none.certificate.iterations + 10);
    cold += from_none.certificate.iterations;
    warm += from_last.certificate.iterations;
    last = from_last.lambda;
  }
  EXPECT_LT(warm, cold);
}

TEST(ContactInteriorPoint, NeedsNoStepsWithoutContact) {
  const ContactCase c = make_block({}, {0, 0, 0, 0, 0, 1}, ContactLaw::kCoulomb);
  const ContactOutcome got =
      solve_contact(c, ContactSolver::kInteriorPoint, {.start = Vector(static_cast<std::size_t>(c.m()), 0.5)});
  EXPECT_TRUE(got.status.ok());
  EXPECT_EQ(got.lambda, Vector(static_cast<std::size_t>(c.m())));
}

/// A body that five contacts hold in any directions: more rows than it has freedoms, and much friction.
struct HeldBody {
  static constexpr int kContacts = 5, kFreedoms = 6, kRows = 3 * kContacts;
  explicit HeldBody(int seed) : matrix(kRows * kRows), free_velocity(kRows) {
    SplitMix random(static_cast<std::uint64_t>(seed));
    const double mu = random.uniform(1, 3);
    for (int c = 0; c < kContacts; ++c) {
      RowSpan span{};
      span.first_row = 3 * c;
      span.rows = 3;
      spans.push_back(span);
      sets.push_back({.kind = SetKind::kFrictionCone, .mu = mu});
    }
    Vector J(kRows * kFreedoms), v(kFreedoms);
    for (double& x : J) x = random.uniform(-1, 1);
    for (double& x : v) x = random.uniform(-1, 1);
    for (std::size_t i = 0; i < kRows; ++i) {
      for (std::size_t k = 0; k < kFreedoms; ++k) {
        free_velocity[i] += J[i * kFreedoms + k] * v[k];
        for (std::size_t j = 0; j < kRows; ++j) matrix[i * kRows + j] += J[i * kFreedoms + k] * J[j * kFreedoms + k];
      }
    }
  }

  Vector matrix, free_velocity;
  std::vector<RowSpan> spans;
  std::vector<ForceSet> sets;
};

/// The central path folds back for five of these: they are solved on another one, whose products have other proportions.
TEST(ContactInteriorPoint, TakesAnotherPathWhereOneFolds) {
  int most = 0;
  for_each_seed(0, 200, [&](int seed) {
    const HeldBody body(seed);
    GivenDelassus<double> op(MatrixView<const double>(body.matrix.data(), HeldBody::kRows, HeldBody::kRows),
                             body.spans);
    const ContactProblem problem{body.spans, body.sets, body.free_velocity};
    ContactInteriorPoint solver({.tolerance = 1e-8, .relative_tolerance = 0, .iterations = 150});
    Vector lambda(HeldBody::kRows);
    EXPECT_TRUE(solver.solve(op, problem, lambda).ok());
    CertificateWork work;
    const ContactResiduals law = certify(op, problem, lambda, work);
    EXPECT_LE(std::max(law.velocity, law.dual), 3e-8);  // mobilities: as above
    most = std::max(most, solver.certificate().iterations);
  });
  EXPECT_GT(most, 45);  // the first path is left after as many
}

/// W = 1 and two contacts: the first sticks, the second slides off at the edge of the polar cone, where a derivative is that of the one side or the other.
/// Whatever the direction it slides in, forces are (1, -0.3, -0.1) and none.
template <class Solver>
void expect_solved_at_the_edge() {
  Vector matrix(36);
  for (std::size_t k = 0; k < 6; ++k) matrix[7 * k] = 1;
  const std::vector<RowSpan> spans{{0, 0, 3, 0, 0, 0, 0}, {0, 3, 3, 0, 0, 0, 0}};
  const std::vector<ForceSet> sets(2, {.kind = SetKind::kFrictionCone, .mu = 0.7});
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    const double c = std::cos(2 * M_PI * k / 300), s = std::sin(2 * M_PI * k / 300);
    const Vector q{-1, 0.3, 0.1, 0, c * 0.24978537 - s * 1.03145308, s * 0.24978537 + c * 1.03145308};
    GivenDelassus<double> op(MatrixView<const double>(matrix.data(), 6, 6), spans);
    std::remove_cvref_t<decltype(std::declval<Solver>().options())> options;
    options.tolerance = 1e-10;
    options.relative_tolerance = 0;
    Solver solver(options);
    Vector lambda(6);
    EXPECT_TRUE(solver.solve(op, {spans, sets, q}, lambda).ok());
    // Forces on unit masses are as far off as velocities, times some rows.
    for (const int r : {0, 1, 2})
      EXPECT_NEAR(lambda[static_cast<std::size_t>(r)], (Vector{1, -0.3, -0.1})[static_cast<std::size_t>(r)], 1e-9);
    for (const std::size_t r : {3U, 4U, 5U}) EXPECT_NEAR(lambda[r], 0, 1e-9);
  }
}

TEST(ContactInteriorPoint, SolvesAtTheEdgeOfThePolarCone) { expect_solved_at_the_edge<ContactInteriorPoint>(); }
TEST(ContactNewton, SolvesAtTheEdgeOfThePolarCone) { expect_solved_at_the_edge<ContactNewton>(); }
TEST(Admm, SolvesAtTheEdgeOfThePolarCone) { expect_solved_at_the_edge<Admm>(); }
TEST(Pgs, SolvesAtTheEdgeOfThePolarCone) { expect_solved_at_the_edge<Pgs>(); }

/// Steps that took other methods hundreds of iterations, and problems of Siconos, with so many rows.
void solve_problems_beside(int least_rows, int most_rows, int iterations, int most_failed, int least_solved) {
  const std::string folder = DELASSUS_SOURCE_DIR "/../shared/contact-problems";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "there is no " << folder;
  int failed = 0, solved = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".npz") continue;
    const io::StoredProblem stored = io::load_contact_problem(entry.path().string());
    if (stored.rows() < least_rows || stored.rows() > most_rows) continue;
    GivenDelassus<double> op(MatrixView<const double>(stored.matrix.data(), stored.rows(), stored.rows()),
                             stored.spans);
    ContactProblem problem{stored.spans, stored.sets, stored.free_velocity};
    problem.compliance = stored.compliance;
    problem.time_step = stored.time_step;
    double most = 0;
    for (const double g : stored.free_velocity) most = std::max(most, std::abs(g));
    // What these were captured to show, in metres per second or relative to the largest velocity.
    ContactInteriorPoint solver(
        {.tolerance = stored.has_units ? 1e-7 : 1e-8 * most, .relative_tolerance = 0, .iterations = iterations});
    Vector lambda(static_cast<std::size_t>(stored.rows()));
    const bool ok = solver.solve(op, problem, lambda).ok();
    CertificateWork work;
    const ContactResiduals law = certify(op, problem, lambda, work);
    EXPECT_LE(law.primal, 1e-10) << entry.path();  // rounding of projections
    if (ok) {
      EXPECT_LE(std::max(law.velocity, law.dual), 3 * solver.options().tolerance) << entry.path();
    }
    ++(ok ? solved : failed);
  }
  EXPECT_LE(failed, most_failed);
  EXPECT_GE(solved, least_solved);
}

/// The one that fails is a pile whose central path turns back: 4e-7 m/s.
TEST(ContactInteriorPoint, SolvesProblemsBesideTheRepository) { solve_problems_beside(0, 330, 40, 1, 51); }

/// Those of Siconos with more rows. The one that fails is a pile of rocks, RockPile_tob1: 6e-4 of its velocity.
TEST(LongContactInteriorPoint, SolvesLargeProblemsBesideTheRepository) {
  solve_problems_beside(331, 1 << 20, 60, 1, 5);
}

}  // namespace
}  // namespace delassus::testing
