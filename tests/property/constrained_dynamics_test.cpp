// Constrained forward dynamics by all three forms on random systems in motion: regular, redundant and contradictory, against
// dense algebra in long double.
#include <gtest/gtest.h>

#include "delassus/model/builder.hpp"
#include "delassus/operators/kkt.hpp"
#include "delassus/solvers/constrained_aba.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"
#include "support/constrained_case.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::column_of;
using testing::ConstrainedCase;
using testing::ConstrainedReference;
using testing::Exact;
using testing::for_each_seed;
using testing::KktResiduals;
using testing::kLongSeeds;
using testing::kSeeds;
using testing::random_constrained_case;
using testing::relative_difference;

/// What is promised of every feasible system, whatever its rank.
constexpr double kResidual = 1e-10;
/// What is promised of the motion and the joint forces where rows contradict each other...
constexpr double kContradictory = 1e-7;
/// ...as long as no direction yields less than this part of the softest one: then rank is a matter of opinion.
constexpr double kToldApart = 1e-8;

JointDescription free_joint(std::string name) {
  JointDescription joint;
  joint.name = std::move(name);
  joint.kind = JointKind::kFree;
  return joint;
}

struct Result {
  Status status;
  std::vector<double> motion, lambda, remainder;
};

template <class Solver>
Result solve(const ConstrainedCase& c, const std::vector<double>& target, std::vector<double> start = {}) {
  State<double> state(c.model, c.constraints);
  EXPECT_TRUE(state.update(c.q, c.v).ok());
  Solver solver(c.model);
  EXPECT_TRUE(solver.factor(state).ok());
  start.resize(c.m());
  Result result{{}, std::vector<double>(c.model.nv()), start, {}};
  result.status = solver.solve(state, c.tau, target, result.motion, result.lambda);
  result.remainder = solver.remainder();
  return result;
}

using Condensed = ConstrainedDynamics<double>;
using SparseKkt = ConstrainedDynamics<double, KktDelassus<double>>;
using Aba = ConstrainedAba<double>;

/// How well the least force is known where nothing is felt of it: ε ‖Λ⁻¹‖ / μ, which is 1e-8, times what elimination loses.
/// Worst of 2000 systems: 4.5e-4, 2e-5, 7e-3.
template <class Solver>
constexpr double kLeastForce = 1e-3;
template <>
constexpr double kLeastForce<SparseKkt> = 1e-4;
template <>
constexpr double kLeastForce<Aba> = 2e-2;

template <class Solver>
class EveryForm : public ::testing::Test {};
using Forms = ::testing::Types<Condensed, SparseKkt, Aba>;
struct FormNames {
  template <class Solver>
  static std::string GetName(int form) {  // NOLINT(readability-identifier-naming): googletest asks for it
    return std::array{"Condensed", "SparseKkt", "ConstrainedAba"}[form];
  }
};
TYPED_TEST_SUITE(EveryForm, Forms, FormNames);
template <class Solver>
class LongEveryForm : public ::testing::Test {};
TYPED_TEST_SUITE(LongEveryForm, Forms, FormNames);

// ---------------------------------------------------------------------------------------------- feasible

template <class Solver>
void expect_feasible(const ConstrainedCase& c, const std::vector<double>& target) {
  const Result got = solve<Solver>(c, target);
  ASSERT_TRUE(got.status.ok());
  const KktResiduals residual(c, target, got.motion, got.lambda);
  EXPECT_LT(residual.forces, kResidual);
  EXPECT_LT(residual.rows, kResidual);
  // The motion follows from the rows by 1 / σ, the force once more.
  const ConstrainedReference want(c, target);
  EXPECT_LT(relative_difference(got.motion, want.motion.entries()), std::max(1e-9, kResidual / c.gap));
  EXPECT_LT(relative_difference(got.lambda, want.lambda.entries(), 1e-9),
            std::max(kLeastForce<Solver>, kResidual / c.gap));
}

template <class Solver>
void feasible_targets_are_met(int seed) {
  const ConstrainedCase c = random_constrained_case(seed);
  expect_feasible<Solver>(c, c.feasible_target(3));
}
TYPED_TEST(EveryForm, FeasibleTargetsAreMet) { for_each_seed(0, kSeeds, feasible_targets_are_met<TypeParam>); }
TYPED_TEST(LongEveryForm, FeasibleTargetsAreMet) {
  for_each_seed(kSeeds, kLongSeeds, feasible_targets_are_met<TypeParam>);
}

