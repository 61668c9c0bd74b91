// What solvers of contact problems promise: no memory in a loop, the same bits, forces in their sets whatever happens, and no silence
// about a solve that failed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "delassus/operators/condensed.hpp"
#include "delassus/operators/explicit_operator.hpp"
#include "delassus/solvers/admm.hpp"
#include "delassus/solvers/contact_interior_point.hpp"
#include "delassus/solvers/contact_newton.hpp"
#include "delassus/solvers/pgs.hpp"
#include "support/allocation_count.hpp"
#include "support/contact_case.hpp"
#include "support/given_matrix.hpp"

namespace delassus::testing {
namespace {

using Vector = std::vector<double>;
using Code = Status::Code;

/// Problems with all that a solver can meet: sets of every kind, weights that differ, rows of rotation, compliance.
constexpr const char* kProblems[] = {"go2 fallen", "everything", "rolling", "compliant", "anisotropic"};

template <class Op>
Op factored(const ContactCase& c) {
  Op op(c.model, c.rows);
  EXPECT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
  return op;
}

/// Of Admm, ContactNewton, Pgs, ContactInteriorPoint.
template <class Solver>
class ContactSolvers : public ::testing::Test {
 protected:
  /// λ from zero, or from `start`.
  Status solve(const ContactCase& c, Solver& solver, Vector& lambda) {
    auto op = factored<LtlDelassus<double>>(c);
    lambda.resize(static_cast<std::size_t>(c.m()));
    return solver.solve(op, c.problem(), lambda);
  }
};
TYPED_TEST_SUITE(ContactSolvers, decltype(::testing::Types<Admm, ContactNewton, Pgs, ContactInteriorPoint>()));

template <class Op, class Solver>
void expect_no_allocations(const ContactCase& c) {
  auto op = factored<Op>(c);
  Solver solver;
  solver.reserve(static_cast<int>(c.constraints.size()), c.m());
  Vector lambda(static_cast<std::size_t>(c.m()));
  // An operator without reserved memory plans the elimination of unsymmetric blocks when it first meets some.
  if constexpr (std::is_same_v<Solver, ContactInteriorPoint>) {
    Vector first = lambda;
    (void)Solver().solve(op, c.problem(), first);
  }
  EXPECT_EQ(allocations_of([&] { (void)solver.solve(op, c.problem(), lambda); }), 0);
  EXPECT_GT(solver.certificate().iterations, 0);
}

TYPED_TEST(ContactSolvers, SolvesAllocateNothing) {
  for (const char* name : kProblems) {
    SCOPED_TRACE(name);
    const ContactCase c = make_contact_case(name);
    expect_no_allocations<LtlDelassus<double>, TypeParam>(c);
    expect_no_allocations<CondensedDelassus<double>, TypeParam>(c);
  }
}

TYPED_TEST(ContactSolvers, UsedSolversGiveTheSameBits) {
  TypeParam used;
  Vector first, other, again;
  const ContactCase c = make_contact_case("everything");
  const Status status = this->solve(c, used, first);
  const ContactCertificate certificate = used.certificate();
  (void)this->solve(make_contact_case("go2 fallen"), used, other);
  if constexpr (std::is_same_v<TypeParam, Admm>) used.set_penalty(0);
  EXPECT_EQ(this->solve(c, used, again), status);
  EXPECT_EQ(again, first);
  EXPECT_EQ(used.certificate().iterations, certificate.iterations);
  EXPECT_EQ(used.certificate().velocity, certificate.velocity);
}

TYPED_TEST(ContactSolvers, SolutionsAreRecognised) {
  for (const char* name : kProblems) {
    SCOPED_TRACE(name);
    const ContactCase c = make_contact_case(name, ContactLaw::kConvex);
    TypeParam solver;
    Vector lambda;
    ASSERT_TRUE(this->solve(c, solver, lambda).ok());
    EXPECT_GT(solver.certificate().iterations, 0);
    const Vector solution = lambda;
    ASSERT_TRUE(this->solve(c, solver, lambda).ok());
    EXPECT_EQ(solver.certificate().iterations, 0);
    EXPECT_EQ(solver.certificate().dampings, 0);
    // Forces on a surface may move by rounding when they are projected onto it.
    for (std::size_t r = 0; r < lambda.size(); ++r)
      EXPECT_NEAR(lambda[r], solution[r], 1e-14 * (1 + std::abs(lambda[r])));
  }
}

/// What one solve may take, beside the options: where it ends is judged, and forces are possible ones.
TYPED_TEST(ContactSolvers, BudgetsAreKept) {
  const ContactCase c = make_contact_case("go2 fallen");
  auto op = factored<LtlDelassus<double>>(c);
  CertificateWork work;
  const auto expect_end = [&](const SolveBudget& budget, StopReason reason, int most) {
    TypeParam solver;
    Vector lambda(static_cast<std::size_t>(c.m()));
    EXPECT_EQ(solver.solve(op, c.problem(), lambda, budget).code, Status::Code::kNotConverged);
    EXPECT_EQ(solver.certificate().reason, reason) << name_of(solver.certificate().reason);
    EXPECT_LE(solver.certificate().iterations, most);
    const ContactResiduals found = certify(op, c.problem(), lambda, work);
    EXPECT_GT(found.velocity, solver.options().tolerance);
    // On the surface of their cone they are outside by the rounding of their projection and of what measures it: norms, scales, quotients, eight
    // operations, of the largest impulse.
    double largest = 0;
    for (const double impulse : lambda) largest = std::max(largest, std::abs(impulse));
    EXPECT_LE(found.primal * kContactStep, 8 * std::numeric_limits<double>::epsilon() * largest);
  };
  expect_end({.iterations = 2}, StopReason::kIterations, 2);
  expect_end({.seconds = 0}, StopReason::kTime, 0);
}

/// A solve that ran out of iterations says so twice, says how bad it is, and leaves forces that are possible.
TYPED_TEST(ContactSolvers, UnfinishedSolvesSaySo) {
  auto options = TypeParam().options();
  options.iterations = 1;
  for (const char* name : kProblems) {
    SCOPED_TRACE(name);
    const ContactCase c = make_contact_case(name);
    TypeParam solver(options);
    Vector lambda;
    const Status status = this->solve(c, solver, lambda);
    const ContactCertificate& got = solver.certificate();
    EXPECT_EQ(status.code, Code::kNotConverged);
    EXPECT_EQ(got.reason, StopReason::kIterations);
    EXPECT_FALSE(got.solved());
    EXPECT_EQ(got.iterations, 1);
    ASSERT_GE(got.constraint, 0);
    EXPECT_EQ(status.index, c.rows.spans[static_cast<std::size_t>(got.constraint)].first_row);
    EXPECT_GT(got.velocity, options.tolerance);
    const ReferenceResiduals want = reference_residuals(c.reference(), converted<long double>(lambda));
    EXPECT_LT(want.primal * kContactStep, 1e-12);  // rounding of impulses up to 100 N s
    // What the certificate says of these forces is what they do; its contacts have a mean mobility.
    EXPECT_NEAR(got.dual, static_cast<double>(want.dual), 1e-9 * (1 + got.dual));
    EXPECT_GT(want.velocity, options.tolerance);
  }
}

TYPED_TEST(ContactSolvers, NumbersThatAreNoneAreNamed) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    ContactCase c = make_contact_case("go2 standing");
    TypeParam solver;
    Vector lambda(static_cast<std::size_t>(c.m()), 0.5);
    lambda[4] = bad;
    EXPECT_EQ(this->solve(c, solver, lambda), (Status{Code::kNotFinite, 4}));
    EXPECT_EQ(solver.certificate().reason, StopReason::kFailed);
    lambda[4] = 0.5;
    const Vector before = lambda;
    c.free_velocity[7] = bad;
    EXPECT_EQ(this->solve(c, solver, lambda), (Status{Code::kNotFinite, 7}));
    EXPECT_EQ(solver.certificate().reason, StopReason::kFailed);
    EXPECT_FALSE(solver.certificate().solved());
    EXPECT_EQ(lambda, before);
  }
}

TYPED_TEST(ContactSolvers, SizesAreChecked) {
  const ContactCase c = make_contact_case("go2 standing"), other = make_contact_case("g1 standing");
  TypeParam solver;
  auto op = factored<LtlDelassus<double>>(c);
  Vector short_lambda(5), lambda(static_cast<std::size_t>(other.m()));
  EXPECT_EQ(solver.solve(op, c.problem(), short_lambda).code, Status::Code::kBadArgument);
  EXPECT_EQ(solver.solve(op, other.problem(), lambda).code, Status::Code::kBadArgument);
}

template <class Make>
std::string error_of(Make&& make) {
  try {
    make();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TYPED_TEST(ContactSolvers, OptionsWithoutSenseAreNamed) {
  using Options = std::remove_cvref_t<decltype(TypeParam().options())>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto message = [](auto change) {
    Options options;
    change(options);
    return error_of([&] { TypeParam solver(options); });
  };
  for (const double bad : {-1.0, 0.0, nan}) {
    EXPECT_NE(message([&](Options& o) { o.tolerance = bad; }).find("'tolerance'"), std::string::npos);
  }
  for (const double bad : {-1.0, nan}) {
    EXPECT_NE(message([&](Options& o) { o.relative_tolerance = bad; }).find("'relative_tolerance'"), std::string::npos);
  }
  for (const int bad : {0, -1}) {
    EXPECT_NE(message([&](Options& o) { o.iterations = bad; }).find("'iterations'"), std::string::npos);
  }
  if constexpr (requires(Options o) { o.relaxation; }) {
    for (const double bad : {0.0, 2.0, nan}) {
      EXPECT_NE(message([&](Options& o) { o.relaxation = bad; }).find("'relaxation'"), std::string::npos);
    }
  }
  if constexpr (std::is_same_v<TypeParam, Admm>) {
    for (const double bad : {-1.0, nan, std::numeric_limits<double>::infinity()}) {
      EXPECT_NE(message([&](Options& o) { o.penalty = bad; }).find("'penalty'"), std::string::npos);
    }
    for (const int bad : {-1, 51}) {
      EXPECT_NE(message([&](Options& o) { o.memory = bad; }).find("'memory'"), std::string::npos);
    }
  }
  if constexpr (std::is_same_v<TypeParam, ContactNewton>) {
    for (const double bad : {-1.0, 0.0, nan}) {
      EXPECT_NE(message([&](Options& o) { o.proximal = bad; }).find("'proximal'"), std::string::npos);
      EXPECT_NE(message([&](Options& o) { o.least_proximal = bad; }).find("'least_proximal'"), std::string::npos);
    }
  }
}

/// An operator that counts what is asked of it. There is nothing else to ask it for: no solver goes back to the kinematics.
class Counting {
 public:
  explicit Counting(const ContactCase& c) : op_(factored<LtlDelassus<double>>(c)) {}

  int rows() const { return op_.rows(); }
  void apply(In<double> x, Out<double> y) const { op_.apply(x, y); }
  void apply_panel(MatrixIn<double> x, MatrixOut<double> y) const { op_.apply_panel(x, y); }
  void joint_response(In<double> x, Out<double> y) const { op_.joint_response(x, y); }
  Status update_damping(const Damping<double>& damping) {
    ++dampings;
    return failing ? Status{Code::kNotPositive, 2} : op_.update_damping(damping);
  }
  Status solve(In<double> b, Out<double> z) const {
    ++solves;
    return op_.solve(b, z);
  }
  Status solve_panel(MatrixIn<double> b, MatrixOut<double> z) const { return op_.solve_panel(b, z); }
  void dense(MatrixOut<double> matrix) const { op_.dense(matrix); }
  void diagonal(Out<double> out) const { op_.diagonal(out); }
  std::size_t bytes() const { return op_.bytes(); }

  int dampings = 0;
  mutable int solves = 0;
  bool failing = false;

 private:
  LtlDelassus<double> op_;
};
static_assert(DelassusOperator<Counting, double>);

/// One solve per iteration, and one damping for each penalty: the first, and every change.
TEST(ContactAdmm, ChangesOfThePenaltyAreDampings) {
  int changes = 0;
  for (const char* name : kProblems) {
    SCOPED_TRACE(name);
    const ContactCase c = make_contact_case(name);
    Counting op(c);
    Admm admm({.penalty = 50});  // far off, so that it has to change
    Vector lambda(static_cast<std::size_t>(c.m()));
    ASSERT_TRUE(admm.solve(op, c.problem(), lambda).ok());
    EXPECT_EQ(admm.certificate().dampings, op.dampings);
    EXPECT_EQ(admm.certificate().iterations, op.solves);
    changes += op.dampings - 1;
    // The next solve begins with what this one ended with; here the option says otherwise.
    EXPECT_EQ(admm.penalty() == 50, op.dampings == 1);
  }
  EXPECT_GE(changes, 5);
}

TEST(ContactFailures, OperatorsThatFailEndTheSolve) {
  const ContactCase c = make_contact_case("go2 standing");
  const auto expect_failure = [&](auto solver) {
    Counting op(c);
    op.failing = true;
    Vector lambda(static_cast<std::size_t>(c.m()), 0.25);
    const Vector before = lambda;
    EXPECT_EQ(solver.solve(op, c.problem(), lambda), (Status{Code::kNotPositive, 2}));
    EXPECT_EQ(solver.certificate().reason, StopReason::kFailed);
    EXPECT_EQ(lambda, before);
  };
  expect_failure(Admm());
  expect_failure(ContactNewton());
  expect_failure(ContactInteriorPoint());
}

TEST(ContactAdmm, TheLastPenaltyIsTheNextOne) {
  const ContactCase c = make_contact_case("everything");
  auto op = factored<LtlDelassus<double>>(c);
  Admm admm;
  Vector lambda(static_cast<std::size_t>(c.m()));
  EXPECT_EQ(admm.penalty(), 0);
  ASSERT_TRUE(admm.solve(op, c.problem(), lambda).ok());
  const double last = admm.penalty();
  EXPECT_GT(last, 0);
  admm.set_penalty(0.5);
  EXPECT_EQ(admm.penalty(), 0.5);
}

/// Two contacts that press and stick, each with some of what moves the other.
ReferenceProblem make_sticking_problem() {
  ReferenceProblem out;
  constexpr int kRows = 6;
  out.A = oracle::Matrix<long double>(kRows, kRows);
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kRows; ++j) out.A(i, j) = i == j ? 1.1L : 0.1L;
  }
  out.spans = {{0, 0, 3, 0, 0, 0, 0}, {0, 3, 3, 0, 0, 0, 0}};
  ForceSet cone{SetKind::kFrictionCone};
  cone.mu = 0.5;
  out.sets = {cone, cone};
  return out;
}