/// Rows that keep their velocities, as a simulator asks for: a* = -J̇ν by the state itself, against the oracle's drift.
template <class Solver>
void velocities_are_kept(int seed) {
  const ConstrainedCase c = random_constrained_case(seed);
  if (c.rank < c.m()) return;
  State<double> state(c.model, c.constraints);
  ASSERT_TRUE(state.update(c.q, c.v).ok());
  std::vector<double> target(c.m());
  state.target(target);
  const auto drift = oracle::constraint_drift<long double>(c.model, c.constraints, testing::converted<long double>(c.q),
                                                           testing::converted<long double>(c.v));
  for (int r = 0; r < c.m(); ++r) target[r] = -target[r];
  // Drift goes with the square of velocities; so does its rounding.
  ASSERT_LT(relative_difference(target, drift, 1), 1e-11);
  for (int r = 0; r < c.m(); ++r) target[r] = -target[r];
  expect_feasible<Solver>(c, target);
}
TYPED_TEST(EveryForm, VelocitiesAreKept) { for_each_seed(0, 60, velocities_are_kept<TypeParam>); }

// ---------------------------------------------------------------------------------------- contradictory

template <class Solver>
void contradictions_give_least_squares(int seed) {
  const ConstrainedCase c = random_constrained_case(seed);
  if (c.rank == c.m() || c.gap < kToldApart) return;
  const std::vector<double> target = c.random_vector(c.m(), 4);
  const Result got = solve<Solver>(c, target);
  const ConstrainedReference want(c, target);
  ASSERT_EQ(got.status.code, Status::Code::kInfeasible);
  EXPECT_LT(relative_difference(got.motion, want.motion.entries()), kContradictory);
  const Exact joint_force = c.Jt * column_of(got.lambda);
  EXPECT_LT(relative_difference(joint_force.entries(), want.joint_force.entries(), 1e-9), kContradictory);
  EXPECT_LT(relative_difference(got.remainder, want.remainder.entries()), kContradictory);
  const auto worst = std::max_element(want.remainder.entries().begin(), want.remainder.entries().end(),
                                      [](auto a, auto b) { return std::abs(a) < std::abs(b); });
  EXPECT_NEAR(static_cast<double>(std::abs(want.remainder(got.status.index, 0)) / std::abs(*worst)), 1, 1e-5);
}
TYPED_TEST(EveryForm, ContradictionsGiveLeastSquares) {
  for_each_seed(0, kSeeds, contradictions_give_least_squares<TypeParam>);
}
TYPED_TEST(LongEveryForm, ContradictionsGiveLeastSquares) {
  for_each_seed(kSeeds, kLongSeeds, contradictions_give_least_squares<TypeParam>);
}

// ------------------------------------------------------------------------------------------- warm start

/// Of all forces that do it, the one nearest to the start is found: what the start has where nothing is felt of it stays.
template <class Solver>
void start_is_kept_where_nothing_is_felt(int seed) {
  const ConstrainedCase c = random_constrained_case(seed);
  if (c.rank == c.m() || c.gap < 1e-6) return;
  const std::vector<double> target = c.feasible_target(3), start = c.random_vector(c.m(), 5);
  const Result cold = solve<Solver>(c, target), warm = solve<Solver>(c, target, start);
  ASSERT_TRUE(warm.status.ok());
  EXPECT_LT(relative_difference(warm.motion, cold.motion), 1e-6);
  // start + (Λ⁻¹)⁺ (b - Λ⁻¹ start), by the reference with another target.
  const Exact of_start = c.matrix * column_of(start);
  std::vector<double> rest = target;
  for (int r = 0; r < c.m(); ++r) rest[r] -= static_cast<double>(of_start(r, 0));
  const Exact want = ConstrainedReference(c, rest).lambda + column_of(start);
  EXPECT_LT(relative_difference(warm.lambda, want.entries(), 1e-9), kLeastForce<Solver>);
}
TYPED_TEST(EveryForm, StartIsKeptWhereNothingIsFelt) {
  for_each_seed(0, kSeeds, start_is_kept_where_nothing_is_felt<TypeParam>);
}