/// Pushed a little more, what sticks goes on sticking, and one damped solve finds the forces that iterations find.
TEST(ContactAdmm, ModesThatLastTakeOneSolve) {
  const ReferenceProblem two = make_sticking_problem();
  auto op = make_given(two);
  Vector g{-1, 0.1, -0.1, -1, 0.05, 0}, lambda(6);
  Admm plain({.tolerance = 1e-10, .relative_tolerance = 0, .modes = false}), admm;
  ASSERT_TRUE(plain.solve(op, {two.spans, two.sets, g}, lambda).ok());
  for (double& x : g) x *= 1.001;
  Vector expected = lambda;
  ASSERT_TRUE(plain.solve(op, {two.spans, two.sets, g}, expected).ok());
  EXPECT_GT(plain.certificate().iterations, 1);
  ASSERT_TRUE(admm.solve(op, {two.spans, two.sets, g}, lambda).ok());
  EXPECT_EQ(admm.certificate().iterations, 1);
  // Eigenvalues are one or more, so that forces are as exact as velocities: 1e-8 m/s.
  for (std::size_t r = 0; r < lambda.size(); ++r) EXPECT_NEAR(lambda[r], expected[r], 2e-8) << r;
}

/// If friction has to slide instead, they are no solution: the solve goes on from where it began.
TEST(ContactAdmm, ModesThatEndAreLeft) {
  const ReferenceProblem two = make_sticking_problem();
  auto op = make_given(two);
  Vector g{-1, 0.1, -0.1, -1, 0.05, 0}, lambda(6);
  ASSERT_TRUE(Admm().solve(op, {two.spans, two.sets, g}, lambda).ok());
  g[1] = 2;  // more than friction of half the force can hold
  Vector expected = lambda;
  Admm plain({.modes = false}), admm;
  ASSERT_TRUE(plain.solve(op, {two.spans, two.sets, g}, expected).ok());
  ASSERT_TRUE(admm.solve(op, {two.spans, two.sets, g}, lambda).ok());
  EXPECT_EQ(lambda, expected);
  EXPECT_EQ(admm.certificate().iterations, plain.certificate().iterations + 1);
}

/// A start that is near enough is the solution as it is, unless more is asked of it.
TEST(ContactAdmm, AStartMayBeAskedForMore) {
  const ReferenceProblem two = make_sticking_problem();
  auto op = make_given(two);
  const Vector g{-1, 0.1, -0.1, -1, 0.05, 0};
  Vector lambda(6);
  ASSERT_TRUE(Admm().solve(op, {two.spans, two.sets, g}, lambda).ok());
  for (double& x : lambda) x *= 1 + 1e-5;
  const Vector start = lambda;
  ASSERT_TRUE(Admm({.tolerance = 1e-4}).solve(op, {two.spans, two.sets, g}, lambda).ok());
  EXPECT_EQ(lambda, start);
  Admm asked({.tolerance = 1e-4, .start_tolerance = 1e-9});
  ASSERT_TRUE(asked.solve(op, {two.spans, two.sets, g}, lambda).ok());
  EXPECT_EQ(asked.certificate().iterations, 1);
  // A millionth of 1e-5, which the damping leaves.
  EXPECT_LT(asked.certificate().velocity, 1e-9);
  EXPECT_THROW(Admm({.start_tolerance = -1}), Error);
}

/// One limit that is pushed against, plain steps: with Λ⁻¹ = 1 and ρ = penalty an iteration leaves 1 - α / (1 + ρ) of what there is to go.
TEST(ContactAdmm, TheRateIsThatOfTheIteration) {
  ReferenceProblem one;
  one.A = oracle::Matrix<long double>(1, 1);
  one.A(0, 0) = 1;
  one.spans = {{0, 0, 1, 0, 0, 0, 0}};
  one.sets = {{SetKind::kNonNegative}};
  auto op = make_given(one);
  const Vector g{-1};
  for (const double relaxation : {0.2, 0.5, 1.0}) {
    Admm admm({.tolerance = 1e-300,
               .relative_tolerance = 0,
               .modes = false,  // they would be the solution
               .iterations = 9,
               .relaxation = relaxation,
               .penalty = 3,
               .memory = 0});
    EXPECT_EQ(admm.rate(), 1);
    Vector lambda{0.5};
    EXPECT_EQ(admm.solve(op, {one.spans, one.sets, g}, lambda).code, Code::kNotConverged);
    // Nine logarithms of numbers that are rounded by 1e-16 of one, of which 0.07 are left.
    EXPECT_NEAR(admm.rate(), 1 - relaxation / 4, 1e-12);
    EXPECT_EQ(admm.certificate().iterations, 9);
  }
}

TEST(ContactCertificates, ReasonsHaveWords) {
  EXPECT_EQ(name_of(StopReason::kSolved), "solved");
  EXPECT_EQ(name_of(StopReason::kIterations), "iterations ran out");
  EXPECT_EQ(name_of(StopReason::kStalled), "no more progress");
  EXPECT_EQ(name_of(StopReason::kFailed), "failed");
  EXPECT_EQ(name_of(StopReason::kInfeasible), "no forces do what is asked");
  EXPECT_EQ(ContactCertificate().reason, StopReason::kNone);
  EXPECT_FALSE(ContactCertificate().solved());
}

}  // namespace
}  // namespace delassus::testing