/// From the solution nothing is left to do, but where nothing is felt of the force: ε / μ of it.
TYPED_TEST(EveryForm, SolutionIsAGoodStart) {
  const ConstrainedCase c = random_constrained_case(3);
  const std::vector<double> target = c.feasible_target(3);
  const Result cold = solve<TypeParam>(c, target), warm = solve<TypeParam>(c, target, cold.lambda);
  EXPECT_LT(relative_difference(warm.lambda, cold.lambda), 2e-8);
  EXPECT_LT(relative_difference(warm.motion, cold.motion), 1e-10);
}

// --------------------------------------------------------------------------------------------- corners

TYPED_TEST(EveryForm, WithoutConstraintsItIsTheFreeMotion) {
  const Model model = samples::random_model(4);
  const ConstrainedCase c(model, {}, samples::random_state(model, 4));
  const Result got = solve<TypeParam>(c, {});
  EXPECT_TRUE(got.status.ok());
  EXPECT_LT(relative_difference(got.motion, c.free_motion.entries()), 1e-11);
}

/// The free motion does what is asked for already: no force.
TYPED_TEST(EveryForm, NothingToDoIsDone) {
  const ConstrainedCase c = random_constrained_case(7);
  const Exact a = c.J * c.free_motion;
  const std::vector<double> target(a.entries().begin(), a.entries().end());
  const Result got = solve<TypeParam>(c, target);
  EXPECT_TRUE(got.status.ok());
  EXPECT_LT(relative_difference(got.motion, c.free_motion.entries()), 1e-11);
}

TYPED_TEST(EveryForm, NotANumberIsSaid) {
  const ConstrainedCase c = random_constrained_case(9);
  std::vector<double> target = c.feasible_target(3);
  target[1] = std::numeric_limits<double>::quiet_NaN();
  const Status status = solve<TypeParam>(c, target).status;
  EXPECT_EQ(status.code, Status::Code::kNotFinite);
}

/// A ball flies beside a pinned arm: what is no number passes by the rows, and is said all the same.
TYPED_TEST(EveryForm, NotANumberBesideTheRowsIsSaid) {
  ModelBuilder builder("arm and ball");
  const Inertial bar = box_inertial(1.0, {{0.25, 0.02, 0.02}}, {{0.25, 0, 0}});
  const int arm = builder.add_body("arm", kWorld, revolute("shoulder", {{0, 0, 1}}), bar);
  builder.add_body("ball", kWorld, free_joint("flight"), bar);
  builder.add_frame("tip", arm, translation(0.5, 0, 0));
  const Model model = builder.make_model();
  const std::vector<Constraint> pin{PointContact{.name = "pin", .a = attach(model, "tip")}};
  State<double> state(model, pin);
  TypeParam solver(model);
  std::vector<double> tau(model.nv()), target(3), qdd(model.nv()), lambda(3);
  ASSERT_TRUE(state.update(model.neutral(), tau).ok());
  ASSERT_TRUE(solver.factor(state).ok());
  tau[model.nv() - 1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solver.solve(state, tau, target, qdd, lambda).code, Status::Code::kNotFinite);
  tau[model.nv() - 1] = 0;
  std::fill(lambda.begin(), lambda.end(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(solver.solve(state, tau, target, qdd, lambda).code, Status::Code::kNotFinite);
}

/// A bolt and a truck, each welded to the world: Λ⁻¹ has numbers from 1e-4 to 1e9, and nothing contradicts anything.
TYPED_TEST(EveryForm, BoltsAndTrucksStandStill) {
  for (const double truck : {1e3, 1e4}) {
    ModelBuilder builder("bolt and truck");
    builder.add_body("bolt", kWorld, free_joint("bolt"), box_inertial(1e-3, {{0.005, 0.005, 0.005}}, {{0, 0, 0}}));
    builder.add_body("truck", kWorld, free_joint("truck"), box_inertial(truck, {{3, 1, 1}}, {{0, 0, 0}}));
    const Model model = builder.make_model();
    const std::vector<Constraint> welds{make_weld("bolt weld", attach(model, "bolt"), {}),
                                        make_weld("truck weld", attach(model, "truck"), {})};
    samples::State rest{model.neutral(), std::vector<double>(model.nv()), std::vector<double>(model.nv())};
    const ConstrainedCase c(model, welds, rest);
    const std::vector<double> target(c.m());
    const Result got = solve<TypeParam>(c, target);
    EXPECT_TRUE(got.status.ok());
    const KktResiduals residual(c, target, got.motion, got.lambda);
    EXPECT_LT(residual.forces, kResidual);
    EXPECT_LT(residual.rows, kResidual);
  }
}

/// A closed loop falls freely: all row accelerations cancel, and their rounding is no contradiction.
TYPED_TEST(EveryForm, FreeFallOfALoopNeedsNoForce) {
  ModelBuilder builder("falling loop");
  const Inertial bar = box_inertial(1.0, {{0.25, 0.02, 0.02}}, {{0.25, 0, 0}});
  const Vec3<double> z{{0, 0, 1}};
  const int base = builder.add_body("base", kWorld, free_joint("flight"), bar);
  const int left = builder.add_body("left", base, revolute("a", z), bar);
  const int top = builder.add_body("top", left, revolute("b", z, translation(0.5, 0, 0)), bar);
  const int right = builder.add_body("right", base, revolute("c", z, translation(0.5, 0, 0)), bar);
  builder.add_frame("end", top, translation(0.5, 0, 0));
  builder.add_frame("corner", right, translation(0.5, 0, 0));
  const Model model = builder.make_model();
  const std::vector<Constraint> loop{make_weld("closure", attach(model, "end"), attach(model, "corner"))};
  samples::State falling{model.neutral(), std::vector<double>(model.nv()), std::vector<double>(model.nv())};
  for (int k = 0; k < 3; ++k) falling.q[model.link(1 + k).q] = k == 1 ? -1.0 : 1.0;
  const ConstrainedCase c(model, loop, falling);
  const Result got = solve<TypeParam>(c, std::vector<double>(c.m()));
  EXPECT_TRUE(got.status.ok());
  EXPECT_LT(relative_difference(got.motion, c.free_motion.entries()), 1e-11);
}

/// Ranks lost by posture, by repetition and by four points on one foot; with targets that can be met and that cannot.
TYPED_TEST(EveryForm, SingularSystemsStayFinite) {
  for (const samples::System& s : {samples::straight_chain_with_end_contact(5), samples::duplicated_constraint(),
                                   samples::foot_with_four_points()}) {
    const ConstrainedCase c(s.model, s.constraints, s.state);
    EXPECT_EQ(c.rank, s.rank);
    expect_feasible<TypeParam>(c, c.feasible_target(3));
    const std::vector<double> target = c.random_vector(c.m(), 4);
    const Result got = solve<TypeParam>(c, target);
    EXPECT_EQ(got.status.code, Status::Code::kInfeasible);
    EXPECT_LT(relative_difference(got.motion, ConstrainedReference(c, target).motion.entries()), kContradictory);
  }
}

/// Seven digits, less the condition of M (1e5 at most) and of the rows.
template <class Solver>
void float_targets_are_met(int seed) {
  const ConstrainedCase c = random_constrained_case(seed);
  if (c.gap < 1e-3) return;
  using testing::converted;
  State<float> state(c.model, c.constraints);
  ASSERT_TRUE(state.update(converted<float>(c.q), converted<float>(c.v)).ok());
  Solver solver(c.model);
  ASSERT_TRUE(solver.factor(state).ok());
  const std::vector<double> target = c.feasible_target(3);
  std::vector<float> motion(c.model.nv()), lambda(c.m());
  ASSERT_TRUE(solver.solve(state, converted<float>(c.tau), converted<float>(target), motion, lambda).ok());
  const KktResiduals residual(c, target, converted<double>(motion), converted<double>(lambda));
  EXPECT_LT(residual.rows, 1e-3);
  EXPECT_LT(residual.forces, 1e-3);
}
TEST(FloatForms, CondensedMeetsTargets) { for_each_seed(0, 60, float_targets_are_met<ConstrainedDynamics<float>>); }
TEST(FloatForms, AbaMeetsTargets) { for_each_seed(0, 60, float_targets_are_met<ConstrainedAba<float>>); }

// ---------------------------------------------------------------------------------------------- impacts

template <class Op>
void impact_reverses_rows(int seed) {
  const ConstrainedCase c = random_constrained_case(seed);
  State<double> state(c.model, c.constraints);
  ASSERT_TRUE(state.update(c.q, c.v).ok());
  ConstrainedDynamics<double, Op> solver(c.model);
  ASSERT_TRUE(solver.factor(state).ok());
  const Exact before = c.J * column_of(c.v);
  for (const double e : {0.0, 0.5, 1.0}) {
    std::vector<double> after(c.model.nv()), impulse(c.m());
    ASSERT_TRUE(solver.solve_impact(state, std::vector<double>(c.m(), e), after, impulse).ok());
    // Both laws, to what is promised of feasible systems: rows turn around, and M (ν⁺ - ν⁻) = Jᵀ impulse.
    const Exact rows = c.J * column_of(after), want = static_cast<long double>(-e) * before;
    EXPECT_LT(relative_difference(rows.entries(), want.entries(), testing::norm_of(before)), kResidual);
    const Exact momentum = c.M * (column_of(after) - column_of(c.v)), force = c.Jt * column_of(impulse);
    EXPECT_LT(relative_difference(momentum.entries(), force.entries(), testing::norm_of(c.M * column_of(c.v))),
              kResidual);
    // No impact with equal restitution creates energy; with e = 1 none is lost.
    const auto energy = [&](const std::vector<double>& v) {
      const Exact x = column_of(v);
      return static_cast<double>((oracle::transposed(x) * c.M * x)(0, 0) / 2);
    };
    if (e == 1.0) {
      EXPECT_NEAR(energy(after) / energy(c.v), 1, std::max(1e-9, kResidual / c.gap));
    }
    EXPECT_LT(energy(after), (1 + 1e-9) * energy(c.v));
  }
}
/// After an impact there is nothing left to do for another.
TEST(Impact, IsOverAfterIt) {
  for_each_seed(0, 100, [](int seed) {
    const ConstrainedCase c = random_constrained_case(seed);
    State<double> state(c.model, c.constraints);
    ConstrainedDynamics<double> solver(c.model);
    const std::vector<double> plastic(c.m());
    std::vector<double> v = c.v, impulse(c.m());
    for (int k = 0; k < 2; ++k) {
      ASSERT_TRUE(state.update(c.q, v).ok());
      ASSERT_TRUE(solver.factor(state).ok());
      std::fill(impulse.begin(), impulse.end(), 0.0);
      ASSERT_TRUE(solver.solve_impact(state, plastic, v, impulse).ok());
    }
  });
}

TEST(Impact, ReversesRowsOnTheCondensedTree) { for_each_seed(0, 100, impact_reverses_rows<CondensedDelassus<double>>); }
TEST(Impact, ReversesRowsOnTheKktFactor) { for_each_seed(0, 50, impact_reverses_rows<KktDelassus<double>>); }

// ---------------------------------------------------------------------------------------- inverse blocks

/// The four blocks times the KKT matrix are one.
void blocks_invert_the_matrix(int seed) {
  const ConstrainedCase c = random_constrained_case(seed);
  const double mu = 1e-3;
  KktDelassus<double> op(c.model, c.rows);
  ASSERT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
  ASSERT_TRUE(op.update_damping(mu).ok());
  const int n = c.model.nv(), m = c.m();
  oracle::Matrix<double> P(n, n), C(n, m), L(m, m);
  ASSERT_TRUE(kkt_inverse<double>(op, P, C, L).ok());
  const auto exact = [](const oracle::Matrix<double>& A) {
    return Exact(A.rows(), A.cols(), testing::converted<long double>(A.entries()));
  };
  // Λ_R (Λ⁻¹ + μ) = 1, M C = Jᵀ Λ_R, M P = 1 - Jᵀ Cᵀ.
  Exact A = c.matrix, one_m(m, m), one_n(n, n);
  for (int r = 0; r < m; ++r) A(r, r) += mu, one_m(r, r) = 1;
  for (int k = 0; k < n; ++k) one_n(k, k) = 1;
  const double bound = 1e-11 * std::max(1.0, c.norm / mu);
  EXPECT_LT(relative_difference((exact(L) * A).entries(), one_m.entries()), bound);
  const Exact Jt_L = c.Jt * exact(L);
  EXPECT_LT(relative_difference((c.M * exact(C)).entries(), Jt_L.entries(), 1), bound);
  const Exact right = one_n - c.Jt * oracle::transposed(exact(C));
  EXPECT_LT(relative_difference((c.M * exact(P)).entries(), right.entries(), 1), bound);
}
TEST(KktInverse, BlocksInvertTheMatrix) { for_each_seed(0, 40, blocks_invert_the_matrix); }

}  // namespace
}  // namespace delassus
